/** Whole bodies of bytes. */
import { mediaRanges, type WholeBody, wholeBody } from "./representation.ts";

/** The bytes of a view, a buffer or a blob. */
export const bytes: WholeBody<"bytes"> = /* @__PURE__ */ wholeBody({
  kind: "bytes",
  contentType: "application/octet-stream",
  ranges: mediaRanges,
  encode: encodeBytes,
  receive: (incoming) => incoming.receiveBytes((content) => content),
});

/** Encodes bytes. Throws a `TypeError` for anything else. */
export function encodeBytes(value: unknown): Uint8Array<ArrayBuffer> | ArrayBuffer | Blob {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof Blob) {
    return value as Uint8Array<ArrayBuffer>; // a view of shared memory fails when the message is built
  }
  throw new TypeError("A body of bytes must be a Uint8Array");
}
