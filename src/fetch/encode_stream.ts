import { type Awaitable, whenReady } from "../awaitable.ts";
import { type ResponseDeclaration, type StreamKind } from "../contract/response.ts";
import { type SentComment, type SentEvent } from "../contract/stream.ts";
import { openProducer, type Producer } from "../producer.ts";
import { type Check, type Checked, type Schema } from "../schema.ts";
import { describe, type ResponseHeaders } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { encodeJson } from "../wire/encode_json.ts";
import { formatLine } from "../wire/ndjson.ts";
import { checkChunk, pullStream } from "../wire/pull_stream.ts";
import { formatComment, formatEvent } from "../wire/sse.ts";
import { appendHeaders } from "./append_headers.ts";
import { outputOf, toSendingCheck } from "./check_result.ts";
import { type Respond } from "./respond.ts";

/** Tells of a stream that failed after its response had begun. */
export type TellOfStream = (error: unknown, request: Request, response: Response) => void;

const encoder = /* @__PURE__ */ new TextEncoder();

/** Encodes one item. */
type EncodeItem = (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>>;

/** What sends what a producer gives, item by item. Its head is settled before the producer is touched. */
export function planStream(
  status: number,
  kind: StreamKind,
  { contentType, schema }: ResponseDeclaration,
  what: string,
  tell: TellOfStream,
): (body: unknown, headers: ResponseHeaders | undefined, respond: Respond, request: Request) => Response {
  const encode = planItem(kind, schema, `an item of ${what}`);
  const init = { status, headers: { "content-type": contentType! } }; // every stream has one
  return (body, headers, respond, request) => {
    const fields = headers === undefined ? init.headers : new Headers(init.headers);
    if (headers !== undefined) appendHeaders(fields as Headers, headers, true);
    const { signal } = request;
    signal.throwIfAborted();
    const explain = (cause: unknown): unknown => {
      if (!signal.aborted) tell(cause, request, response); // a client that has gone is no error
      return cause;
    };
    const stream = pullStream(open(body, what), { encode, signal, explain });
    const response = respond(stream, headers === undefined ? init : { status, headers: fields });
    return response;
  };
}

function open(body: unknown, what: string): Producer {
  const producer = ArrayBuffer.isView(body) ? undefined : openProducer(body);
  if (producer) return producer;
  throw new ResultError(`Cannot send ${what}: it is ${describe(body)}; give an iterable or a ReadableStream`);
}

function planItem(kind: StreamKind, schema: Schema | undefined, what: string): EncodeItem {
  if (!schema) return checkChunk; // bytes alone have none
  const check = toSendingCheck(schema);
  return kind === "sse" ? planEvent(check, what) : planLine(check, what);
}

function planLine(check: Check, what: string): EncodeItem {
  const encode = (checked: Checked): Uint8Array<ArrayBuffer> => encoder.encode(formatLine(outputOf(checked, what)));
  return (item) => whenReady(check(item), encode);
}

function planEvent(check: Check, what: string): EncodeItem {
  const encode = (event: SentEvent, checked: Checked): Uint8Array<ArrayBuffer> =>
    encoder.encode(formatEvent(event, encodeJson(outputOf(checked, what))));
  return (item) => {
    const event = checkEvent(item);
    if ("comment" in event && event.data === undefined) return encoder.encode(formatComment(event.comment));
    return whenReady(check(event.data), (checked) => encode(event, checked));
  };
}

function checkEvent(item: unknown): SentEvent | SentComment {
  if (typeof item === "object" && item !== null) return item as SentEvent | SentComment;
  throw new ResultError(`An event is an object with data, not ${describe(item)}`);
}
