/** From a result to an answer: whole bodies, streams and native responses. */
import { type Awaitable, isPromise, type Ready, whenReady } from "../../awaitable.ts";
import { isCodec, toSentCheck } from "../../contract/codec.ts";
import type { ResponseDeclaration, ResponseKind, Responses } from "../../contract/response.ts";
import { isObject } from "../../mark.ts";
import { cancelUnsent, isResponse } from "../../native_response.ts";
import { encodeProblem, wholeBodyOf } from "../../representation/whole_body.ts";
import { type FormatItem, formatNdjsonItem } from "../../representation/stream.ts";
import { formatSseItem } from "../../representation/sse.ts";
import { encodeJson } from "../../wire/json.ts";
import { completeProblem } from "../../wire/problem.ts";
import type { WholeContent } from "../../representation/representation.ts";
import { type Checked, declaredKeys, formatIssues, type Schema } from "../../schema.ts";
import { isResponseWithin, mediaTypeEssence } from "../../wire/media_type.ts";
import { byteLength } from "../../wire/read_bytes.ts";
import type { RouteInfo } from "../define/call.ts";
import {
  type ChangeableResult,
  describeResult,
  innerHeadersOf,
  isResult,
  labelOf,
  notAResultError,
  type ResponseHeaders,
  type Result,
  ResultError,
  undeclaredStatusError,
} from "../define/result.ts";
import {
  type AnswerBody,
  appendHeaders,
  checkHeaders,
  countBytes,
  disconnected,
  FieldList,
  type Head,
  type Items,
  parseLength,
  planHead,
  type Sent,
} from "../http/answer.ts";
import type { Exchange } from "../http/exchange.ts";
import { frameNative, isSendable } from "../http/native_answer.ts";
import { revalidate } from "./conditional.ts";
import { checkChunk, closeSource, openProducer } from "../../wire/producer.ts";

/** Validates and encodes the result of a handler. Throws if it is not what the route declares. */
export type EncodeResponse = (result: unknown, exchange: Exchange) => Ready<Sent>;

/** Plans how to encode the results of a route, by status. Without a route, those of requests that match none. */
export function planEncode(
  route: RouteInfo | undefined,
  responses: Responses,
  reports: ResultReports,
): EncodeResponse {
  const where = labelOf(route);
  const reads = route?.method === "GET" || route?.method === "HEAD";
  const encoders = new Map(
    Object.entries(responses).map(([key, declared]: [string, ResponseDeclaration]) => {
      const status = Number(key);
      const place = {
        status,
        declared,
        name: `${status} from ${where}`,
        mayRevalidate: reads && (status === 200 || status === 206), // before ranges (RFC 9110, section 13.2.2)
      };
      return [status, resultPlans[declared.kind]({ ...place, ...reports })] as const;
    }),
  );
  return (result, exchange) => {
    if (!isResult(result)) throw notAResultError(route, "the handler", result);
    const encode = encoders.get(result.status);
    if (!encode) throw undeclaredStatusError(route, result.status, encoders.keys());
    return encode(result, exchange);
  };
}

/** Closes the stream of a result, or of what was returned instead, if it is not sent. */
export function closeResult(result: unknown): void {
  try {
    closeSource(isResult(result) ? result.body : result);
  } catch {
    // a getter of the application throws again
  }
}

/** Validates and encodes a result of one status. Throws if it is not what the contract declares. */
type EncodeResult = (result: Result, exchange: Exchange) => Ready<Sent>;

/** Plans how to encode the results of one status. */
type PlanResult = (place: ResultPlace) => EncodeResult;

/** The response that a result belongs to. */
interface ResultPlace extends ResultReports {
  readonly status: number;
  readonly declared: ResponseDeclaration;
  /** The response's name in messages: `200 from GET /users (users.list)`. */
  readonly name: string;
  /** Whether the response can be a 304: it answers GET or HEAD with 200 or 206. */
  readonly mayRevalidate: boolean;
}

