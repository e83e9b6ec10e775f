/**
 * Bodies that are not read to be decoded at once: for the verifier of a signature, or by a handler as they arrive, in
 * chunks or item by item: lines of JSON.
 */
import { toRequestCheck } from "../../contract/codec.ts";
import type { CheckedItem, ReceivedItems, RequestBody } from "../../contract/request.ts";
import { isInstance } from "../../mark.ts";
import type { Check, Issue } from "../../schema.ts";
import { contentLengthOf } from "../../wire/headers.ts";
import { isDeeperThan, parseJson } from "../../wire/json.ts";
import { reportIssues } from "../../wire/problem.ts";
import { collectBytes } from "../../wire/read_bytes.ts";
import type { Endpoint } from "../define/implementation.ts";
import { Failure, labelOf, type Stop } from "../define/result.ts";
import { type Refusal, refuse } from "../http/answer.ts";
import { type BodyReader, type BodyStop, Disconnect, type Exchange, type Step } from "../http/exchange.ts";
import { type Producer, type ProducerStep as Item, pullStream, takeChunk } from "../../wire/producer.ts";

/** Other code has read a body, or holds it. */
class TakenBodyError extends TypeError {
  constructor(label: string, cause?: unknown) {
    super(
      `Cannot read the body of ${label}: other code has read it, such as middleware, a body parser, a guard or a ` +
        "verifier; let that code read request.clone(), or call the handler before it",
      cause === undefined ? undefined : { cause },
    );
  }
}

/** Returns the failure for a body that other code has read, which the client cannot help. */
export function failTaken(label: string, cause?: unknown): Failure {
  return new Failure("decode", new TakenBodyError(label, cause));
}

/** Returns the stop for a body that cannot be read. */
export function stopUnread(error: unknown, exchange: Exchange, label: string): Stop {
  if (isInstance(error, TakenBodyError)) return new Failure("decode", error);
  return exchange.isTakenError(error) && !exchange.isGone ? failTaken(label, error) : stopUnreadable(error, exchange);
}

/** Returns the stop for content that cannot be read: malformed, or cut off because the client has disconnected. */
export function stopUnreadable(error: unknown, exchange: Exchange): Stop {
  return !isInstance(error, SyntaxError) && exchange.isGone ? new Disconnect() : refuse("invalid-body");
}

/**
 * Plans the step that reads the content of a body, and adds it to the exchange, from which it is decoded later. What a
 * parser has made of a body is not what the caller has signed, so it is not taken over.
 */
export function planContent({ node, route }: Endpoint, maxBytes: number): Step {
  const label = labelOf(route);
  const accept = (read: unknown, exchange: Exchange): Stop | void => {
    if (read === undefined) return refuse("body-too-large");
    const content = read as Uint8Array<ArrayBuffer>; // it was not read as text, and not taken over
    if (content.byteLength === 0 && contentLengthOf(exchange.headers) > 0) throw new TakenBodyError(label); // no connection delivers less
    exchange.content = content;
  };
  return {
    phase: "security",
    take(exchange): unknown {
      const { content, headers } = exchange;
      if ((content?.byteLength ?? contentLengthOf(headers)) > maxBytes) return undefined;
      if (content) return content;
      if (exchange.isBodyUsed || !exchange.takeBody(node.body!)) throw new TakenBodyError(label); // a route with a signature has a body
      return exchange.readBody(maxBytes, false);
    },
    accept,
    recover: (error, exchange) => stopUnread(error, exchange, label),
  };
}

/**
 * Reads the body of a request, which it opens at the first read: a handler that does not read the body leaves it to the
 * runtime.
 */
function readBodyLater(exchange: Exchange, label: string): Producer {
  let reader: BodyReader | undefined;
  const open = async (): Promise<Item> => {
    if (exchange.isBodyUsed) throw new TakenBodyError(label);
    reader = exchange.openBody();
    const first: Item = reader ? await reader.read() : { done: true };
    if (first.done && contentLengthOf(exchange.headers) > 0) throw new TakenBodyError(label);
    return first;
  };
  return {
    next: () => reader ? reader.read() : open(),
    return: (reason): unknown => reader?.cancel(reason),
  };
}

/** What is known about a body that is read as it arrives. */
interface StreamPlan {
  /** The name of the route in messages. */
  readonly label: string;
  readonly maxBytes: number;
  /** Reads its items. `undefined` for a stream of bytes. */
  readonly readItems: ReadItems | undefined;
}

/**
 * Adds a stream of the body, or its items, up to the limit and read on demand, and a function that returns why it
 * stopped.
 */
export function addStream(exchange: Exchange, { label, maxBytes, readItems }: StreamPlan): void {
  let left = maxBytes;
  let stopped: BodyStop | undefined;
  exchange.bodyStop = () => stopped;
  const bytes = pullStream(readBodyLater(exchange, label), {
    encode: (item) => {
      const bytes = takeChunk(item);
      left -= bytes.byteLength;
      if (left < 0) throw new RangeError(`The body is longer than ${maxBytes} bytes`);
      return bytes;
    },
    signal: undefined,
    explain: (cause) => {
      const stop = left < 0 ? refuse("body-too-large") : stopUnread(cause, exchange, label);
      stopped = { stop, hasSourceFailed: left >= 0 && !(stop instanceof Failure) };
      return stop instanceof Failure ? stop.error : cause;
    },
  });
  exchange.slots.body = readItems?.(bytes, (stop) => stopped = { stop, hasSourceFailed: true }) ?? bytes;
}

