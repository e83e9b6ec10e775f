import { openStream } from "../producer.ts";
import { type Accepted } from "../schema.ts";
import { type Slots } from "../server/call.ts";
import { type Failure, type Stop } from "../server/stop.ts";
import { pullStream, takeChunk } from "../wire/pull_stream.ts";
import { refuse, stopUnread } from "./refusal.ts";

/** The stream that a handler is given. */
type BodyStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** What stopped a body's stream before its end. */
interface BodyStop {
  /** The answer to a handler that fails because of it. */
  readonly stop: Stop;
  /** Whether the body exceeds the limit; if not, its source failed. */
  readonly isTooLong: boolean;
}

/** What was read of a body by a handler, which may recover from what stopped it. */
export interface BodyReading {
  /** What stopped the body's stream so far; absent for a body that no handler reads as a stream. */
  readonly bodyStop?: (() => BodyStop | undefined) | undefined;
}

/** A body as a stream that nobody has read from. */
export interface StreamedBody extends Accepted<BodyStream>, BodyReading {}

/** The slots of a request. */
export interface DecodedRequest extends Slots, BodyReading {}

/** The body of a message as a stream, or why there is none. The message is the request, or a copy of it. */
export function openBody(message: Request, request: Request, maxBytes: number): StreamedBody | Stop {
  const { body, bodyUsed } = message;
  if (bodyUsed || body?.locked) return refuse("invalid-body");
  return body === null ? { value: emptyStream() } : watchStream(request, body, maxBytes);
}

/**
 * Whether the body's source failed while the handler read it as a stream: the client has gone, or its content is malformed. On Deno
 * this happens before the request's signal aborts.
 */
export function hasBrokenOff({ bodyStop }: BodyReading): boolean {
  return bodyStop?.()?.isTooLong === false;
}

/** What ends a request whose handler has failed: what stopped its body's stream, if that was why. */
export function blameBody(end: Failure, { bodyStop }: BodyReading): Stop {
  return end.phase === "handler" ? bodyStop?.()?.stop ?? end : end;
}

function emptyStream(): BodyStream {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/** A stream of the same bytes, up to the limit, read when they are asked for; and what stopped it. */
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
      stopped = { stop: isTooLong ? refuse("body-too-large") : stopUnread(cause, request), isTooLong };
      return cause;
    },
  });
  return { value, bodyStop: () => stopped };
}
