/** JSON (RFC 8259). */
import { encodeStrictJson, parseJson, readJson } from "../wire/json.ts";
import { type WholeBody, wholeBody } from "./representation.ts";

/** A JSON value. */
export const json: WholeBody<"json"> = /* @__PURE__ */ wholeBody({
  kind: "json",
  contentType: "application/json",
  encode: (value) => encodeStrictJson(value),
  receive: (incoming) => incoming.receiveText(readJson),
});

/** Decodes JSON content for a server. Throws a `SyntaxError` if it is malformed. */
export function decodeJson(content: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(content));
}
