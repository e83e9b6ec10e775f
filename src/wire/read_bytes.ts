import { untilAborted } from "../signals.ts";

interface ReadBytes {
  /** The bytes, at most the maximum. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether these are all bytes. If not, the stream was cancelled. */
  readonly complete: boolean;
}

interface ReadLimits {
  /** The maximum number of bytes. */
  readonly maxBytes: number;
  /** Stops reading when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** A stream of bytes, or what opens one. */
interface ByteSource {
  readonly getReader: () => Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;
}

/** Reads a stream to its end, or up to the limits. Rejects if it fails or contains anything but bytes. */
export async function readBytes(
  stream: ByteSource | null,
  { maxBytes, signal }: ReadLimits,
): Promise<ReadBytes> {
  if (stream === null) return { bytes: new Uint8Array(0), complete: true };
  const collector = new ByteCollector();
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel(signal?.reason).catch(() => {}); // errors of the source are ignored
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { bytes: collector.join(), complete: !signal?.aborted };
      const left = maxBytes - collector.length;
      const isOfBytes = isBytes(value);
      if (isOfBytes) collector.add(value.subarray(0, left));
      if (isOfBytes && value.byteLength <= left) continue;
      cancel();
      if (isOfBytes) return { bytes: collector.join(), complete: false };
      throw new TypeError("A body must be a stream of bytes");
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/**
 * Reads the body of a response as {@linkcode readBytes} does. The platform reads it as a whole if requested, or if it
 * has no stream, as in React Native.
 */
export async function readBody(
  response: Pick<Response, "body" | "arrayBuffer">,
  limits: ReadLimits,
  readByPlatform = false,
): Promise<ReadBytes> {
  const body = readByPlatform ? undefined : response.body;
  if (body !== undefined) return await readBytes(body, limits);
  const bytes = new Uint8Array(await untilAborted(readByPlatform ? undefined : limits.signal, response.arrayBuffer()));
  return { bytes: bytes.subarray(0, limits.maxBytes), complete: bytes.byteLength <= limits.maxBytes };
}

/**
 * Returns whether `value` is a `Uint8Array` of any realm. In some test runners the platform's arrays are not instances
 * of the global class.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Symbol.toStringTag in value && value[Symbol.toStringTag] === "Uint8Array";
}

/** The maximum number of bytes that a collector allocates in advance. */
const maxRoom = 64 * 1024;

/**
 * Collects bytes by copying them. Keeping the chunks would keep their buffers: on Deno a chunk of one byte is a view of
 * 64 KiB, and on Node it takes up to 800 bytes.
 *
 * Each block is as large as all before it, up to 64 KiB, so at most twice the bytes are allocated. `join()` copies them
 * once more. Memory is allocated for bytes that have arrived, never for a declared length.
 */
class ByteCollector {
  length = 0;
  readonly #blocks: Uint8Array<ArrayBuffer>[] = [];
  #room = new Uint8Array(0); // of the last block

  add(chunk: Uint8Array): void {
    const rest = chunk.subarray(this.#room.byteLength);
    this.#room.set(chunk.subarray(0, this.#room.byteLength));
    this.#room = this.#room.subarray(chunk.byteLength);
    this.length += chunk.byteLength;
    if (rest.byteLength === 0) return;
    const block = new Uint8Array(Math.max(rest.byteLength, Math.min(this.length - rest.byteLength, maxRoom)));
    block.set(rest);
    this.#blocks.push(block);
    this.#room = block.subarray(rest.byteLength);
  }

  /** Returns all bytes, in a buffer of exactly their length. */
  join(): Uint8Array<ArrayBuffer> {
    const [first] = this.#blocks;
    if (first?.byteLength === this.length) return first; // not copied if there was one chunk
    const whole = new Uint8Array(this.length);
    let offset = 0;
    for (const block of this.#blocks) {
      whole.set(block.subarray(0, this.length - offset), offset);
      offset += block.byteLength;
    }
    return whole;
  }
}

/** Returns the size of whole content in bytes, with text as UTF-8. */
export function byteLength(content: string | Uint8Array | ArrayBuffer | Blob): number {
  if (typeof content === "string") return new TextEncoder().encode(content).byteLength;
  return content instanceof Blob ? content.size : content.byteLength;
}

/** Cancels the body of a response that will not be read. It does not wait, because an unread copy would block it. */
export function discardBody(response: Pick<Response, "body">): undefined {
  response.body?.cancel().catch(() => {}); // errors of the source are ignored
}