/** What is reported about the answers of results. */
export interface ResultReports {
  /** Reports a stream that failed after its response had begun. */
  readonly reportFailure: ReportFailure;
  /** Returns an answer without the fields that its sender decides, after a report of them. */
  readonly dropUnfit: (sent: Sent, exchange: Exchange) => Sent;
}

/** Reports a stream that failed after its response had begun, and returns the error. */
type ReportFailure = (error: unknown, exchange: Exchange, about: About) => unknown;

/** What a hook is told about: the answer that is about to be sent, or a response that is being sent. */
export type About = Sent | (() => Response);

/** Builds the response of a validated body and validated headers. */
type Build = (body: unknown, result: Pick<Result, "headers">, exchange: Exchange) => Ready<Sent>;

/**
 * Plans to validate the body of a result, if a schema describes all of it, then its headers, and to build the answer.
 */
function planResult({ declared, name }: ResultPlace, build: Build): EncodeResult {
  const { schema, headers: headersSchema, representation: { describes } } = declared;
  const send = headersSchema ? planResultHeaders(headersSchema, `the headers of ${name}`, build) : build;
  if (!schema || describes) return (result, exchange) => send(result.body, result, exchange);
  const toSent = planSent(schema, `the body of ${name}`);
  // it is a function of its own, because one that contains a closure allocates for it
  const sendLater = (pending: Promise<unknown>, result: Result, exchange: Exchange): Promise<Sent> =>
    pending.then((body) => send(body, result, exchange));
  return (result, exchange) => {
    const body = toSent(result.body);
    return body instanceof Promise ? sendLater(body, result, exchange) : send(body, result, exchange);
  };
}

/** Sends a body that was validated, with the headers of its result. */
type Send = (body: unknown, result: ChangeableResult, exchange: Exchange) => Ready<Sent>;

/**
 * Plans to validate headers. Those that middleware added are only validated if they are declared, and all that it added
 * or changed are sent, even if the output of the schema does not have them.
 */
function planResultHeaders(schema: Schema, what: string, build: Build): Send {
  const toSent = planSent(schema, what) as (headers: object) => Ready<ResponseHeaders>; // the schema declares them
  const declared = declaredKeys(schema)?.map(toLowerCase);
  const mayDrop = !isCodec(schema); // a codec's value may be a `Map`; other schemas refuse what is not an object
  return (body, { headers = {}, [innerHeadersOf]: inner }, exchange) => {
    if (headers instanceof Headers || mayDrop && isObject(headers) && !Array.isArray(headers)) checkHeaders(headers);
    if (!inner) return whenReady(toSent(headers), (sent) => build(body, { headers: sent }, exchange));
    const own = new Map(Object.entries(inner).map(([name, value]) => [name.toLowerCase(), value]));
    const pick = (isPicked: (field: string, value: unknown) => boolean | undefined): ResponseHeaders =>
      Object.fromEntries(Object.entries(headers).filter(([name, value]) => isPicked(name.toLowerCase(), value)));
    return whenReady(toSent(pick((field) => own.has(field) || declared?.includes(field))), (sent) => {
      const names = Object.keys(sent).map(toLowerCase);
      const changed = pick((field, value) => own.get(field) !== value && !names.includes(field));
      return build(body, { headers: { ...sent, ...changed } }, exchange);
    });
  };
}

function toLowerCase(name: string): string {
  return name.toLowerCase();
}

/** Plans how to validate a value of a result, which a codec encodes. Returns the value to send, and throws if there is none. */
function planSent(schema: Schema, what: string): (value: unknown) => Ready<unknown> {
  const check = toSentCheck(schema);
  const accept = ({ issues, value }: Checked & { readonly value?: unknown }): unknown =>
    issues ? failToSend(what, formatIssues(issues)) : value;
  return (value) => {
    const checked = check(value);
    if (checked instanceof Promise) return checked.then(accept);
    return checked.issues ? accept(checked) : checked.value;
  };
}

