import { openStream } from "../producer.ts";
import { type Accepted } from "../schema.ts";
import { type AnswerCall } from "../server/middleware.ts";
import { Failure, type Stop } from "../server/stop.ts";
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

/** What stopped the body of a request. A handler may recover from it, so it is kept until the handler or its stream has failed. */
const stops = new WeakMap<object, BodyStop>();

/** The body of a message as a stream that nobody has read from, or why there is none. The message is the request, or a copy of it. */
export function openBody(message: Request, request: Request, maxBytes: number): Accepted<BodyStream> | Stop {
  const { body, bodyUsed } = message;
  if (bodyUsed || body?.locked) return refuse("invalid-body");
  return { value: body === null ? emptyStream() : watchStream(request, body, maxBytes) };
}

/**
 * Whether the body's source failed while the handler read it as a stream: the client has gone, or its content is malformed. On Deno
 * this happens before the request's signal aborts.
 */
export function hasBrokenOff(request: Request): boolean {
  return stops.get(request)?.isTooLong === false;
}

/** Answers a handler that failed after its body's stream had stopped with what stopped that. */
export function endWithBody(run: AnswerCall): AnswerCall {
  return (slots, context, source) => {
    const end = run(slots, context, source);
    const settle = (end: unknown): unknown =>
      end instanceof Failure && end.phase === "handler" ? stops.get(source)?.stop ?? end : end;
    return end instanceof Promise ? end.then(settle) : settle(end);
  };
}

function emptyStream(): BodyStream {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/** A stream of the same bytes, up to the limit, read when they are asked for; and what stops it is kept in mind. */
function watchStream(request: Request, body: BodyStream, maxBytes: number): BodyStream {
  let left = maxBytes;
  return pullStream(openStream(body), {
    encode: (item) => {
      const bytes = takeChunk(item);
      left -= bytes.byteLength;
      if (left < 0) throw new RangeError(`The body is longer than maxBodyBytes (${maxBytes})`);
      return bytes;
    },
    signal: undefined,
    explain: (cause) => {
      const isTooLong = left < 0;
      stops.set(request, { stop: isTooLong ? refuse("body-too-large") : stopUnread(request, cause), isTooLong });
      return cause;
    },
  });
}
