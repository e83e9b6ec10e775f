/** What was read of a stream. */
export interface ReadBytes {
  /** The bytes, at most as many as were asked for. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether that is all of them; where not, the stream was cancelled. */
  readonly complete: boolean;
}

/** How far a stream is read. */
export interface ReadLimits {
  /** The most bytes to take. */
  readonly maxBytes: number;
  /** Ends the reading when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads a stream to its end, or as far as the limits allow; rejects where it fails or gives anything but bytes. */
export async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  { maxBytes, signal }: ReadLimits,
): Promise<ReadBytes> {
  if (stream === null) return { bytes: new Uint8Array(0), complete: true };
  const collector = new ByteCollector();
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel(signal?.reason).catch(() => {}); // how the source takes it is its own affair
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!isBytes(read.value)) {
        cancel();
        throw new TypeError("A body is a stream of bytes");
      }
      const left = maxBytes - collector.length;
      if (read.value.byteLength > left) {
        cancel();
        collector.add(read.value.subarray(0, left));
        return { bytes: collector.join(), complete: false };
      }
      collector.add(read.value);
    }
    return { bytes: collector.join(), complete: !signal?.aborted };
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/** Whether `value` is a `Uint8Array`, of any realm: in some test runners the platform's are not of the global class. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === "Uint8Array";
}

/** The most bytes that a collector allocates ahead of their arrival. */
const maxRoom = 64 * 1024;

/**
 * Collects bytes by copying them. To keep the chunks would keep their buffers: on Deno a chunk of one byte is a view on 64 KiB, on
 * Node it takes up to 800 bytes. Each block is as large as all before it, up to 64 KiB, so that at most twice the bytes are
 * allocated; `join()` copies them once more. Memory is allocated for bytes that have arrived, never for a declared length.
 */
class ByteCollector {
  length = 0;
  readonly #full: Uint8Array[] = [];
  #last = new Uint8Array(0);
  #used = 0; // of the last

  add(chunk: Uint8Array): void {
    const room = this.#last.byteLength - this.#used;
    if (chunk.byteLength <= room) return this.#append(chunk);
    this.#append(chunk.subarray(0, room));
    const rest = chunk.subarray(room);
    this.#full.push(this.#last);
    this.#last = new Uint8Array(Math.max(rest.byteLength, Math.min(this.length, maxRoom)));
    this.#used = 0;
    this.#append(rest);
  }

  #append(bytes: Uint8Array): void {
    this.#last.set(bytes, this.#used);
    this.#used += bytes.byteLength;
    this.length += bytes.byteLength;
  }

  /** All bytes, in a buffer of exactly their length. */
  join(): Uint8Array<ArrayBuffer> {
    if (this.#used === this.length) return this.#last; // the first block, which is as long as the first chunk
    const whole = new Uint8Array(this.length);
    let offset = 0;
    for (const block of [...this.#full, this.#last.subarray(0, this.#used)]) {
      whole.set(block, offset);
      offset += block.byteLength;
    }
    return whole;
  }
}
