/**
 * Keeps the connections of a quiet room open.
 *
 * @module
 */
import { type SentComment } from "@scope/api";

/** Adds a comment every 15 seconds, so that proxies do not close the connection and clients see that it is open. */
export function keepAlive<Item>(items: ReadableStream<Item>, interval = 15_000): ReadableStream<Item | SentComment> {
  let timer: ReturnType<typeof setInterval>;
  const stop = (): void => clearInterval(timer);
  return items.pipeThrough(
    new TransformStream<Item, Item | SentComment>({
      start(controller): void {
        timer = setInterval(() => {
          if (controller.desiredSize! >= 0) controller.enqueue({ comment: "" }); // skipped if the listener does not read
        }, interval);
      },
      flush: stop,
      cancel: stop,
    }),
  );
}
