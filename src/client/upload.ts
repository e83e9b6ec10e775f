import { type Awaitable } from "../awaitable.ts";
import { discard } from "./decode_response.ts";

/** The bytes of a request body that is sent as they come. */

/** What a caller gives for a stream. */
export type Source = ReadableStream<unknown> | AsyncIterable<unknown>;

/** What a caller gave, or a `TypeError` where it is no stream. */
export function checkSource(source: unknown): Source {
  const isStream = source instanceof ReadableStream ||
    (typeof source === "object" && source !== null && Symbol.asyncIterator in source);
  if (isStream) return source as Source;
  throw new TypeError("the body is no ReadableStream and no AsyncIterable of bytes");
}

/** A source that is asked for one item at a time. */
interface Producer {
  /** Gives the next item. */
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Ends it early. */
  stop(reason: unknown): unknown;
}

/** What came of an upload. */
interface Outcome {
  /** What it broke off with. */
  failure?: { readonly cause: unknown };
  /** Ends it, where it has not ended. */
  end?: (reason: unknown) => void;
}

/** What came of uploads, by their requests and by the responses to them. */
const outcomes = new WeakMap<Request | Response, Outcome>();

/** What an upload's request is built with. */
export interface UploadInit {
  readonly body: Source;
  readonly signal: AbortSignal | undefined;
}

/** The request of an upload; `duplex` says that it is sent as it comes, and has no other value. */
export function createUpload(url: string, init: UploadInit): Request {
  const outcome: Outcome = {};
  const body = toUpload(toProducer(init.body), init.signal, outcome);
  const request = new Request(url, { ...init, body, duplex: "half" } as RequestInit);
  outcomes.set(request, outcome);
  return request;
}

/** The response to a request; rejects where its upload broke off, for what is answered to a part is no answer to the whole. */
export function unlessBroken(request: Request, sent: Awaitable<Response>): Awaitable<Response> {
  const outcome = outcomes.get(request);
  if (!outcome) return sent;
  return Promise.resolve(sent).then((response) => {
    if (!outcome.failure) {
      outcomes.set(response, outcome);
      return response;
    }
    discard(response);
    throw outcome.failure.cause;
  }, (error) => {
    const cause = outcome.failure ? outcome.failure.cause : error;
    outcome.end?.(cause);
    throw cause;
  });
}

/**
 * Ends the upload that was answered by a response, where that has been read to its end or is of no use: a server that answers
 * early, with 413 perhaps, wants no more. A body that is still being read may be made of the upload, as an echo is.
 */
export function endUpload(response: Response | undefined, body?: unknown): void {
  const isOpen = typeof body === "object" && body !== null &&
    (body instanceof Response || body instanceof ReadableStream || Symbol.asyncIterator in body);
  if (response && !isOpen) outcomes.get(response)?.end?.(new DOMException("The call is over", "AbortError"));
}

/**
 * The stream that is sent. It asks for the next bytes when they are wanted, and not before; its producer is stopped once where it
 * is cancelled or the signal aborts, and where it gives anything but bytes.
 */
function toUpload(
  producer: Producer,
  signal: AbortSignal | undefined,
  outcome: Outcome,
): ReadableStream<Uint8Array> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
    signal?.removeEventListener("abort", abort);
  };
  const stop = (reason: unknown): void => {
    if (isOver) return;
    end();
    stopProducer(producer, reason);
  };
  let controller: ReadableStreamDefaultController<Uint8Array>;
  outcome.end = (reason) => {
    if (isOver) return;
    stop(reason);
    controller.error(reason);
  };
  const abort = (): void => outcome.end!(signal!.reason);
  const pull = async (): Promise<void> => {
    try {
      const bytes = await nextBytes(producer);
      if (isOver) return;
      if (bytes) return controller.enqueue(bytes);
      end();
      controller.close();
    } catch (cause) {
      if (isOver) return;
      outcome.failure = { cause };
      if (cause instanceof NoBytesError) stop(cause);
      else end();
      throw cause;
    }
  };
  const start = (own: ReadableStreamDefaultController<Uint8Array>): void => void (controller = own);
  const upload = new ReadableStream<Uint8Array>({ start, pull, cancel: stop }, { highWaterMark: 0 });
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  return upload;
}

function toProducer(source: Source): Producer {
  if (source instanceof ReadableStream) {
    const reader = source.getReader();
    return { next: () => reader.read(), stop: (reason) => reader.cancel(reason) };
  }
  const iterator = source[Symbol.asyncIterator]();
  return { next: () => iterator.next(), stop: () => iterator.return?.() };
}

/** How a producer takes its end is its own affair. */
async function stopProducer(producer: Producer, reason: unknown): Promise<void> {
  try {
    await producer.stop(reason);
  } catch {
    // nobody is left to be told
  }
}

class NoBytesError extends TypeError {}

/** The next bytes, `undefined` at the end. An empty chunk is passed over: in some encodings it would end the body. */
async function nextBytes(producer: Producer): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await producer.next();
    if (done) return undefined;
    if (!(value instanceof Uint8Array)) throw new NoBytesError("the body's stream gave an item that is no Uint8Array");
    if (value.byteLength > 0) return value;
  }
}
