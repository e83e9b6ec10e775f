/** The representations of a body, each encoder beside its decoder. */
import { encodeJson } from "./encode_json.ts";
import { parseJson } from "./parse_json.ts";

/** A representation that has content. */
export type BodyKind = "json" | "text" | "bytes";

/** What a message is built with. */
export type EncodedBody = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob;

/** What gives the content of a value; it throws a `TypeError` where the representation cannot carry it. */
export const bodyEncoders: Readonly<Record<BodyKind, (value: unknown) => EncodedBody>> = {
  json: encodeJson,
  text: encodeText,
  bytes: encodeBytes,
};

/** The value of a whole message; rejects where the content is malformed or cannot be read. */
export function readBody(kind: BodyKind, message: Request | Response): Promise<unknown> {
  if (kind === "json") return message.json();
  return message.arrayBuffer().then((buffer) => decodeBody(kind, new Uint8Array(buffer)));
}

/** The value of content that was read as bytes, as {@linkcode readBody} gives it; throws where it is malformed. */
export function decodeBody(kind: BodyKind, bytes: Uint8Array<ArrayBuffer>): unknown {
  if (kind === "bytes") return bytes;
  if (kind === "json") return parseJson(new TextDecoder().decode(bytes));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes); // U+FEFF at the beginning is text like any other
}

function encodeText(value: unknown): string {
  if (typeof value === "string" && value.isWellFormed()) return value;
  throw new TypeError("A text body is a string, without half of a surrogate pair, which UTF-8 cannot carry");
}

function encodeBytes(value: unknown): Uint8Array<ArrayBuffer> | ArrayBuffer | Blob {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof Blob) {
    return value as Uint8Array<ArrayBuffer>; // a view on shared memory is refused where the message is built
  }
  throw new TypeError("A body of bytes is a Uint8Array");
}
