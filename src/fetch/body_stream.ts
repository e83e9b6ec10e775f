import { openStream } from "../producer.ts";
import { type Accepted } from "../schema.ts";
import { type Failure, type Stop } from "../server/result.ts";
import { pullStream, takeChunk } from "../wire/pull_stream.ts";
import { type BodyStop, type Exchange } from "./exchange.ts";
import { refuse, stopUnreadable } from "./refusal.ts";

/** The stream that a handler receives. */
type BodyStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** A body as a stream that has not been read. */
export interface StreamedBody extends Accepted<BodyStream> {
  /** The reason why the stream has stopped. The handler may recover from its error. */
  readonly bodyStop?: () => BodyStop | undefined;
}

/**
 * Opens the body of a message as a stream, or returns why it cannot be opened. The message is the request, or a copy of
 * it.
 */
export function openBody(message: Request, request: Request, maxBytes: number): StreamedBody | Stop {
  const { body, bodyUsed } = message;
  if (bodyUsed || body?.locked) return refuse("invalid-body");
  return body === null ? { value: emptyStream() } : watchStream(request, body, maxBytes);
}

/**
 * Whether the body's source failed while the handler read it as a stream: the client has disconnected, or the content
 * is malformed. On Deno this happens before the request's signal aborts.
 */
export function hasBodyFailed({ bodyStop }: Exchange): boolean {
  return bodyStop?.()?.isTooLong === false;
}

/** The end of a request whose handler has failed. If the body's stream had stopped, that was the cause. */
export function preferBodyStop(end: Failure, { bodyStop }: Exchange): Stop {
  return end.phase === "handler" ? bodyStop?.()?.stop ?? end : end;
}

function emptyStream(): BodyStream {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/** Returns a stream of the same bytes, up to the limit, read on demand, and a function that returns why it stopped. */
function watchStream(request: Request, body: BodyStream, maxBytes: number): StreamedBody {
  let left = maxBytes;
  let stopped: BodyStop | undefined;
  const value = pullStream(openStream(body), {
    encode: (item) => {
      const bytes = takeChunk(item);
      left -= bytes.byteLength;
      if (left < 0) throw new RangeError(`The body is longer than ${maxBytes} bytes`);
      return bytes;
    },
    signal: undefined,
    explain: (cause) => {
      const isTooLong = left < 0;
      stopped = { stop: isTooLong ? refuse("body-too-large") : stopUnreadable(cause, request), isTooLong };
      return cause;
    },
  });
  return { value, bodyStop: () => stopped };
}