/** Returns the items in a stream of bytes. `stop` receives the answer to a handler that fails because of one. */
export type ReadItems = (
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  stop: (refusal: Refusal) => void,
) => ReceivedItems<unknown>;

/** What is known about the items of a body. */
interface ItemPlan {
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly check: Check;
}

/** Plans how to read the items of a body. */
export function planItems({ schema, maxItemBytes }: RequestBody, maxDepth: number): ReadItems {
  const check = toRequestCheck(schema!, maxDepth); // a body of items has both
  const plan: ItemPlan = { maxBytes: maxItemBytes!, maxDepth, check };
  return (bytes, stop) => {
    let isOpen = false;
    const open = <Item>(refuseItem: RefuseItem | undefined): AsyncGenerator<Item, undefined> => {
      if (isOpen) throw new TypeError("The items of a body can be read once");
      isOpen = true;
      return readItems({ bytes, plan, stop, refuseItem }) as AsyncGenerator<Item, undefined>; // each of the two kinds
    };
    const refuseItem: RefuseItem = (position, issues) => {
      const located = Array.from(issues, ({ message, path = [] }) => ({ message, path: [position, ...path] })); // `map` of ArkType's lists creates another such list
      stop(refuse("invalid-request", reportIssues([["body", located]])));
      throw new TypeError(`The item ${position} of the body is invalid: ${issues[0]?.message}`);
    };
    return {
      checked: () => open<CheckedItem<unknown>>(undefined),
      [Symbol.asyncIterator]: () => open<unknown>(refuseItem),
    };
  };
}

/** Throws the error for an invalid item. */
type RefuseItem = (position: number, issues: readonly Issue[]) => never;

/** The reading of one body. */
interface Reading {
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly plan: ItemPlan;
  readonly stop: (refusal: Refusal) => void;
  /** `undefined` if the invalid items are returned, too. */
  readonly refuseItem: RefuseItem | undefined;
}

/** Returns the items, or each with its issues. The bytes are opened by the first read, and cancelled by the last. */
async function* readItems({ bytes, plan, stop, refuseItem }: Reading): AsyncGenerator<unknown, undefined> {
  const reader = bytes.getReader();
  const lines = splitLines(plan.maxBytes, () => {
    const detail = `An item of the body is longer than ${plan.maxBytes} bytes`;
    stop(refuse("body-too-large", { detail }));
    throw new RangeError(detail);
  });
  let position = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const line of lines.push(read.value)) {
        const item = await checkLine(line, plan);
        if (!refuseItem) yield item;
        else if (item.issues) refuseItem(position, item.issues);
        else yield item.value;
        position++;
      }
    }
    if (!lines.isPartial()) return;
    if (refuseItem) refuseItem(position, cutOff);
    yield { issues: cutOff };
  } finally {
    reader.cancel().catch(() => {}); // errors of the source are ignored
  }
}

const cutOff: readonly Issue[] = [{ message: "The item is incomplete: its line feed is missing" }];

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes and validates one item. */
async function checkLine(line: Uint8Array<ArrayBuffer>, { maxDepth, check }: ItemPlan): Promise<CheckedItem<unknown>> {
  let value: unknown;
  try {
    value = parseJson(utf8.decode(line));
  } catch {
    return { issues: [{ message: "The item is not JSON in UTF-8" }] };
  }
  if (isDeeperThan(maxDepth, value)) {
    return { issues: [{ message: `The item has more than ${maxDepth} levels of nesting` }] };
  }
  const checked = await check(value);
  return checked.issues ? { issues: checked.issues } : { value: checked.value };
}

/** The lines of bytes that arrive in pieces. */
interface Lines {
  /** Adds a piece, and returns the lines that it completes, without empty ones. */
  readonly push: (piece: Uint8Array<ArrayBuffer>) => Iterable<Uint8Array<ArrayBuffer>>;
  /** Whether a line is incomplete. */
  readonly isPartial: () => boolean;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Finds lines in bytes. Calls `failTooLong` as soon as one is longer than the maximum. */
function splitLines(maxBytes: number, failTooLong: () => never): Lines {
  let rest = collectBytes();
  let length = 0; // of the rest
  const add = (piece: Uint8Array<ArrayBuffer>): void => {
    length += piece.byteLength;
    if (length > maxBytes) failTooLong();
    if (piece.byteLength > 0) rest.add(piece);
  };
  return {
    *push(piece): Generator<Uint8Array<ArrayBuffer>> {
      let from = 0;
      for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, from)) {
        let line = piece.subarray(from, end);
        from = end + 1;
        if (length > 0 || line.byteLength > maxBytes) {
          add(line);
          line = rest.join();
          rest = collectBytes();
          length = 0;
        }
        if (line.at(-1) === carriageReturn) line = line.subarray(0, -1);
        if (line.byteLength > 0) yield line;
      }
      add(piece.subarray(from));
    },
    isPartial: () => length > 0,
  };
}
