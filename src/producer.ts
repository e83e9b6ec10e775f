import { isObject } from "./mark.ts";
import { attempt, type Awaitable, ignore, type Ready } from "./awaitable.ts";
import { isResponse } from "./native_response.ts";

/** One step of a producer: an item, or the end. */
export interface Step {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/** Produces items one by one: an iterator, or the reader of a stream. */
export interface Producer {
  /** Returns the next item. It is called when the previous one has arrived. */
  readonly next: () => Awaitable<Step>;
  /** Called if no more items are needed, with the reason, as in the Streams Standard. */
  readonly return?: (reason?: unknown) => unknown;
}

/** Opens a stream, an asynchronous or a synchronous iterable. `undefined` for any other value, including a string. */
export function openProducer(source: unknown): Producer | undefined {
  if (!isObject(source)) return undefined;
  if (source instanceof ReadableStream) return openStream(source);
  const { [Symbol.asyncIterator]: iterateAsync, [Symbol.iterator]: iterate, destroy }: Iterables = source;
  const producer = (iterateAsync ?? iterate)?.call(source);
  if (!producer || typeof destroy !== "function") return producer;
  return { next: () => producer.next(), return: () => destroy.call(source) }; // Node's iterator keeps a stream open that was not read yet
}

/** Returns the chunks of a stream, which it locks. */
export function openStream(stream: ReadableStream): Producer {
  const reader = stream.getReader();
  return { next: () => reader.read(), return: (reason) => reader.cancel(reason) };
}

interface Iterables {
  readonly [Symbol.asyncIterator]?: () => Producer;
  readonly [Symbol.iterator]?: () => Producer;
  /** Closes a stream of Node. */
  readonly destroy?: () => unknown;
}

/** Closes a producer. Its errors are ignored. */
export function closeProducer(producer: Producer | undefined, reason?: unknown): Ready<void> {
  return attempt(() => producer?.return?.(reason), ignore, ignore);
}

/** Closes the source of a stream, or a native response, that will not be read. */
export function closeSource(source: unknown): void {
  try {
    closeProducer(openProducer(isResponse(source) ? source.body : source));
  } catch {
    // another reader owns the stream and closes it
  }
}
