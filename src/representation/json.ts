/** JSON (RFC 8259). */
import { parseJson } from "../wire/parse_json.ts";
import { readJson } from "../wire/read_json.ts";
import { encodeStrictJson } from "../wire/strict_json.ts";
import { type WholeBody, wholeBody } from "./whole_body.ts";

/** A JSON value. */
export const json: WholeBody<"json"> = /* @__PURE__ */ wholeBody({
  kind: "json",
  contentType: "application/json",
  encode: (value) => encodeStrictJson(value),
  decode: receiveJson,
});

/** Decodes JSON content for a client. Throws a `SyntaxError` if it is malformed. */
export function receiveJson(content: Uint8Array): unknown {
  return readJson(new TextDecoder().decode(content));
}

/** Decodes JSON content for a server. Throws a `SyntaxError` if it is malformed. */
export function decodeJson(content: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(content));
}
