import { type Awaitable, isPromise } from "../awaitable.ts";
import { type ItemReader } from "../contract/stream.ts";
import { parseLines } from "../wire/ndjson.ts";
import { type TextRecord } from "../wire/records.ts";
import { parseEvents } from "../wire/sse.ts";
import { type Fail } from "./error.ts";
import { decodeBeginning } from "./excerpt.ts";
import { untilAborted } from "./signals.ts";

/** How the items of a response are read. */
export interface ItemReading {
  readonly response: Response;
  readonly kind: "ndjson" | "sse";
  /** Makes an item, or an event's data, of the value of its JSON. */
  readonly decode: (value: unknown) => Awaitable<unknown>;
  readonly maxRecordBytes: number;
  /** Ends the reading when it aborts. */
  readonly signal: AbortSignal | undefined;
  readonly fail: Fail;
  /** The error that a caller gets of a failure. */
  readonly explain: (cause: unknown) => Error;
}

/**
 * The items of a response. The body's reader is kept here and not by the generator alone, whose own `return()` would wait for
 * bytes that may never come.
 */
export function readItems(reading: ItemReading): ItemReader<unknown> {
  const { signal } = reading;
  const reader = reading.response.body?.getReader();
  let isLeft = false;
  const release = (): void => {
    signal?.removeEventListener("abort", release);
    reader?.cancel().catch(() => {}); // how the source takes it is its own affair
  };
  if (signal?.aborted) release();
  else signal?.addEventListener("abort", release, { once: true });
  const items = generateItems(reading, reader, release, () => isLeft);
  return {
    next: () => items.next(),
    return() {
      isLeft = true;
      release();
      items.return(undefined).catch(() => {}); // not waited for: a codec may never be ready
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A reader that is cancelled gives its end to whoever waits for bytes: why it has ended is asked then. */
async function* generateItems(
  reading: ItemReading,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  release: () => void,
  isLeft: () => boolean,
): AsyncGenerator<unknown, undefined> {
  const { kind, signal, maxRecordBytes, explain } = reading;
  const records = (kind === "sse" ? parseEvents : parseLines)(maxRecordBytes);
  const decoder = new TextDecoder();
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      const text = decoder.decode(read.value, { stream: true });
      for (const item of decodeItems(records.push(text), reading)) {
        const value = isPromise(item) ? await untilAborted(signal, Promise.resolve(item)) : item;
        signal?.throwIfAborted();
        if (isLeft()) return;
        yield value;
      }
    }
    if (isLeft()) return;
    signal?.throwIfAborted();
    if (decoder.decode() !== "" || records.isCut()) throw new TypeError("The last item was cut off");
  } catch (cause) {
    throw explain(cause);
  } finally {
    release();
  }
}

/** Decodes records as they are asked for; what is wrong with one is `invalid-body`. */
function* decodeItems(
  records: Iterable<TextRecord>,
  { response, kind, decode, fail }: ItemReading,
): Generator<Awaitable<unknown>> {
  let data: string | undefined;
  const refuse = (cause: unknown): never => {
    const state = `an item cannot be decoded: ${cause instanceof Error ? cause.message : "a codec threw"}`;
    throw fail("invalid-body", state, { response, text: data && decodeBeginning(data), cause });
  };
  try {
    for (const record of records) {
      ({ data } = record);
      const value = decode(JSON.parse(data));
      const toItem = (decoded: unknown): unknown => kind === "sse" ? { ...record, data: decoded } : decoded;
      yield isPromise(value) ? value.then(toItem, refuse) : toItem(value);
    }
  } catch (cause) {
    refuse(cause);
  }
}
