/** Bodies that a handler reads as they arrive, in chunks or item by item: lines of JSON. */
import { ignore } from "../../awaitable.ts";
import { toRequestCheck } from "../../contract/codec.ts";
import type { CheckedItem, ReceivedItems, RequestBody } from "../../contract/request.ts";
import { isInstance } from "../../mark.ts";
import type { Check, Issue } from "../../schema.ts";
import { contentLengthOf } from "../../wire/headers.ts";
import { isDeeperThan, parseJson } from "../../wire/json.ts";
import { collectBytes } from "../../wire/read_bytes.ts";
import { Failure, labelOf, type Stop } from "../define/result.ts";
import { type Refusal, refuse, refuseIssues } from "../http/answer.ts";
import { type BodyReader, type BodyStop, Disconnect, type Exchange } from "../http/exchange.ts";
import { type Producer, type ProducerStep as Item, pullStream, takeChunk } from "../../wire/producer.ts";

/** Returns the failure for a body that other code has read, or holds, which the client cannot help. */
export function failTaken({ route }: Exchange, options?: ErrorOptions): Failure {
  const state = "other code has read it, such as middleware, a body parser, a guard or a verifier";
  const hint = "let that code read request.clone(), or call the handler before it";
  return new Failure("decode", new TypeError(`Cannot read the body of ${labelOf(route)}: ${state}; ${hint}`, options));
}

/** Returns the stop for a body that cannot be read. */
export function stopUnread(cause: unknown, exchange: Exchange): Stop {
  if (isInstance(cause, Failure)) return cause; // it was taken before its first read
  return exchange.isTakenError(cause) && !exchange.isGone
    ? failTaken(exchange, { cause })
    : stopUnreadable(cause, exchange);
}

/** Returns the stop for content that cannot be read: malformed, or cut off because the client has disconnected. */
export function stopUnreadable(error: unknown, exchange: Exchange): Stop {
  return !isInstance(error, SyntaxError) && exchange.isGone ? new Disconnect() : refuse("invalid-body");
}

/**
 * Reads the body of a request, which it opens at the first read: a handler that does not read the body leaves it to the
 * runtime.
 */
function readBodyLater(exchange: Exchange): Producer {
  let reader: BodyReader | undefined;
  const open = async (): Promise<Item> => {
    if (exchange.isBodyUsed) throw failTaken(exchange);
    reader = exchange.openBody();
    const first: Item = reader ? await reader.read() : { done: true };
    if (first.done && contentLengthOf(exchange.headers) > 0) throw failTaken(exchange);
    return first;
  };
  return {
    next: () => reader ? reader.read() : open(),
    return: (reason): unknown => reader?.cancel(reason),
  };
}

/**
 * Adds a stream of the body, or its items, up to the limit and read on demand, and a function that returns why it
 * stopped.
 */
export function addStream(exchange: Exchange, maxBytes: number, readItems: ReadItems | undefined): void {
  let left = maxBytes;
  let stopped: BodyStop | undefined;
  exchange.bodyStop = () => stopped;
  const bytes = pullStream(readBodyLater(exchange), {
    encode: (item) => {
      const bytes = takeChunk(item);
      left -= bytes.byteLength;
      if (left < 0) throw new RangeError(`The body is longer than ${maxBytes} bytes`);
      return bytes;
    },
    explain: (cause) => {
      const stop = left < 0 ? refuse("body-too-large") : stopUnread(cause, exchange);
      const failure = stop instanceof Failure ? stop : undefined;
      stopped = { stop, hasSourceFailed: left >= 0 && !failure };
      return failure ? failure.error : cause;
    },
  });
  exchange.slots.body = readItems?.(bytes, (stop) => stopped = { stop, hasSourceFailed: true }) ?? bytes;
}

/** Returns the items in a stream of bytes. `stop` receives the answer to a handler that fails because of one. */
export type ReadItems = (
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  stop: (refusal: Refusal) => void,
) => ReceivedItems<unknown>;

