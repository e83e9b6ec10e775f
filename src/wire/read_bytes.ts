import { type Awaitable, ignore, untilAborted } from "../awaitable.ts";

interface ReadBytes {
  /** The bytes, at most the maximum. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether these are all bytes. If not, the stream was cancelled. */
  readonly complete: boolean;
}

interface ReadLimits {
  /** The maximum number of bytes. */
  readonly maxBytes: number;
  /** Whether the bytes are not kept, so that a single chunk need not be copied. Default: `false`. */
  readonly isTransient?: boolean;
}

/** The limits of reading a body. */
interface BodyLimits extends ReadLimits {
  /** Stops reading when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** What reads a stream of bytes. */
type ByteReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/**
 * Reads a stream to its end, or up to the limits. Without a reader there are no bytes. Rejects if the stream fails or
 * contains anything but bytes.
 */
export async function readBytes(
  reader: ByteReader | undefined,
  { maxBytes, isTransient }: ReadLimits,
): Promise<ReadBytes> {
  const { add, join } = collectBytes(isTransient);
  let left = maxBytes;
  while (reader && left >= 0) {
    const { done, value } = await reader.read();
    if (done) break;
    const isOfBytes = isBytes(value);
    if (isOfBytes) {
      add(value.byteLength > left ? value.subarray(0, left) : value);
      left -= value.byteLength;
      if (left >= 0) continue;
    }
    reader.cancel().catch(ignore); // errors of the source
    if (!isOfBytes) throw new TypeError("A body must be a stream of bytes");
  }
  return { bytes: join(), complete: left >= 0 };
}

/**
 * Returns the bytes of a body. `undefined` if there are more than the maximum. Without a reader there are none, which it
 * returns at once, `asText` as an empty text: on Deno, creating an array takes 0.3 µs.
 */
export function readContent(
  reader: ByteReader | undefined,
  maxBytes: number,
  asText: boolean,
): Awaitable<Uint8Array<ArrayBuffer> | string | undefined> {
  if (!reader) return asText ? "" : new Uint8Array(0);
  return readBytes(reader, { maxBytes }).then(({ bytes, complete }) => complete ? bytes : undefined);
}

/**
 * Reads the body of a response as {@linkcode readBytes} does. The platform reads it as a whole if requested, or if it
 * has no stream, as in React Native.
 */
export async function readBody(
  response: Pick<Response, "body" | "arrayBuffer">,
  limits: BodyLimits,
  readByPlatform = false,
): Promise<ReadBytes> {
  const { maxBytes, signal } = limits;
  const body = readByPlatform ? undefined : response.body;
  if (body === undefined) {
    const bytes = new Uint8Array(await untilAborted(signal, response.arrayBuffer()));
    return { bytes: bytes.subarray(0, maxBytes), complete: bytes.byteLength <= maxBytes };
  }
  const reader = body?.getReader();
  const cancel = (): void => void reader?.cancel(signal?.reason).catch(ignore); // errors of the source
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
  try {
    const { bytes, complete } = await readBytes(reader, limits);
    return { bytes, complete: complete && !signal?.aborted };
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/**
 * Returns whether `value` is a `Uint8Array` of any realm. In some test runners the platform's arrays are not instances
 * of the global class.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === "Uint8Array"; // every view has one
}

/** The maximum number of bytes that a collector allocates in advance. */
const maxRoom = 64 * 1024;

const noBytes = /* @__PURE__ */ new Uint8Array(0);

/** Bytes that arrive in chunks. */
export interface CollectedBytes {
  readonly add: (chunk: Uint8Array) => void;
  /** Returns all bytes: in a buffer of exactly their length, unless they are transient. */
  readonly join: () => Uint8Array<ArrayBuffer>;
}

/**
 * Collects bytes by copying them, except a single chunk. Keeping the chunks would keep their buffers: on Deno a chunk of
 * one byte is a view of 64 KiB, and on Node it takes up to 800 bytes.
 *
 * Each block is as large as all before it, up to 64 KiB, so at most twice the bytes are allocated. `join()` copies them
 * once more. Memory is allocated for bytes that have arrived, never for a declared length.
 */
export function collectBytes(isTransient?: boolean): CollectedBytes {
  const blocks: Uint8Array[] = [];
  let room = noBytes; // of the last block
  let length = 0;
  return {
    add(chunk): void {
      const before = length;
      length += chunk.byteLength;
      if (before > 0) {
        if (blocks.length === 1) blocks[0] = new Uint8Array(blocks[0]!);
        const rest = chunk.subarray(room.byteLength);
        room.set(chunk.subarray(0, room.byteLength));
        room = room.subarray(chunk.byteLength);
        if (rest.byteLength === 0) return;
        const block = new Uint8Array(Math.max(rest.byteLength, Math.min(before, maxRoom)));
        block.set(rest);
        blocks.push(block);
        room = block.subarray(rest.byteLength);
      } else blocks[0] = chunk;
    },
    join(): Uint8Array<ArrayBuffer> {
      if (isTransient && blocks.length === 1) return blocks[0] as Uint8Array<ArrayBuffer>; // a decoder refuses shared memory
      const whole = new Uint8Array(length);
      let offset = 0;
      for (const block of blocks) {
        whole.set(block.subarray(0, length - offset), offset);
        offset += block.byteLength;
      }
      return whole;
    },
  };
}

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes UTF-8. U+FEFF at the beginning is ordinary text. */
export function decodeText(content: Uint8Array): string {
  return utf8.decode(content);
}

/** Returns the size of whole content in bytes, with text as UTF-8. */
export function byteLength(content: string | Uint8Array | ArrayBuffer | Blob): number {
  if (typeof content === "string") return new TextEncoder().encode(content).byteLength;
  return content instanceof Blob ? content.size : content.byteLength;
}

/** Cancels the body of a response that will not be read. It does not wait, because an unread copy would block it. */
export function discardBody(response: Pick<Response, "body">): undefined {
  response.body?.cancel().catch(ignore); // errors of the source
}
