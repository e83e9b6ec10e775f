import { type Awaitable, isPromise } from "../awaitable.ts";
import { type EventReader, type ItemReader } from "../contract/stream.ts";
import { parseJson } from "../wire/parse_json.ts";
import { parseLines } from "../wire/ndjson.ts";
import { type RecordParser } from "../wire/records.ts";
import { parseEvents } from "../wire/sse.ts";
import { type Fail } from "./error.ts";
import { decodeBeginning } from "./excerpt.ts";
import { untilAborted } from "./signals.ts";

/** How the items of a response are read. */
export interface ItemReading {
  readonly kind: "ndjson" | "sse";
  readonly response: Response;
  /** The bytes of its body; ends where it fails or is aborted with the error that a caller gets. */
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Makes an item, or an event's data, of the value of its JSON. */
  readonly decode: (value: unknown) => Awaitable<unknown>;
  readonly maxRecordBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly fail: Fail;
  /** The error that a caller gets of a failure. */
  readonly explain: (cause: unknown, response: Response) => Error;
}

/**
 * The items of a response. The reader of its bytes is kept here and not by the generator alone, whose own `return()` would wait
 * for bytes that may never come.
 */
export function readItems(reading: ItemReading): ItemReader<unknown> | EventReader {
  if (reading.kind === "ndjson") return readRecords(reading, parseLines(reading.maxRecordBytes));
  const events = parseEvents(reading.maxRecordBytes);
  return Object.defineProperties(readRecords(reading, events) as EventReader, {
    lastEventId: { get: () => events.lastEventId, enumerable: true },
    reconnectionTime: { get: () => events.reconnectionTime, enumerable: true },
  });
}

function readRecords(reading: ItemReading, records: RecordParser): ItemReader<unknown> {
  const reader = reading.bytes.getReader();
  let isLeft = false;
  const items = generateItems({ ...reading, records }, reader, () => isLeft);
  return {
    next: () => items.next(),
    return(): Promise<IteratorReturnResult<undefined>> {
      isLeft = true;
      reader.cancel().catch(() => {}); // how the source takes it is its own affair
      items.return(undefined).catch(() => {}); // not waited for: a codec may never be ready
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator](): ItemReader<unknown> {
      return this;
    },
  };
}

/** A reader that is cancelled gives its end to whoever waits for bytes: whether that was the caller's doing is asked then. */
async function* generateItems(
  reading: ItemReading & { readonly records: RecordParser },
  reader: ReadableStreamDefaultReader<Uint8Array>,
  isLeft: () => boolean,
): AsyncGenerator<unknown, undefined> {
  const { kind, records, signal, response, decode, fail, explain } = reading;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // Deno's own removal takes U+FEFF from the middle too
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
          const decoded = decode(parseJson(data));
          const value = isPromise(decoded) ? await untilAborted(signal, Promise.resolve(decoded)) : decoded;
          signal?.throwIfAborted();
          if (isLeft()) return;
          yield kind === "sse" ? { ...record, data: value } : value;
          data = undefined;
        }
      } catch (cause) {
        const state = `an item cannot be decoded: ${cause instanceof Error ? cause.message : "a codec threw"}`;
        throw signal?.aborted
          ? explain(cause, response)
          : fail("invalid-body", state, { response, text: data && decodeBeginning(data), cause });
      }
    }
    if (!isLeft() && (decoder.decode() !== "" || records.isCut())) {
      throw explain(new TypeError("The last item was cut off"), response);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
