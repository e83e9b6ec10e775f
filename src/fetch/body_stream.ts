import { openStream } from "../producer.ts";
import { type Accepted } from "../schema.ts";
import { type AnswerCall } from "../server/middleware.ts";
import { Failure, type Stop } from "../server/stop.ts";
import { checkChunk, pullStream } from "../wire/pull_stream.ts";
import { refuse, stopUnread } from "./refusal.ts";

/** The stream that a handler is given. */
type BodyStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * What stopped a body's stream before its end: the limit, or its source. A handler may make something else of it, so it is kept
 * until the handler has failed.
 */
const stops = new WeakMap<object, Stop>();

/** The body of a request as a stream that no one has read of, or why there is none. */
export function openBody(request: Request, maxBytes: number): Accepted<BodyStream> | Stop {
  const { body, bodyUsed } = request;
  if (bodyUsed || body?.locked) return refuse("invalid-body");
  return { value: body === null ? emptyStream() : watchStream(request, body, maxBytes) };
}

/** Answers a handler that failed after its body's stream had stopped with what stopped that. */
export function endWithBody(run: AnswerCall): AnswerCall {
  return (slots, context, source) => {
    const end = run(slots, context, source);
    const settle = (end: unknown): unknown =>
      end instanceof Failure && end.phase === "handler" ? stops.get(slots.body as object) ?? end : end;
    return end instanceof Promise ? end.then(settle) : settle(end);
  };
}

function emptyStream(): BodyStream {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/** A stream of the same bytes, up to the limit, read when they are asked for; and what stops it is kept in mind. */
function watchStream(request: Request, body: BodyStream, maxBytes: number): BodyStream {
  let left = maxBytes;
  const stream = pullStream(openStream(body), {
    encode: (item) => {
      const bytes = checkChunk(item);
      left -= bytes.byteLength;
      if (left < 0) throw new RangeError(`The body is longer than maxBodyBytes (${maxBytes})`);
      return bytes;
    },
    signal: undefined,
    explain: (cause) => {
      stops.set(stream, left < 0 ? refuse("body-too-large") : stopUnread(request, cause));
      return cause;
    },
  });
  return stream;
}
