/**
 * Keeps the events of a quiet room alive.
 *
 * @module
 */
import { type SentComment } from "@scope/api";

/** Adds a comment every 15 seconds: proxies do not take the connection for idle, and clients see that it is alive. */
export function keepAlive<Item>(items: ReadableStream<Item>, interval = 15_000): ReadableStream<Item | SentComment> {
  let timer: ReturnType<typeof setInterval>;
  const stop = (): void => clearInterval(timer);
  return items.pipeThrough(
    new TransformStream<Item, Item | SentComment>({
      start(controller): void {
        timer = setInterval(() => {
          if (controller.desiredSize! >= 0) controller.enqueue({ comment: "" }); // none for a listener that does not read
        }, interval);
      },
      flush: stop,
      cancel: stop,
    }),
  );
}
