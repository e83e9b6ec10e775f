/** Request bodies that are sent as streams. */
import { type Awaitable, whenReady } from "../awaitable.ts";
import { isInstance } from "../is_instance.ts";
import { openProducer, type Producer, type Step } from "../producer.ts";
import { discardBody } from "../wire/discard_body.ts";
import { checkChunk, pullStream } from "../wire/pull_stream.ts";
import { type Upload } from "./representation.ts";

/** Whether a body is a stream, which can be sent only once. A `Blob` can be sent again. */
export function isSentOnce(source: unknown): boolean {
  return source !== undefined && !isInstance(source, Blob);
}

/**
 * Starts the upload of a stream or an asynchronous iterable of bytes. `undefined` if there is nothing to upload. Throws
 * a `TypeError` for any other value.
 */
export function startUpload(
  source: unknown,
  callSignal: AbortSignal | undefined,
  optional: boolean,
): Upload | undefined {
  if (!isSentOnce(source) && (optional || source !== undefined)) return undefined;
  checkSource(source);
  const own = new AbortController();
  const signal = callSignal ? AbortSignal.any([callSignal, own.signal]) : own.signal;
  let failure: { readonly cause: unknown } | undefined; // the upload's own failure
  const body = pullStream(withoutEmpty(openProducer(source)!), { // every source has one
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
      if (!request.body) throw new TypeError("this runtime cannot send a stream; pass a Blob"); // the runtime would send the text of the object
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

function checkSource(source: unknown): void {
  if (source instanceof ReadableStream) return;
  if (typeof source === "object" && source !== null && Symbol.asyncIterator in source) return;
  throw new TypeError("the body must be a Blob, a ReadableStream or an AsyncIterable of bytes");
}

/** The same producer without empty chunks, one of which would end the body in some encodings. */
function withoutEmpty(producer: Producer): Producer {
  const take = (step: Step): Awaitable<Step> =>
    !step.done && step.value instanceof Uint8Array && step.value.byteLength === 0 ? next() : step;
  const next = (): Awaitable<Step> => whenReady(producer.next(), take);
  return { next, return: (reason) => producer.return?.(reason) };
}
