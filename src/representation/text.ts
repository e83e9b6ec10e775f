/** Text in UTF-8. */
import { mediaRanges } from "./media_ranges.ts";
import { type WholeBody, wholeBody } from "./whole_body.ts";

/** A text. */
export const requestText: WholeBody<"text"> = /* @__PURE__ */ wholeBody({
  kind: "text",
  contentType: "text/plain",
  ranges: mediaRanges,
  encode: encodeText,
  decode: decodeText,
});

/** A text that says its charset, in the spelling of Fetch: what responses are. */
export const responseText: WholeBody<"text"> = /* @__PURE__ */ wholeBody({
  kind: "text",
  contentType: "text/plain;charset=UTF-8",
  ranges: mediaRanges,
  encode: encodeText,
  decode: decodeText,
});

/** The content of a text; throws a `TypeError` for what UTF-8 cannot carry. */
export function encodeText(value: unknown): string {
  if (typeof value === "string" && value.isWellFormed()) return value;
  throw new TypeError("A text body is a string, without half of a surrogate pair, which UTF-8 cannot carry");
}

/** The text of content. */
export function decodeText(content: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content); // U+FEFF at the beginning is text like any other
}
