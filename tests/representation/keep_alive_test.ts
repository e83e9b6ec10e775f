import { keepAlive } from "@scope/api/server";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { rejectionsOf } from "../support/rejections.ts";

Deno.test.sanitizer({ ops: true, resources: true });

Deno.test("keepAlive() adds a comment whenever the events are silent, and closes their source", async () => {
  let room: ReadableStreamDefaultController<string>;
  let left = 0;
  const source = new ReadableStream<string>({
    start: (controller) => {
      room = controller;
    },
    cancel: () => {
      left++;
    },
  });
  const events = keepAlive(source, 10);
  assertEquals([(await events.next()).value, (await events.next()).value], [{ comment: "" }, { comment: "" }]);
  room!.enqueue("a");
  room!.enqueue("b");
  assertEquals([(await events.next()).value, (await events.next()).value], ["a", "b"]);
  assertEquals(await events.return!(), { done: true, value: undefined });
  assertEquals(left, 1);
});

Deno.test("keepAlive() ends and fails as its events do, of any kind of source", async () => {
  for (const source of [["a", "b"], ReadableStream.from(["a", "b"]), ["a", "b"].values()]) {
    assertEquals(await Array.fromAsync(keepAlive<string>(source)), ["a", "b"]);
  }
  const failing = keepAlive(ReadableStream.from((async function* (): AsyncGenerator<string> {
    yield "a";
    throw new Error("broken");
  })()));
  assertEquals((await failing.next()).value, "a");
  await assertRejects(() => failing.next(), Error, "broken");
});

Deno.test("keepAlive() throws for invalid arguments", () => {
  assertThrows(() => keepAlive("text" as never), TypeError, "keepAlive(): the events must be a stream or an iterable");
  assertThrows(() => keepAlive([], -1), TypeError, 'keepAlive(): "interval" must be milliseconds');
});

Deno.test("keepAlive() leaves no rejection behind if its events fail after a comment", async () => {
  const rejections = await rejectionsOf(async () => {
    const failing = keepAlive(
      (async function* (): AsyncGenerator<string> {
        await new Promise((resolve) => setTimeout(resolve, 10));
        yield* [];
        throw new Error("broken");
      })(),
      1,
    );
    assertEquals((await failing.next()).value, { comment: "" });
    await new Promise((resolve) => setTimeout(resolve, 30));
    await failing.return!();
  });
  assertEquals(rejections, []);
});

Deno.test("keepAlive() waits for an event once, however many comments it adds before", async () => {
  const silent = new Promise<IteratorResult<string>>(() => {});
  let waits = 0;
  Object.defineProperty(silent, "then", {
    value: (...reactions: Parameters<typeof silent.then>) => {
      waits++;
      return Promise.prototype.then.apply(silent, reactions);
    },
  });
  const events = keepAlive({ [Symbol.asyncIterator]: () => ({ next: () => silent }) }, 1);
  for (let comments = 0; comments < 20; comments++) assertEquals((await events.next()).value, { comment: "" });
  assertEquals(waits, 1); // each further wait would stay in memory until the event
});

Deno.test("keepAlive() keeps the order of events that arrive during, after and without a comment", async () => {
  const source = new TransformStream<string, string>();
  const writer = source.writable.getWriter();
  const events = keepAlive(source.readable, 20);
  assertEquals((await events.next()).value, { comment: "" });
  const second = events.next();
  writer.write("a");
  assertEquals((await second).value, "a");
  assertEquals((await events.next()).value, { comment: "" });
  writer.write("b");
  await new Promise((resolve) => setTimeout(resolve, 5)); // it arrives while nobody waits
  writer.write("c");
  assertEquals([(await events.next()).value, (await events.next()).value], ["b", "c"]);
  await Promise.all([writer.close(), events.next().then(({ done }) => assertEquals(done, true))]);
});

Deno.test("keepAlive() that is left during silence keeps no timer", async () => {
  const events = keepAlive(new ReadableStream<string>());
  const pending = events.next();
  await events.return!();
  await pending; // the sanitizer would find the timer of 15 s
});
