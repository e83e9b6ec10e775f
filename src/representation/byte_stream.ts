/** Bodies that are sent and received as streams of bytes. */
import {
  type Awaitable,
  closeProducer,
  closeSource,
  openProducer,
  openStream,
  type Producer,
  type Step,
  whenReady,
} from "../awaitable.ts";
import { isInstance, isObject } from "../mark.ts";
import { discardBody } from "../wire/read_bytes.ts";
import { checkChunk, pullStream, takeChunk } from "../wire/pull_stream.ts";
import {
  type Incoming,
  mediaRanges,
  type RequestRepresentation,
  type ResponseRepresentation,
  trackResults,
  type Upload,
} from "./representation.ts";

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
  const { response: { body }, call: { signal }, release } = incoming;
  if (body === undefined) {
    throw incoming.toDecodeError(new TypeError("this fetch does not support streams"), undefined, "its body");
  }
  const producer = limitSilence(openStream(body ?? new Blob().stream()), incoming);
  return pullStream(producer, {
    encode: takeChunk,
    signal,
    explain: (cause) => incoming.explain(cause),
    onEnd: release,
  });
}

/** Returns the bytes of a response. They fail if none arrive for longer than the call allows. */
function limitSilence(bytes: Producer, { call: { silence }, plan: { fail }, response }: Incoming): Producer {
  if (silence === Infinity) return bytes;
  const toError = (): Error => fail("timeout", `no data arrived for ${silence} ms`, { response });
  return { next: () => nextInTime(bytes, silence, toError), return: (reason) => bytes.return?.(reason) };
}

/** Returns the next bytes. Only the time of a pending read counts, so a slow reader does not cause a timeout. */
async function nextInTime(bytes: Producer, milliseconds: number, toError: () => Error): Promise<Step> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = toError();
      reject(error);
      closeProducer(bytes, error); // a stream does not close a producer that failed
    }, milliseconds);
  });
  try {
    return await Promise.race([bytes.next(), silence]);
  } finally {
    clearTimeout(timer);
  }
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
  const take = (step: Step): Awaitable<Step> =>
    !step.done && step.value instanceof Uint8Array && step.value.byteLength === 0 ? next() : step;
  const next = (): Awaitable<Step> => whenReady(producer.next(), take);
  return { next, return: (reason) => producer.return?.(reason) };
}
