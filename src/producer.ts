import { attempt, type Awaitable, type Ready } from "./awaitable.ts";
import { isResponse } from "./native_response.ts";

/** One step of a producer: an item, or the end. */
export interface Step {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/** What gives items one by one: an iterator, or the reader of a stream. */
export interface Producer {
  /** The next item, asked for when the one before is there. */
  readonly next: () => Awaitable<Step>;
  /** Tells that no more is asked for, and why, as the Streams Standard tells an iterator. */
  readonly return?: (reason?: unknown) => unknown;
}

/** The producer behind a stream, an asynchronous or a synchronous iterable; `undefined` for what is none, a string among them. */
export function openProducer(source: unknown): Producer | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  if (source instanceof ReadableStream) return openStream(source);
  const { [Symbol.asyncIterator]: iterateAsync, [Symbol.iterator]: iterate } = source as Iterables;
  return (iterateAsync ?? iterate)?.call(source);
}

/** The chunks of a stream, which is locked from now on. */
export function openStream(stream: ReadableStream): Producer {
  const reader = stream.getReader();
  return { next: () => reader.read(), return: (reason) => reader.cancel(reason) };
}

/** Either kind of iterable, as far as it is looked at. */
interface Iterables {
  readonly [Symbol.asyncIterator]?: () => Producer;
  readonly [Symbol.iterator]?: () => Producer;
}

/** Tells a producer that no more is asked for; how it takes that is its own affair. */
export function closeProducer(producer: Producer | undefined, reason?: unknown): Ready<void> {
  return attempt(() => producer?.return?.(reason), ignore, ignore);
}

/** Closes what would have been a stream's source, or a native response, where nothing is going to be read of it. */
export function closeSource(source: unknown): void {
  try {
    closeProducer(openProducer(isResponse(source) ? source.body : source));
  } catch {
    // a stream that someone else reads is theirs to close
  }
}

function ignore(): void {}
