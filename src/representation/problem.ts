/** Problem documents (RFC 9457). */
import { encodeJson, readJson } from "../wire/json.ts";
import { problemType } from "../wire/media_type.ts";
import { toProblem } from "../wire/problem.ts";
import type { Incoming, ResponseRepresentation } from "./representation.ts";

/**
 * A problem document. Without a schema, members of another type than RFC 9457 defines are left out, so that the
 * declared type is correct.
 */
export const problem: ResponseRepresentation<"problem"> = /* @__PURE__ */ Object.freeze({
  kind: "problem",
  contentType: problemType,
  describes: "value",
  receive: (incoming: Incoming) => incoming.receiveText(incoming.declared.isDescribed ? readJson : decodeProblem),
});

/** Encodes a problem document. Throws a `TypeError` if the value is not an object. */
export function encodeProblem(value: unknown): string {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return encodeJson(value);
  throw new TypeError("A problem must be an object");
}

function decodeProblem(content: string): unknown {
  const document = toProblem(readJson(content));
  if (document) return document;
  throw new TypeError("A problem document must be a JSON object");
}
