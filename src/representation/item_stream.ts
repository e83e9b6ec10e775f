/** Responses of items that arrive one by one. */
import { type Awaitable, isPromise, untilAborted } from "../awaitable.ts";
import { readJson } from "../wire/json.ts";
import type { RecordParser, TextRecord } from "../wire/records.ts";
import { receiveBytes } from "./byte_stream.ts";
import type { Incoming } from "./representation.ts";

/** Formats an item of a stream as bytes or text. */
export type FormatItem = (item: unknown, check: CheckItem) => Awaitable<string | Uint8Array<ArrayBuffer>>;

/** Returns the value to send for the part of an item that the schema describes. */
export type CheckItem = (value: unknown) => Awaitable<unknown>;

/** The error of a stream declared without a schema. */
export const itemSchemaNeeded = "a schema is required; pass one for an item";

interface ItemReading {
  /** Finds the records. */
  readonly records: RecordParser;
  /** Creates the item of a record, from the decoded value of its data. */
  readonly toItem: (record: TextRecord, value: unknown) => unknown;
}

/**
 * Returns the items of a response. This function keeps the reader of the bytes, because the generator's own `return()`
 * would wait for bytes that may never arrive.
 */
export function receiveItems(incoming: Incoming, reading: ItemReading): ItemReader<unknown> {
  const reader = receiveBytes(incoming).getReader();
  let isLeft = false;
  const items = generateItems({ incoming, reading, reader, isLeft: () => isLeft });
  return {
    next: () => items.next(),
    return(): Promise<IteratorReturnResult<undefined>> {
      isLeft = true;
      reader.cancel().catch(() => {}); // errors of the source are ignored
      items.return(undefined).catch(() => {}); // not awaited, because a codec may never finish
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator](): ItemReader<unknown> {
      return this;
    },
  };
}

interface OpenReading {
  readonly incoming: Incoming;
  readonly reading: ItemReading;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Whether the caller has left. A cancelled reader reports the end of the bytes to a pending read. */
  readonly isLeft: () => boolean;
}

async function* generateItems({ incoming, reading, reader, isLeft }: OpenReading): AsyncGenerator<unknown, undefined> {
  const { call: { signal }, declared: { decode } } = incoming;
  const { records, toItem } = reading;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // Deno's own BOM removal also removes U+FEFF from the middle
  let isStart = true;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      let text = decoder.decode(read.value, { stream: true });
      if (isStart && text !== "") {
        isStart = false;
        text = text.replace(/^\uFEFF/, "");
      }
      let data: string | undefined;
      try {
        for (const record of records.push(text)) {
          ({ data } = record);
          const plain = readJson(data);
          const decoded = decode ? decode(plain) : plain;
          const value = decode && isPromise(decoded) ? await untilAborted(signal, decoded) : decoded;
          signal?.throwIfAborted();
          if (isLeft()) return;
          yield toItem(record, value);
          data = undefined;
        }
      } catch (cause) {
        throw signal?.aborted ? incoming.explain(cause) : incoming.toDecodeError(cause, data, "an item");
      }
    }
    if (!isLeft() && (decoder.decode() !== "" || records.isPartial())) {
      throw incoming.explain(new TypeError("The last item is incomplete"));
    }
  } finally {
    reader.cancel().catch(() => {}); // errors of the source are ignored
  }
}

/** The types of streams on both sides. */

/**
 * The body of a stream that a handler returns. The server reads it item by item, as the client asks for them. If the
 * client stops reading, the server calls the iterator's `return()` once, or cancels the stream. It must not be a
 * string, although strings are iterable.
 */
export type ItemSource<Item> =
  | ReadableStream<Item>
  | AsyncIterable<Item>
  | (Iterable<Item> & object)
  | readonly Item[]; // also an iterable: a compiler that finds a type of the same name reports the item alone

/** A server-sent event that a handler returns. */
export interface SentEvent<Data = unknown> {
  /** The data of the event. */
  readonly data: Data;
  /** The type of the event, in one line. Default: none, and browsers use `message`. */
  readonly event?: string | undefined;
  /**
   * The ID of the event: text that a header can carry, which is Latin-1 in one line, without spaces at either end.
   * Clients send it as `last-event-id` when they reconnect. Default: none.
   */
  readonly id?: string | undefined;
  /** How long the client should wait before it reconnects, in whole milliseconds. Default: none. */
  readonly retry?: number | undefined;
}

/**
 * An event ID without an event. Send it first, with the ID of the last event so far. A client whose connection breaks
 * before the first event then reconnects with it, and misses none.
 */
export interface SentId {
  /** The ID, as in an event. */
  readonly id: string;
  /** How long the client should wait before it reconnects, in whole milliseconds. Default: none. */
  readonly retry?: number | undefined;
  /** An ID alone has no data. */
  readonly data?: undefined;
  /** An ID alone has no type: an event has data. */
  readonly event?: undefined;
}

/**
 * A comment between events, which clients ignore. It keeps proxies from closing an idle connection. If there are no
 * events, send one about every 15 seconds (HTML Standard, section 9.2.7).
 */
export interface SentComment {
  /** Any text in one line. It can be empty. */
  readonly comment: string;
  /** A comment has no data. */
  readonly data?: undefined;
}

/** A server-sent event that a client receives. Fields that the server did not send are absent. */
export interface ReceivedEvent<Data = unknown> {
  /** The data of the event. */
  readonly data: Data;
  /** The type of the event. */
  readonly event?: string;
  /** The ID of the event. */
  readonly id?: string;
  /** How long to wait before reconnecting, in milliseconds. */
  readonly retry?: number;
}

/**
 * The items of a response as they arrive, for one `for await`. It owns the connection. The end, a failure, an abort,
 * leaving the loop and `return()` release it, even before the first `next()`. A reader that is neither iterated nor
 * returned keeps the connection open.
 */
export interface ItemReader<Item> extends AsyncIterableIterator<Item, undefined, unknown> {
  /** Resolves to the next item. Rejects once with a `ClientError` if the stream fails. */
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Releases the connection. A pending `next()` resolves as done. */
  return(): Promise<IteratorReturnResult<undefined>>;
  /** Returns the reader itself. */
  [Symbol.asyncIterator](): ItemReader<Item>;
}

/**
 * The events of a response as they arrive, with the state for reconnecting. Both members change as events are read.
 * They keep their values when the stream ends, fails or is left.
 */
export interface EventReader<Data = unknown> extends ItemReader<ReceivedEvent<Data>> {
  /**
   * The last `id` that the server sent and a header can carry, with or without data, to send as `last-event-id`. Before the first one, it is
   * the `last-event-id` of the call, or empty. An empty `id` from the server makes it empty.
   */
  readonly lastEventId: string;
  /**
   * The last `retry` that the server sent: how long to wait before reconnecting, in milliseconds. `undefined` before
   * the first one.
   */
  readonly reconnectionTime: number | undefined;
  /** Returns the reader itself. */
  [Symbol.asyncIterator](): EventReader<Data>;
}
