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
  let hasArrived = false;
  let wake: () => void = () => {};
  const start = (): Promise<Step> => {
    const step = Promise.resolve(producer.next());
    const arrive = (): void => {
      hasArrived = true;
      wake();
    };
    step.then(arrive, arrive); // once for each event: reactions stay until it arrives, so one for each comment is a leak
    return step;
  };
  return {
    async next(): Promise<IteratorResult<Item | SentComment, undefined>> {
      pending ??= start();
      if (!hasArrived) await untilWoken(interval, (resolve) => wake = resolve);
      if (!hasArrived) return { done: false, value: { comment: "" } };
      const step = pending;
      pending = undefined;
      hasArrived = false;
      return await step as IteratorResult<Item, undefined>; // the source types its items
    },
    async return(): Promise<IteratorReturnResult<undefined>> {
      wake(); // a pending next() keeps its timer otherwise
      await closeProducer(producer);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator](): typeof this {
      return this;
    },
  };
}

/** Resolves when the time is over, or earlier if the function that `pass` receives is called. */
function untilWoken(milliseconds: number, pass: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(milliseconds, longestTimeout));
    pass(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
