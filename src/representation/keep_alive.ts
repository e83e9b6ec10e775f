import { closeProducer, openProducer, type Step } from "../producer.ts";
import { checkMilliseconds, longestTimeout } from "../signals.ts";
import type { ItemSource, SentComment } from "./item_stream.ts";

/**
 * Adds an empty comment to events whenever none has been sent for `interval` milliseconds. Proxies then keep
 * the connection open, and a client that sets `silence` knows that it is alive.
 *
 * @example Events that are rare
 * ```ts
 * import { keepAlive } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * async function* findEvents() {
 *   await new Promise((resolve) => setTimeout(resolve, 50));
 *   yield { id: "1", data: "rare" };
 * }
 *
 * const sent = await Array.fromAsync(keepAlive(findEvents(), 20));
 * assertEquals(sent[0], { comment: "" });
 * assertEquals(sent.at(-1), { id: "1", data: "rare" });
 * ```
 *
 * @param interval The most milliseconds without an event or a comment. Default: 15,000.
 * @throws {TypeError} If an argument is invalid.
 */
export function keepAlive<Item>(
  events: ItemSource<Item>,
  interval = 15_000,
): AsyncIterableIterator<Item | SentComment, undefined> {
  checkMilliseconds('keepAlive(): "interval"', interval);
  const producer = openProducer(events);
  if (!producer) throw new TypeError("keepAlive(): the events must be a stream or an iterable");
  let pending: Promise<Step> | undefined; // still waits for its event after a comment
  return {
    async next(): Promise<IteratorResult<Item | SentComment, undefined>> {
      pending ??= Promise.resolve(producer.next());
      const step = await within(pending, interval);
      if (!step) return { done: false, value: { comment: "" } };
      pending = undefined;
      return step as IteratorResult<Item, undefined>; // the source types its items
    },
    async return(): Promise<IteratorReturnResult<undefined>> {
      await closeProducer(producer);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator](): typeof this {
      return this;
    },
  };
}

/** Resolves to `undefined` if a promise does not settle in time. */
async function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.min(milliseconds, longestTimeout));
  });
  try {
    return await Promise.race([promise, late]); // the race also handles a rejection that comes later
  } finally {
    clearTimeout(timer);
  }
}
