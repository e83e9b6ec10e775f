/** The requests whose body is sent as it comes. */
import { type Awaitable, whenReady } from "../awaitable.ts";
import { closeSource, openProducer, type Producer, type Step } from "../producer.ts";
import { checkChunk, pullStream } from "../wire/pull_stream.ts";
import { discard } from "./read_whole.ts";
import { joinSignals } from "./signals.ts";

/** What a caller gives for a stream. */
export type Source = ReadableStream<unknown> | AsyncIterable<unknown>;

/** What a caller gave, or a `TypeError` where it is no stream. */
export function checkSource(source: unknown): Source {
  const isStream = source instanceof ReadableStream ||
    (typeof source === "object" && source !== null && Symbol.asyncIterator in source);
  if (isStream) return source as Source;
  throw new TypeError("the body is no ReadableStream and no AsyncIterable of bytes");
}

/** What an upload's request is built with. */
export interface UploadInit {
  readonly body: Source;
  readonly signal: AbortSignal | undefined;
}

/** An upload under way. */
interface Upload {
  /** Ends it, where it has not ended. */
  readonly end: (reason: unknown) => void;
  /** What it broke off with by itself. */
  failure: { readonly cause: unknown } | undefined;
}

/** The uploads under way, by their calls, their requests and the responses to them. */
const uploads = new WeakMap<object, Upload>();

/** The request of a call with an upload; `duplex` says that it is sent as it comes, and has no other value. */
export function createUpload(url: string, init: UploadInit, call: object): Request {
  if (uploads.has(call)) throw toOver();
  const own = new AbortController();
  const signal = joinSignals(init.signal, own.signal)!; // two of two
  const upload: Upload = { end: (reason) => own.abort(reason), failure: undefined };
  uploads.set(call, upload);
  const body = pullStream(withoutEmpty(openProducer(init.body)!), { // a source is one
    encode: checkChunk,
    signal,
    explain: (cause) => {
      if (!signal.aborted) upload.failure = { cause };
      return cause;
    },
  });
  const request = new Request(url, { ...init, body, duplex: "half" } as RequestInit);
  uploads.set(request, upload);
  return request;
}

/** The same without its empty chunks: in some encodings one would end the body. */
function withoutEmpty(producer: Producer): Producer {
  const take = (step: Step): Awaitable<Step> =>
    !step.done && step.value instanceof Uint8Array && step.value.byteLength === 0 ? next() : step;
  const next = (): Awaitable<Step> => {
    const step = producer.next();
    return whenReady(step, take);
  };
  return { next, return: (reason) => producer.return?.(reason) };
}

/** The response to a request; rejects where its upload broke off, for what is answered to a part is no answer to the whole. */
export function unlessBroken(request: Request, sent: Awaitable<Response>): Awaitable<Response> {
  const upload = uploads.get(request);
  if (!upload) return sent;
  return Promise.resolve(sent).then((response) => {
    uploads.set(response, upload);
    if (!upload.failure) return response;
    discard(response);
    throw upload.failure.cause;
  }, (error) => {
    upload.end(error);
    throw upload.failure ? upload.failure.cause : error;
  });
}

/**
 * Ends the upload that was answered by a response which has been read to its end, or is of no use: a server that answers early, with
 * 413 perhaps, wants no more. Not for a body that is still being read, which may be made of the upload, as an echo is.
 */
export function endUpload(response: Response): void {
  uploads.get(response)?.end(toOver());
}

function toOver(): DOMException {
  return new DOMException("The call is over", "AbortError");
}

/** Ends the upload of a call that failed, or closes its source if the call failed before its request was created. */
export function failUpload(call: { readonly input: { readonly body?: unknown } }, cause: unknown): void {
  const upload = uploads.get(call);
  if (upload) return upload.end(cause);
  uploads.set(call, { end: () => {}, failure: { cause } }); // headers that are still waited for create no request
  closeSource(call.input.body);
}
