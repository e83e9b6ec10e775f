/** Bodies that are sent and received piece by piece: streams of bytes, and items, such as JSON values, one per line. */
import { type Awaitable, ignore, isPromise, whenReady } from "../awaitable.ts";
import { isInstance, isObject } from "../mark.ts";
import { encodeJson } from "../wire/json.ts";
import { discardBody } from "../wire/read_bytes.ts";
import { checkBytes, type RecordParser, splitLines, type TextRecord } from "../wire/records.ts";
import {
  type EncodeItem,
  type Incoming,
  mediaRanges,
  type RequestRepresentation,
  type ResponseRepresentation,
  trackResults,
  type Upload,
} from "./representation.ts";
import {
  checkChunk,
  closeProducer,
  closeSource,
  openProducer,
  openStream,
  type Producer,
  type ProducerStep,
  pullStream,
  takeChunk,
} from "../wire/producer.ts";

/** A request body that is sent as a stream. A `Blob` is sent as a whole. */
export const requestStream: RequestRepresentation<"stream"> = /* @__PURE__ */ Object.freeze({
  kind: "stream",
  contentType: "application/octet-stream",
  ranges: mediaRanges,
  describes: "nothing",
  encode: (value: unknown) => value instanceof Blob ? value : undefined,
  startUpload,
  isSentOnce,
  leave: closeSource,
});

/** A response body that is read as it arrives. */
export const responseStream: ResponseRepresentation<"stream"> = /* @__PURE__ */ Object.freeze({
  kind: "stream",
  contentType: "application/octet-stream",
  ranges: mediaRanges,
  describes: "nothing",
  readLater: trackResults,
  receive: receiveBytes,
});

/** Returns the bytes of a response as they arrive. A failure is the error of the call. */
export function receiveBytes(incoming: Incoming): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { response: { body, bodyUsed }, call: { signal }, release } = incoming;
  if (body === undefined || bodyUsed || body?.locked) {
    const state = body === undefined ? "this fetch does not support streams" : "other code reads it";
    throw incoming.toDecodeError(new TypeError(state), undefined, "its body");
  }
  const producer = limitSilence(openStream(body ?? new Blob().stream()), incoming);
  return pullStream(producer, {
    encode: takeChunk,
    signal,
    explain: (cause) => incoming.explain(cause),
    onEnd: release,
  });
}

/**
 * Returns the bytes of a response. They fail if none arrive for longer than the call allows. Only the time of a pending
 * read counts, so a slow reader does not cause a timeout.
 */
