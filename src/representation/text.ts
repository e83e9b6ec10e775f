/** Text in UTF-8. */
import { type Incoming, mediaRanges, type WholeBody, wholeBody } from "./representation.ts";

/** The text of a request. */
export const requestText: WholeBody<"text"> = /* @__PURE__ */ wholeBody({
  kind: "text",
  contentType: "text/plain",
  ranges: mediaRanges,
  encode: encodeText,
  receive: receiveText,
});

/** The text of a response, with its charset in Fetch's spelling. */
export const responseText: WholeBody<"text"> = /* @__PURE__ */ wholeBody({
  kind: "text",
  contentType: "text/plain;charset=UTF-8",
  ranges: mediaRanges,
  encode: encodeText,
  receive: receiveText,
});

/** Encodes a text. Throws a `TypeError` if UTF-8 cannot represent it. */
export function encodeText(value: unknown): string {
  if (typeof value === "string" && value.isWellFormed()) return value;
  throw new TypeError("A text body must be a string without lone surrogates");
}

/** Decodes a text. */
export function decodeText(content: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content); // U+FEFF at the beginning is ordinary text
}

function receiveText(incoming: Incoming): Promise<unknown> {
  return incoming.receiveBytes(decodeText);
}
