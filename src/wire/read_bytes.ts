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
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel(signal?.reason).catch(() => {}); // how the source takes it is its own affair
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!(read.value instanceof Uint8Array)) {
        cancel();
        throw new TypeError("A body is a stream of bytes");
      }
      chunks.push(read.value);
      length += read.value.byteLength;
      if (length > maxBytes) {
        cancel();
        return { bytes: concatenate(chunks, length).slice(0, maxBytes), complete: false };
      }
    }
    return { bytes: concatenate(chunks, length), complete: !signal?.aborted };
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