/** Plans how to send a body that is encoded as a whole. */
export function planWhole(encode: (value: unknown, place: ResultPlace) => Awaitable<WholeContent | null>): PlanResult {
  return (place) => {
    const { plain, begin, complete } = planBegin(place);
    // whatever the handler says: a message with another length would begin or end in the next one of its connection
    const finish = (content: WholeContent | null, begun: BegunAnswer): Sent =>
      complete(content, begun, begun.length === undefined || content === null ? undefined : byteLength(content));
    return planResult(place, (body, { headers }, exchange) => {
      const begun = plain && !headers ? plain : begin(headers, exchange);
      if (begun.notModified) return begun.notModified;
      const content = encode(body, place);
      if (begun.list || isPromise(content)) return whenReady(content, finish, begun);
      return { head: begun.head, body: content, fields: begun.head.fields };
    });
  };
}

/** An answer without its body. The other members are those of a result with headers. */
interface BegunAnswer {
  readonly head: Head;
  /** The fields of the head, and the headers of the result. */
  readonly list?: FieldList;
  /** The length that the headers state. */
  readonly length?: string | undefined;
  /** The answer if the client has what would be sent. */
  readonly notModified?: Sent | undefined;
  readonly exchange?: Exchange;
}

/** How the answers of a place begin and end. */
interface AnswerPlan {
  /** The beginning without headers. `undefined` if ranges are declared, so that the result sets the content type. */
  readonly plain: BegunAnswer | undefined;
  readonly begin: (stated: ResponseHeaders | undefined, exchange: Exchange) => BegunAnswer;
  /** Adds the body, and the length that is sent, if headers state one. The headers lose what the sender decides. */
  readonly complete: (body: AnswerBody, begun: BegunAnswer, length: number | undefined) => Sent;
}

function planBegin({ status, declared: { contentType }, name, mayRevalidate, dropUnfit }: ResultPlace): AnswerPlan {
  const plan = (type?: string): Head => planHead(status, type === undefined ? {} : { "content-type": type });
  const planned = typeof contentType === "object" ? undefined : plan(contentType);
  return {
    plain: planned && { head: planned },
    begin(stated, exchange): BegunAnswer {
      const list = new FieldList([]);
      const length = appendHeaders(list, stated ?? {}, typeof contentType === "string");
      const head = planned ?? plan(takeContentType(list, contentType as readonly string[], name)); // nothing else is left
      list.fields.unshift(...head.fields);
      const notModified = mayRevalidate && revalidate(list, exchange.headers);
      return { head, list, length, notModified: notModified ? dropUnfit(notModified, exchange) : undefined, exchange };
    },
    complete(body, { head, list, exchange }, length): Sent {
      if (!list || !exchange) return { head, body, fields: head.fields };
      if (length !== undefined) list.set("content-length", String(length));
      return dropUnfit({ head, body, fields: list.fields }, exchange);
    },
  };
}

/** Removes the content type from the headers of a result, and returns it. Throws if it is not within the declared ranges. */
function takeContentType(list: FieldList, ranges: readonly string[], name: string): string {
  const stated = list.get("content-type"); // two joined fields of the same name are not a media type
  list.delete("content-type");
  if (stated !== null && isResponseWithin(mediaTypeEssence(stated), ranges)) return stated;
  const found = stated === null ? "none" : JSON.stringify(stated);
  failToSend(name, `its header "content-type" must be within ${ranges.join(", ")}, got ${found}`);
}

/**
 * Plans how to send the items of a producer one by one. The head of the answer is complete before the producer is
 * opened. `silence` is text that readers of the format ignore.
 */
