/** JSON (RFC 8259). */
import { encodeJson } from "../wire/encode_json.ts";
import { parseJson } from "../wire/parse_json.ts";
import { type WholeBody, wholeBody } from "./whole_body.ts";

/** A JSON value. */
export const json: WholeBody<"json"> = /* @__PURE__ */ wholeBody({
  kind: "json",
  contentType: "application/json",
  encode: encodeJson,
  decode: decodeJson,
});

/** The value of JSON content; throws a `SyntaxError` if it is malformed. */
export function decodeJson(content: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(content));
}
