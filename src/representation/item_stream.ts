/** Responses of items that arrive one by one. */
import { type Awaitable, isPromise } from "../awaitable.ts";
import { untilAborted } from "../signals.ts";
import { readJson } from "../wire/read_json.ts";
import { type RecordParser, type TextRecord } from "../wire/records.ts";
import { receiveBytes } from "./byte_stream.ts";
import { type Incoming } from "./representation.ts";
import { type ItemReader } from "./stream.ts";

/**
 * Formats an item of a stream as bytes or text. `check` returns the value to send for the part of the item that the
 * schema describes.
 */
export type FormatItem = (
  item: unknown,
  check: (value: unknown) => Awaitable<unknown>,
) => Awaitable<string | Uint8Array<ArrayBuffer>>;

/** The error of a stream declared without a schema. */
export const itemSchemaNeeded = "a schema is required; pass one for an item";

/** How to read items from a response. */
export interface ItemReading {
  /** Finds the records. */
  readonly records: RecordParser;
  /** Creates the item of a record, from the decoded value of its data. */
  readonly toItem: (record: TextRecord, value: unknown) => unknown;
}

/**
 * The items of a response. This function keeps the reader of the bytes, because the generator's own `return()` would
 * wait for bytes that may never arrive.
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

/** A response that is being read. */
interface OpenReading {
  readonly incoming: Incoming;
  readonly reading: ItemReading;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Whether the caller has left. A cancelled reader reports the end of the bytes to a pending read. */
  readonly isLeft: () => boolean;
}

async function* generateItems({ incoming, reading, reader, isLeft }: OpenReading): AsyncGenerator<unknown, undefined> {
  const { signal, decode, explain, refuse } = incoming;
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
          const decoded = decode(readJson(data));
          const value = isPromise(decoded) ? await untilAborted(signal, Promise.resolve(decoded)) : decoded;
          signal?.throwIfAborted();
          if (isLeft()) return;
          yield toItem(record, value);
          data = undefined;
        }
      } catch (cause) {
        throw signal?.aborted ? explain(cause) : refuse(cause, data, "an item");
      }
    }
    if (!isLeft() && (decoder.decode() !== "" || records.isPartial())) {
      throw explain(new TypeError("The last item is incomplete"));
    }
  } finally {
    reader.cancel().catch(() => {}); // errors of the source are ignored
  }
}