export function planSentItems(format: FormatItem, silence = ""): PlanResult {
  return (place) => {
    const { declared: { schema }, name, reportFailure } = place;
    const toSent = schema ? planSent(schema, `an item of the body of ${name}`) : (value: unknown) => value;
    const encode = (item: unknown): Awaitable<Uint8Array<ArrayBuffer>> => {
      const formatted = format(item, toSent);
      return formatted instanceof Uint8Array ? formatted : whenReady(formatted, toBytes); // looking for a `then` takes a tenth of the time of a chunk
    };
    const { plain, begin, complete } = planBegin(place);
    return planResult(place, (body, { headers }, exchange) => {
      const begun = plain && !headers ? plain : begin(headers, exchange);
      const length = parseLength(begun.length, name);
      const answered = exchange.isGone ? disconnected : begun.notModified;
      if (answered) {
        closeSource(body);
        return answered;
      }
      const producer = (ArrayBuffer.isView(body) ? undefined : openProducer(body)) ??
        failToSend(`the body of ${name}`, `it must be an iterable or a ReadableStream, got ${describeResult(body)}`);
      const items: Items = {
        producer: length === undefined ? producer : countBytes(producer, { encode, length, name }),
        encode: length === undefined ? encode : checkChunk,
        explain: (cause, toResponse) => reportFailure(cause, exchange, toResponse),
        client: exchange,
        silence: length === undefined ? silence : "",
      };
      return complete(items, begun, length || undefined); // with 0, nothing would be read
    });
  };
}

const encoder = /* @__PURE__ */ new TextEncoder();

function toBytes(formatted: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof formatted === "string" ? encoder.encode(formatted) : formatted;
}

/**
 * Plans how to send a native response. It is sent unchanged, except for headers that do not fit its body. For 101 it must
 * be the very object that the runtime created.
 */
function planRaw(place: ResultPlace): EncodeResult {
  const { status, name, mayRevalidate, reportFailure, dropUnfit } = place;
  return planResult(place, (body, { headers }, exchange) => {
    const native = checkRaw(body, place);
    if (status === 101) return native;
    const response = frameNative(native, {
      headers,
      name,
      isHead: exchange.method === "HEAD",
      report: (cause, failed) => reportFailure(cause, exchange, failed),
    });
    const notModified = mayRevalidate && revalidate(response.headers, exchange.headers);
    if (!notModified) return response;
    cancelUnsent(response);
    return dropUnfit(notModified, exchange);
  });
}

/** Returns the native response. Throws if it cannot be sent. */
function checkRaw(body: unknown, { name, status }: ResultPlace): Response {
  let state = `it must be a native Response, got ${describeResult(body)}`;
  if (isResponse(body)) {
    if (body.status !== status) state = `its status must be ${status}, got ${body.status}`;
    else if (status === 101 || isSendable(body)) return body;
    else state = "it was read; return an unread Response";
  }
  failToSend(`the body of ${name}`, state);
}

/** How to send the results of each representation. */
export const resultPlans: Readonly<Record<ResponseKind, PlanResult>> = {
  json: /* @__PURE__ */ planWhole(encodeJson),
  text: planEncoded,
  bytes: planEncoded,
  empty: /* @__PURE__ */ planWhole(encodeNothing),
  problem: /* @__PURE__ */ planWhole(encodeSentProblem),
  stream: /* @__PURE__ */ planSentItems(checkChunk),
  ndjson: /* @__PURE__ */ planSentItems(formatNdjsonItem, "\n"),
  sse: /* @__PURE__ */ planSentItems(formatSseItem, ":\n\n"),
  raw: planRaw,
  socket: planRaw,
  as: planEncoded,
};

/** Plans how to send a body as its representation encodes it. */
function planEncoded(place: ResultPlace): EncodeResult {
  return planWhole(wholeBodyOf(place.declared.representation).encode)(place);
}

function encodeNothing(body: unknown): null {
  if (body === undefined || body === null) return null;
  throw new ResultError(`An empty response must not have a body, got ${describeResult(body)}`);
}

/** Encodes a problem document. With a schema, it has all members. Without one, some have defaults that follow from the status. */
function encodeSentProblem(value: unknown, { declared: { schema }, status }: ResultPlace): string {
  return encodeProblem(schema ? value : completeProblem(value, status));
}

/** Throws the error of a result that cannot be sent. `what` names the part. */
function failToSend(what: string, state: string): never {
  throw new ResultError(`Cannot send ${what}: ${state}`);
}
