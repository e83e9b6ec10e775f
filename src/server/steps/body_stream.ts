/** Bodies that are not read to be decoded at once: for the verifier of a signature, or by a handler as they arrive. */
import { attempt } from "../../awaitable.ts";
import { isInstance } from "../../mark.ts";
import type { Producer, Step } from "../../producer.ts";
import { contentLengthOf } from "../../wire/headers.ts";
import { pullStream, takeChunk } from "../../wire/pull_stream.ts";
import type { Endpoint } from "../define/implementation.ts";
import { Failure, labelOf, type Outcome, type Stop } from "../define/result.ts";
import { refuse } from "../http/answer.ts";
import {
  type BodyReader,
  type BodyStop,
  type Content,
  Disconnect,
  type Exchange,
  type ParsedBody,
} from "../http/exchange.ts";
import type { ReadItems } from "./read_items.ts";

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
 * Reads the content of a body, and adds it to the exchange, from which it is decoded later. What a parser has made of a
 * body is not what the caller has signed, so it is not taken over.
 */
export function readContent({ node, route }: Endpoint, maxBytes: number, exchange: Exchange): Outcome<void> {
  const { content, headers } = exchange;
  const label = labelOf(route);
  if ((content?.byteLength ?? contentLengthOf(headers)) > maxBytes) return refuse("body-too-large");
  if (content) return;
  if (exchange.isBodyUsed || !exchange.takeBody(node.body!)) return failTaken(label); // a route with a signature has a body
  const add = (read: Content | ParsedBody | undefined): Stop | void => {
    if (read === undefined) return refuse("body-too-large");
    const bytes = read as Uint8Array<ArrayBuffer>; // it was not read as text, and not taken over
    if (bytes.byteLength === 0 && contentLengthOf(headers) > 0) return failTaken(label); // no connection delivers less
    exchange.content = bytes;
  };
  return attempt(() => exchange.readBody(maxBytes, false), (error) => stopUnread(error, exchange, label), add);
}

/**
 * Reads the body of a request, which it opens at the first read: a handler that does not read the body leaves it to the
 * runtime.
 */
function readBodyLater(exchange: Exchange, label: string): Producer {
  let reader: BodyReader | undefined;
  const open = async (): Promise<Step> => {
    if (exchange.isBodyUsed) throw new TakenBodyError(label);
    reader = exchange.openBody();
    const first: Step = reader ? await reader.read() : { done: true };
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
