/** What the two sides make of responses that arrive piece by piece, in types. */

/**
 * What a handler gives for a stream. It is read item by item, as the client asks for them; where the client asks for no more,
 * its iterator's `return()` runs, once, or the stream is cancelled. Not a string, though that is iterable too.
 */
export type ItemSource<Item> = ReadableStream<Item> | AsyncIterable<Item> | (Iterable<Item> & object);

/** An event as a handler gives it. */
export interface SentEvent<Data = unknown> {
  /** What happened. */
  readonly data: Data;
  /** The kind of event, in one line. */
  readonly event?: string | undefined;
  /** Names this event, in one line: what a browser's `EventSource` sends as `last-event-id` when it comes back. */
  readonly id?: string | undefined;
  /** How long to wait before coming back, in whole milliseconds. */
  readonly retry?: number | undefined;
}

/**
 * A comment between events: no client sees it, and a proxy that ends idle connections sees that this one is not. Send one every
 * 15 seconds or so where nothing else happens (HTML Standard, section 9.2.7).
 */
export interface SentComment {
  /** Anything in one line, also nothing. */
  readonly comment: string;
  /** A comment is no event. */
  readonly data?: undefined;
}

/** An event as a client sees it: what the server did not send is absent. */
export interface ReceivedEvent<Data = unknown> {
  /** What happened. */
  readonly data: Data;
  /** The kind of event. */
  readonly event?: string;
  /** Names this event. */
  readonly id?: string;
  /** How long to wait before coming back, in milliseconds. */
  readonly retry?: number;
}

/**
 * Items as they arrive, for one `for await`. It owns the connection: leaving the loop or `return()`, also before the first
 * `next()`, releases it, as does the end, a failure and an abort. One that nobody iterates or returns holds the connection.
 */
export interface ItemReader<Item> extends AsyncIterableIterator<Item, undefined, unknown> {
  /** The next item; rejects with a `ClientError`, once, where the stream fails. */
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Releases the connection; a `next()` that waits is done. */
  return(): Promise<IteratorReturnResult<undefined>>;
  /** The same: there is one reading. */
  [Symbol.asyncIterator](): ItemReader<Item>;
}

/**
 * Events as they arrive, with what a client needs for coming back. Both members change as events are read, and stay as they are when
 * the stream ends, fails or is left.
 */
export interface EventReader<Data = unknown> extends ItemReader<ReceivedEvent<Data>> {
  /**
   * The last `id` that the server sent, with or without data: what to send as `last-event-id`. Before the first it is the
   * `last-event-id` of the call, or empty; it is empty, too, where the server sent an empty one.
   */
  readonly lastEventId: string;
  /** The last `retry` that the server sent: how long to wait before coming back, in milliseconds. `undefined` before the first. */
  readonly reconnectionTime: number | undefined;
  /** The same: there is one reading. */
  [Symbol.asyncIterator](): EventReader<Data>;
}
