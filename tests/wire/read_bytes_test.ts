import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { readBody, readBytes } from "../../src/wire/read_bytes.ts";
import { chunkCount, singleBytes, watchBuffers } from "../support/single_bytes.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(100);

/** A stream of chunks that never ends, unless told; `cancelled` says whether, and why, it was cancelled. */
function streamOf(
  chunks: readonly unknown[],
  end = true,
): { stream: ReadableStream<Uint8Array>; cancelled: unknown[] } {
  const cancelled: unknown[] = [];
  const left = [...chunks];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller): Promise<void> | void {
      if (left.length > 0) return controller.enqueue(left.shift() as Uint8Array);
      if (end) return controller.close();
      return new Promise(() => {});
    },
    cancel: (reason) => void cancelled.push(reason),
  }, { highWaterMark: 0 });
  return { stream, cancelled };
}

Deno.test("readBytes() returns every byte, or the requested number", async () => {
  await always(
    fc.asyncProperty(fc.array(fc.uint8Array(), { maxLength: 5 }), fc.nat(30), async (chunks, maxBytes) => {
      const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
      const { stream, cancelled } = streamOf(chunks);
      const { bytes, complete } = await readBytes(stream.getReader(), { maxBytes });
      assertEquals(bytes, whole.slice(0, maxBytes));
      assertEquals(complete, whole.byteLength <= maxBytes);
      assertEquals(cancelled.length, complete ? 0 : 1);
    }),
  );
});

Deno.test("readBytes() without a stream returns no bytes", async () => {
  assertEquals(await readBytes(undefined, { maxBytes: 0 }), { bytes: new Uint8Array(0), complete: true });
});

Deno.test("readBytes() reads no further than necessary", async () => {
  let pulls = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(++pulls)),
  }, { highWaterMark: 0 });
  await readBytes(stream.getReader(), { maxBytes: 5 });
  assertEquals(pulls, 3);
});

/** A response with a stream, of which only that is read. */
function answer(body: ReadableStream<Uint8Array>): Pick<Response, "body" | "arrayBuffer"> {
  return { body: body as ReadableStream<Uint8Array<ArrayBuffer>>, arrayBuffer: () => Promise.reject() };
}

Deno.test("readBody() ends when its signal aborts, and cancels the stream", async () => {
  for (const before of [true, false]) {
    const { stream, cancelled } = streamOf([new Uint8Array([1])], false);
    const ending = new AbortController();
    if (before) ending.abort("enough");
    const reading = readBody(answer(stream), { maxBytes: 9, signal: ending.signal });
    setTimeout(() => ending.abort("enough"), 5);
    const { complete } = await reading;
    assertEquals(complete, false);
    assertEquals(cancelled, ["enough"]);
  }
});

Deno.test("readBody() removes its listener from the signal when it ends", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, given);
  };
  await readBody(answer(streamOf([new Uint8Array(3)]).stream), { maxBytes: 9, signal });
  await readBody(answer(streamOf([new Uint8Array(3)]).stream), { maxBytes: 2, signal });
  await assertRejects(() => readBody(answer(streamOf(["text"]).stream), { maxBytes: 9, signal }), TypeError);
  assertEquals(listeners, 0);
});

Deno.test("readBytes() rejects if the stream fails", async () => {
  const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("cut off")) });
  await assertRejects(() => readBytes(stream.getReader(), { maxBytes: 9 }), Error, "cut off");
});

// proves fetch | Chunks of a body are `Uint8Array`; other values are errors | 2.2.4
Deno.test("readBytes() rejects chunks that are not bytes, and cancels the stream", async () => {
  const { stream, cancelled } = streamOf([new Uint8Array([1]), "text"], false);
  await assertRejects(() => readBytes(stream.getReader(), { maxBytes: 9 }), TypeError);
  assert(cancelled.length === 1, "the source was left waiting");
});

Deno.test("readBytes() keeps the bytes of chunks, not their buffers", async () => {
  const { sample, assertFew } = watchBuffers();
  for (const maxBytes of [Infinity, chunkCount - 1]) {
    const { bytes } = await readBytes(singleBytes("ab".repeat(chunkCount / 2), sample).getReader(), { maxBytes });
    assertEquals(new TextDecoder().decode(bytes), "ab".repeat(chunkCount / 2).slice(0, maxBytes));
    assertEquals(bytes.buffer.byteLength, bytes.byteLength);
  }
  assertFew();
});

Deno.test("readBody() returns the requested number of bytes, with and without a stream", async () => {
  const content = new Uint8Array([1, 2, 3]);
  const whole = { body: undefined as never, arrayBuffer: () => Promise.resolve(content.buffer) };
  for (const response of [new Response(content), whole]) {
    assertEquals(await readBody(response, { maxBytes: 2 }), { bytes: new Uint8Array([1, 2]), complete: false });
  }
  for (const response of [new Response(content), whole]) {
    assertEquals(await readBody(response, { maxBytes: 3 }), { bytes: content, complete: true });
  }
});
