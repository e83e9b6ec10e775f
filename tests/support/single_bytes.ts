/**
 * Bodies in chunks of one byte, and the memory that reading them takes. Over a socket, Deno passes each such chunk as
 * a view of a 64 KiB buffer: a reader that keeps 12,000 of them keeps 750 MiB.
 */
import { assertLess } from "@std/assert";

/** The number of chunks in a body. */
export const chunkCount = 12_000;

/** The most MiB of buffers at a time. V8 collects unreferenced chunks after 100 to 200 MiB. */
const allowed = 400;

/** The memory of this isolate outside of the heap, which contains the buffers. */
export interface BufferWatch {
  readonly sample: () => void;
  readonly assertFew: () => void;
}

/** Starts to watch the memory of buffers. */
export function watchBuffers(): BufferWatch {
  let most = 0;
  const sample = (): void => {
    most = Math.max(most, Deno.memoryUsage().external);
  };
  const assertFew = (): void => {
    sample();
    assertLess(Math.round(most / 2 ** 20), allowed);
  };
  return { sample, assertFew };
}

/** A stream of one-byte chunks, each a view of a 64 KiB buffer. It samples the memory as it goes. */
export function singleBytes(text: string, sample: () => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller): void {
      if (at === bytes.length) return controller.close();
      const chunk = new Uint8Array(64 * 1024).subarray(at % 1000, at % 1000 + 1);
      chunk[0] = bytes[at]!;
      controller.enqueue(chunk);
      if (++at % 500 === 0) sample();
    },
  }, { highWaterMark: 0 });
}

/** Encodes a text in the chunked coding, with one byte per chunk. */
export function chunkBytes(text: string): string {
  return `${[...text].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`;
}
