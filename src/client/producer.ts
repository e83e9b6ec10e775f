/** What a caller gives for a stream, asked for one item at a time. */

/** What a caller gives for a stream. */
export type Source = ReadableStream<unknown> | AsyncIterable<unknown>;

/** What a caller gave, or a `TypeError` where it is no stream. */
export function checkSource(source: unknown): Source {
  const isStream = source instanceof ReadableStream ||
    (typeof source === "object" && source !== null && Symbol.asyncIterator in source);
  if (isStream) return source as Source;
  throw new TypeError("the body is no ReadableStream and no AsyncIterable of bytes");
}

/** A source of items. */
export interface Producer {
  /** Gives the next item. */
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Ends it early; a stream that is stuck as well, whose own iterator would wait. */
  stop(reason: unknown): unknown;
}

/** The producer of a source, which no one else can read from then on. */
export function toProducer(source: Source): Producer {
  if (source instanceof ReadableStream) {
    const reader = source.getReader();
    return { next: () => reader.read(), stop: (reason) => reader.cancel(reason) };
  }
  const iterator = source[Symbol.asyncIterator]();
  return { next: () => iterator.next(), stop: () => iterator.return?.() };
}

/** Ends a producer early. How it takes that is its own affair. */
export async function stopProducer(producer: Producer, reason: unknown): Promise<void> {
  try {
    await producer.stop(reason);
  } catch {
    // nobody is left to be told
  }
}

/** A producer gave something that is no bytes; unlike one that failed, it waits to be ended. */
export class NoBytesError extends TypeError {}

/** The next bytes, `undefined` at the end. An empty chunk is passed over: in some encodings it would end the body. */
export async function nextBytes(producer: Producer): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await producer.next();
    if (done) return undefined;
    if (!(value instanceof Uint8Array)) throw new NoBytesError("the body's stream gave an item that is no Uint8Array");
    if (value.byteLength > 0) return value;
  }
}
