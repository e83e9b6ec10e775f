/** Text in UTF-8. */
import { mediaRanges, type WholeBody, wholeBody } from "./representation.ts";

/** The text of a request. */
export const requestText: WholeBody<"text"> = /* @__PURE__ */ textBody("text/plain");

/** The text of a response, with its charset in Fetch's spelling. */
export const responseText: WholeBody<"text"> = /* @__PURE__ */ textBody("text/plain;charset=UTF-8");

function textBody(contentType: string): WholeBody<"text"> {
  return wholeBody({
    kind: "text",
    contentType,
    ranges: mediaRanges,
    encode: encodeText,
    receive: (incoming) => incoming.receiveBytes(decodeText),
  });
}

/** Encodes a text. Throws a `TypeError` if UTF-8 cannot represent it. */
export function encodeText(value: unknown): string {
  if (typeof value === "string" && value.isWellFormed()) return value;
  throw new TypeError("A text body must be a string without lone surrogates");
}

export function decodeText(content: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content); // U+FEFF at the beginning is ordinary text
}
