/** How messages of connections are written, for values on the wire. */
import type { Awaitable } from "../../awaitable.ts";
import { isTextual, type MessageFormat, type MessageKind } from "../../representation/socket.ts";
import type { Frame } from "./connect.ts";

interface Rule {
  readonly encode: (value: unknown, format: MessageFormat) => unknown;
  readonly decode: (frame: Frame, format: MessageFormat) => unknown;
}

const rules: Readonly<Record<MessageKind, Rule>> = {
  json: { encode: (value) => JSON.stringify(value), decode: (frame) => JSON.parse(frame as string) },
  text: { encode: (value) => value, decode: (frame) => frame },
  bytes: { encode: (value) => value, decode: (frame) => frame },
  as: {
    encode: (value, { custom }) => custom!.encode(value), // a format of this kind has it
    decode: (frame, { custom }) => custom!.decode(frame as Uint8Array<ArrayBuffer>),
  },
};

/** Returns the message of a value. `undefined` if the format cannot carry it. */
export async function encodeFrame(value: unknown, format: MessageFormat): Promise<Frame | undefined> {
  try {
    const content = await rules[format.kind].encode(value, format);
    if (typeof content === "string") return isTextual(format) ? content : new TextEncoder().encode(content);
    if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer());
    return content instanceof Uint8Array ? new Uint8Array(content) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value of a message of the right kind. Throws if it is malformed. */
export function decodeFrame(frame: Frame, format: MessageFormat): Awaitable<unknown> {
  return rules[format.kind].decode(frame, format);
}