function limitSilence(bytes: Producer, { call: { silence }, plan: { fail }, response }: Incoming): Producer {
  if (silence === Infinity) return bytes;
  return {
    ...bytes, // of openStream()
    async next(): Promise<ProducerStep> {
      let error: Error | undefined;
      const timer = setTimeout(() => {
        error = fail("timeout", `no data arrived for ${silence} ms`, { response });
        closeProducer(bytes, error); // which ends the pending read
      }, silence);
      try {
        const step = await bytes.next();
        if (error) throw error;
        return step;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Returns whether a body is a stream, which can be sent only once. A `Blob` can be sent again. */
function isSentOnce(source: unknown): boolean {
  return source !== undefined && !isInstance(source, Blob);
}

/**
 * Starts the upload of a stream or an asynchronous iterable of bytes. `undefined` if there is nothing to upload. Throws
 * a `TypeError` for any other value.
 */
function startUpload(source: unknown, signal: AbortSignal | undefined): Upload | undefined {
  if (isInstance(source, Blob)) return undefined;
  return uploadFrom(withoutEmpty(openUpload(source, "a Blob", "bytes")), "a Blob", signal);
}

/** Opens the source of an upload. Throws a `TypeError` if it is none: the message says what else can be sent. */
export function openUpload(source: unknown, whole: string, items: string): Producer {
  const isStream = source instanceof ReadableStream || isObject(source) && Symbol.asyncIterator in source;
  if (isStream) return openProducer(source)!; // every source has one
  throw new TypeError(`the body must be ${whole}, a ReadableStream or an AsyncIterable of ${items}`);
}

/** Uploads what a producer yields: bytes. `whole` says what a runtime without streams can send. */
export function uploadFrom(producer: Producer, whole: string, callSignal: AbortSignal | undefined): Upload {
  const own = new AbortController();
  const signal = callSignal ? AbortSignal.any([callSignal, own.signal]) : own.signal;
  let failure: { readonly cause: unknown } | undefined; // the upload's own failure
  const body = pullStream(producer, {
    encode: checkChunk,
    signal,
    explain: (cause) => {
      if (!signal.aborted) failure = { cause };
      return cause;
    },
  });
  return {
    init: { body, signal, duplex: "half" },
    checkSent(request): void {
      if (!request.body) throw new TypeError(`this runtime cannot send a stream; pass ${whole}`); // the runtime would send the text of the object
    },
    async untilAnswered(sent): Promise<Response> {
      try {
        const response = await sent;
        if (!failure) return response;
        discardBody(response);
      } catch (error) {
        own.abort(error);
        if (!failure) throw error;
      }
      throw failure.cause;
    },
    end: () => own.abort(new DOMException("The call has ended", "AbortError")),
  };
}

/** Returns the same producer without empty chunks, because an empty chunk ends the body in some encodings. */
function withoutEmpty(producer: Producer): Producer {
  const take = (step: ProducerStep): Awaitable<ProducerStep> =>
    !step.done && step.value instanceof Uint8Array && step.value.byteLength === 0 ? next() : step;
  const next = (): Awaitable<ProducerStep> => whenReady(producer.next(), take);
  return { next, return: (reason) => producer.return?.(reason) };
}

/** Formats an item of a stream as bytes or text. */
export type FormatItem = (item: unknown, check: CheckItem) => Awaitable<string | Uint8Array<ArrayBuffer>>;

/** Returns the value to send for the part of an item that the schema describes. */
export type CheckItem = (value: unknown) => Awaitable<unknown>;

/** The error of a stream declared without a schema. */
export const itemSchemaNeeded = "a schema is required; pass one for an item";

interface ItemReading {
  readonly records: RecordParser;
  /** Creates the item of a record, from the decoded value of its data. */
  readonly toItem: (record: TextRecord, value: unknown) => unknown;
}

/**
 * Returns the items of a response. This function keeps the reader of the bytes, because the generator's own `return()`
 * would wait for bytes that may never arrive.
 */
export function receiveItems(incoming: Incoming, reading: ItemReading): ItemReader<unknown> {
  const open = { reader: receiveBytes(incoming).getReader(), isLeft: false };
  const items = generateItems(incoming, reading, open);
  return {
    next: () => items.next(),
    return(): Promise<IteratorReturnResult<undefined>> {
      open.isLeft = true;
      open.reader.cancel().catch(ignore); // errors of the source are ignored
      items.return(undefined).catch(ignore); // not awaited, because a codec may never finish
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator](): ItemReader<unknown> {
      return this;
    },
  };
}

interface OpenBytes {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Whether the caller has left. A cancelled reader reports the end of the bytes to a pending read. */
  readonly isLeft: boolean;
}

async function* generateItems(
  incoming: Incoming,
  { records, toItem }: ItemReading,
  open: OpenBytes,
): AsyncGenerator<unknown, undefined> {
  const { call: { signal } } = incoming;
  const { reader } = open;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // Deno's own BOM removal also removes U+FEFF from the middle
  let isStart = true;
  let data: string | undefined;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const text = decoder.decode(read.value, { stream: true });
      const unmarked = isStart ? text.replace(/^\uFEFF/, "") : text;
      isStart &&= text === "";
      try {
        for (const record of records.push(unmarked)) {
          ({ data } = record);
          const decoded = incoming.decodeItem(data);
          const value = isPromise(decoded) ? await decoded : decoded;
          signal?.throwIfAborted();
          if (open.isLeft) return;
          yield toItem(record, value);
          data = undefined;
        }
      } catch (cause) {
        throw signal?.aborted ? incoming.explain(cause) : incoming.toDecodeError(cause, data, "an item");
      }
    }
    if (!open.isLeft && (decoder.decode() !== "" || records.isPartial())) {
      throw incoming.explain(new TypeError("The last item is incomplete"));
    }
  } finally {
    reader.cancel().catch(ignore); // errors of the source are ignored
  }
}

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

/** Lines of JSON in a request. A list is sent as a whole. */
export const requestNdjson: RequestRepresentation<"ndjson"> = /* @__PURE__ */ Object.freeze({
  kind: "ndjson",
  contentType: "application/x-ndjson",
  describes: "item",
  needsSchema: itemSchemaNeeded,
  encode: encodeList,
  startUpload: startItems,
  isSentOnce: (items: unknown) => items !== undefined && !Array.isArray(items),
  leave: closeSource,
});

/** Encodes the items of a list. `undefined` for an upload. */
async function encodeList(items: unknown, encodeItem: EncodeItem | undefined): Promise<string | undefined> {
  if (!Array.isArray(items)) return undefined;
  let text = "";
  for (let at = 0; at < items.length; at++) text += await encodeLine(items[at], at, encodeItem);
  return text;
}

function encodeLine(item: unknown, at: number, encodeItem: EncodeItem | undefined): Awaitable<string> {
  const name = `the item ${at} of the body`;
  return whenReady(encodeItem ? encodeItem(item, name) : item, (value) => {
    try {
      return formatLine(value);
    } catch (error) {
      throw new TypeError(`${name} cannot be sent: ${(error as Error).message}`); // encodeJson() throws errors only
    }
  });
}

/** Starts the upload of items that arrive one by one. `undefined` for a list. */
function startItems(
  source: unknown,
  signal: AbortSignal | undefined,
  encodeItem: EncodeItem | undefined,
): Upload | undefined {
  if (Array.isArray(source)) return undefined;
  return uploadFrom(joinLines(openUpload(source, "an array", "items"), encodeItem), "an array", signal);
}

/** The number of microtasks after which an item counts as not ready. */
const patience = 8;

/** The length of joined lines, in characters, beyond which no more are added. */
const joinedLength = 16_384;

/**
 * Returns the items as chunks of lines. It joins those that are ready, because a chunk takes as long as 20 lines, and
 * sends a line at once if the next item is not ready.
 */
function joinLines(items: Producer, encodeItem: EncodeItem | undefined): Producer {
  const encoder = new TextEncoder();
  let upcoming: Promise<ProducerStep> | undefined; // the item that was not ready
  let count = 0;
  return {
    async next(): Promise<ProducerStep> {
      let text = "";
      do {
        const step = await (upcoming ?? items.next());
        if (step.done) break;
        try {
          text += await encodeLine(step.value, count++, encodeItem);
        } catch (error) {
          closeProducer(items, error); // a stream does not close a producer that failed
          throw error;
        }
        upcoming = Promise.resolve(items.next());
      } while (await isSettledSoon(upcoming) && text.length < joinedLength); // also of a long text, as it handles a rejection
      return text === "" ? { done: true } : { value: encoder.encode(text) };
    },
    return: (reason) => items.return?.(reason),
  };
}

/** Returns whether a promise is settled after some microtasks. */
async function isSettledSoon(pending: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  pending.then(settle, settle); // its error is thrown where it is awaited
  for (let tick = 0; tick < patience && !isSettled; tick++) await undefined;
  return isSettled;
}

/** Lines of JSON in a response. */
export const ndjson: ResponseRepresentation<"ndjson"> = /* @__PURE__ */ Object.freeze({
  kind: "ndjson",
  contentType: "application/x-ndjson",
  describes: "item",
  needsSchema: itemSchemaNeeded,
  readLater: trackResults,
  receive: (incoming: Incoming) =>
    receiveItems(incoming, { records: parseLines(incoming.call.maxRecordBytes), toItem: (_, value) => value }),
});

/** Formats an item, for a server. */
export function formatNdjsonItem(item: unknown, check: CheckItem): Awaitable<string> {
  return whenReady(check(item), formatLine);
}

/** Formats one line of NDJSON. JSON text contains no line feed. */
export function formatLine(value: unknown): string {
  return `${encodeJson(value)}\n`;
}

/**
 * Finds the lines that {@linkcode formatLine} formats. A line is complete when its line feed has arrived. Empty lines
 * are skipped.
 */
export function parseLines(maxBytes: number): RecordParser {
  const { push, isPartial } = splitLines("\n", maxBytes + 1);
  return {
    *push(text): Generator<TextRecord> {
      for (const line of push(text)) {
        const data = line.endsWith("\r") ? line.slice(0, -1) : line;
        checkBytes(data, maxBytes);
        if (data !== "") yield { data };
      }
    },
    isPartial,
  };
}