/** Plans how to read the items of a body. */
export function planItems({ schema, maxItemBytes }: RequestBody, maxDepth: number): ReadItems {
  const check = toRequestCheck(schema!, maxDepth); // a body of items has both
  return (bytes, stop) => {
    let isOpen = false;
    const open = <Item>(isChecked: boolean): AsyncGenerator<Item, undefined> => {
      if (isOpen) throw new TypeError("The items of a body can be read once");
      isOpen = true;
      const reading = { bytes, maxBytes: maxItemBytes!, maxDepth, check, stop, isChecked };
      return readItems(reading) as AsyncGenerator<Item, undefined>; // each of the two kinds
    };
    return {
      checked: () => open<CheckedItem<unknown>>(true),
      [Symbol.asyncIterator]: () => open<unknown>(false),
    };
  };
}

/** The reading of the items of one body. */
interface ItemReading {
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly check: Check;
  readonly stop: (refusal: Refusal) => void;
  /** Whether the invalid items are returned, too. */
  readonly isChecked: boolean;
}

/**
 * Returns the items, or each with its issues: the lines of the bytes, except empty ones. The bytes are opened by the first
 * read, and cancelled by the last.
 */
async function* readItems(reading: ItemReading): AsyncGenerator<unknown, undefined> {
  const { bytes, maxBytes, stop, isChecked } = reading;
  const reader = bytes.getReader();
  let begun = collectBytes(); // of a line that ends in another chunk
  let length = 0; // of the line
  let position = 0;
  const take = (item: CheckedItem<unknown>): unknown => {
    if (isChecked) return item;
    if (item.issues) return failItem(position, item.issues, stop);
    position++;
    return item.value;
  };
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const chunk = read.value;
      for (let from = 0; from < chunk.byteLength;) {
        const found = chunk.indexOf(lineFeed, from);
        const end = found === -1 ? chunk.byteLength : found;
        let line = chunk.subarray(from, end);
        from = end + 1;
        length += line.byteLength;
        if (length > maxBytes + 1) failTooLong(maxBytes, stop); // the last byte may be a carriage return
        if (found === -1 || length > line.byteLength) begun.add(line);
        if (found === -1) break;
        if (length > line.byteLength) {
          line = begun.join();
          begun = collectBytes();
        }
        length = 0;
        if (line.at(-1) === carriageReturn) line = line.subarray(0, -1);
        if (line.byteLength > maxBytes) failTooLong(maxBytes, stop);
        if (line.byteLength > 0) yield take(await checkLine(line, reading));
      }
    }
    if (length > 0) yield take(refuseItem("The item is incomplete: its line feed is missing"));
  } finally {
    reader.cancel().catch(ignore); // errors of the source
  }
}

const lineFeed = 10;
const carriageReturn = 13;

function failTooLong(maxBytes: number, stop: ItemReading["stop"]): never {
  const detail = `An item of the body is longer than ${maxBytes} bytes`;
  stop(refuse("body-too-large", { detail }));
  throw new RangeError(detail);
}

/** Throws the error for an invalid item. */
function failItem(position: number, issues: readonly Issue[], stop: ItemReading["stop"]): never {
  const located = Array.from(issues, ({ message, path = [] }) => ({ message, path: [position, ...path] })); // `map` of ArkType's lists creates another such list
  stop(refuseIssues({ body: located }));
  throw new TypeError(`The item ${position} of the body is invalid: ${issues[0]?.message}`);
}

function refuseItem(message: string): CheckedItem<unknown> {
  return { issues: [{ message }] };
}

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes and validates one item. */
async function checkLine(
  line: Uint8Array<ArrayBuffer>,
  { maxDepth, check }: ItemReading,
): Promise<CheckedItem<unknown>> {
  let value: unknown;
  try {
    value = parseJson(utf8.decode(line));
  } catch {
    return refuseItem("The item is not JSON in UTF-8");
  }
  if (isDeeperThan(maxDepth, value)) return refuseItem(`The item has more than ${maxDepth} levels of nesting`);
  const checked = await check(value);
  return checked.issues ? { issues: checked.issues } : { value: checked.value };
}
