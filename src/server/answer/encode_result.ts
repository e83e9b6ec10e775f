/** From a result to a response: whole bodies, streams and native responses. */
import { attempt, type Awaitable, isPromise, type Ready, whenReady } from "../../awaitable.ts";
import { isCodec, toEncodingCheck } from "../../contract/codec.ts";
import type { ResponseDeclaration } from "../../contract/response.ts";
import { isResponse } from "../../native_response.ts";
import { closeSource, openProducer, type Producer, type Step } from "../../producer.ts";
import type { FormatItem } from "../../representation/item_stream.ts";
import type { WholeContent } from "../../representation/representation.ts";
import { type Check, type Checked, declaredKeys, formatIssues, type Schema, toCheck } from "../../schema.ts";
import {
  changedHeaders,
  type ChangedResult,
  describeResult,
  type ResponseHeaders,
  type Result,
  ResultError,
} from "../define/result.ts";
import { isResponseWithin, mediaTypeEssence } from "../../wire/media_type.ts";
import { checkChunk, pullStream } from "../../wire/pull_stream.ts";
import { byteLength } from "../../wire/read_bytes.ts";
import {
  appendHeaders,
  checkHeaders,
  countBytes,
  dropBody,
  frameNative,
  isBun,
  parseLength,
  respond,
} from "../http/native_answer.ts";
import type { Exchange } from "../http/exchange.ts";
import { revalidate, revalidateFields } from "./conditional.ts";

/** Validates and encodes a result of one status. Throws if it is not what the contract declares. */
export type EncodeResult = (result: Result, exchange: Exchange) => Ready<Response>;

/** Plans how to encode the results of one status. */
export type PlanResult = (place: ResultPlace) => EncodeResult;

/** The response that a result belongs to. */
export interface ResultPlace {
  readonly status: number;
  readonly declared: ResponseDeclaration;
  /** The response's name in messages: `200 from GET /users (users.list)`. */
  readonly name: string;
  /** Whether the response can be a 304: it answers GET or HEAD with 200 or 206. */
  readonly mayRevalidate: boolean;
  /** Reports a stream that failed after its response had begun. */
  readonly reportFailure: ReportFailure;
}

/** Reports a stream that failed after its response had begun. */
export type ReportFailure = (error: unknown, exchange: Exchange, response: Response) => void;

/** Builds the response of a validated body and validated headers. */
type Build = (body: unknown, headers: ResponseHeaders | undefined, exchange: Exchange) => Ready<Response>;

/**
 * Plans to validate the body of a result, if a schema describes all of it, then its headers, and to build the response.
 */
function planResult({ declared, name }: ResultPlace, build: Build): EncodeResult {
  const { headers: headersSchema, representation: { describes } } = declared;
  const finish = headersSchema ? planResultHeaders(headersSchema, `the headers of ${name}`, build) : toFinish(build);
  if (!declared.schema || describes !== "value") return (result, exchange) => finish(result.body, result, exchange);
  const check = toSendingCheck(declared.schema);
  const what = `the body of ${name}`;
  const sendChecked = (checked: Checked, result: Result, exchange: Exchange): Ready<Response> =>
    finish(outputOf(checked, what), result, exchange);
  return (result, exchange) => {
    const checked = check(result.body);
    if (!isPromise(checked)) return sendChecked(checked, result, exchange);
    return whenReady(checked, (checked) => sendChecked(checked, result, exchange));
  };
}

/** Builds the response of a validated body and of a result's headers. */
type Finish = (body: unknown, result: ChangedResult, exchange: Exchange) => Ready<Response>;

function toFinish(build: Build): Finish {
  return (body, { headers }, exchange) => build(body, headers, exchange);
}

/**
 * Plans to validate headers. Those that middleware added are only validated if they are declared, and all that it added
 * or changed are sent, even if the output of the schema does not have them.
 */
function planResultHeaders(schema: Schema, what: string, build: Build): Finish {
  const check = toSendingCheck(schema);
  const declared = declaredKeys(schema)?.map((name) => name.toLowerCase());
  const send = (checked: Checked, body: unknown, exchange: Exchange): Ready<Response> =>
    build(body, outputOf(checked, what) as ResponseHeaders, exchange);
  return (body, result, exchange) => {
    const { headers = {} } = result;
    checkHeaders(headers);
    const changed = result[changedHeaders];
    if (!changed) {
      const checked = check(headers);
      return isPromise(checked)
        ? whenReady(checked, (checked) => send(checked, body, exchange))
        : send(checked, body, exchange);
    }
    const fields = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), name, value] as const);
    const described = fields.filter(([field]) => !changed.get(field) || declared?.includes(field));
    return whenReady(check(toHeaders(described)), (checked) => {
      const output = outputOf(checked, what) as ResponseHeaders;
      const sent = new Set(Object.keys(output).map((name) => name.toLowerCase()));
      const added = fields.filter(([field]) => changed.has(field) && !sent.has(field));
      return build(body, { ...output, ...toHeaders(added) }, exchange);
    });
  };
}

function toHeaders(fields: readonly (readonly [field: string, name: string, value: unknown])[]): ResponseHeaders {
  return Object.fromEntries(fields.map(([, name, value]) => [name, value as string])); // unchanged, and checked when it is sent
}

/** Plans to answer 304, without encoding the result, if the client's copy is current. `close` releases the body. */
function planRevalidation(
  { mayRevalidate }: ResultPlace,
  build: Build,
  close?: (body: unknown) => void,
): Build {
  if (!mayRevalidate) return build;
  return (body, headers, exchange) => {
    const notModified = revalidate(headers, exchange.request);
    if (notModified === undefined) return build(body, headers, exchange);
    close?.(body);
    return notModified;
  };
}

/** Closes the stream of a handler's result if it is not sent. */
function closeOnFailure(encode: EncodeResult): EncodeResult {
  return (result, exchange) =>
    attempt(() => encode(result, exchange), (error) => {
      closeSource(result.body);
      throw error;
    });
}

/** Returns the check of a value to send. A codec encodes it. */
function toSendingCheck(schema: Schema): Check {
  return isCodec(schema) ? toEncodingCheck(schema) : toCheck(schema);
}

/** Returns the output of a check. Throws if it failed. */
function outputOf(checked: Checked, what: string): unknown {
  if (checked.issues) throw new ResultError(`Cannot send ${what}: ${formatIssues(checked.issues)}`);
  return checked.value;
}

/** Plans how to send a body that is encoded as a whole. */
export function planWhole(encode: (value: unknown) => Awaitable<WholeContent | null>): PlanResult {
  return (place) => {
    const { status, declared: { contentType } } = place;
    const isOfText = status === 200 && isAddedToText(contentType);
    const initOf = planInit(place, toInit);
    const build = (content: WholeContent | null, headers: ResponseHeaders | undefined, isHead: boolean): Response => {
      const init = isOfText && typeof content === "string" ? undefined : initOf(headers);
      const response = respond(content, init, isHead);
      const length = headers && appendHeaders(response.headers, headers, contentType !== undefined);
      // whatever the handler says: a message with another length would begin or end in the next one of its connection
      if (length !== undefined && content !== null) response.headers.set("content-length", String(byteLength(content)));
      return response;
    };
    const send: Build = (body, headers, { isHead }) => {
      const content = encode(body);
      if (!isPromise(content)) return build(content, headers, isHead);
      return whenReady(content, (content) => build(content, headers, isHead));
    };
    return planResult(place, planRevalidation(place, send));
  };
}

/** Plans how to send a response without content. */
export const planEmpty: PlanResult = /* @__PURE__ */ planWhole((body) => {
  if (body === undefined || body === null) return null;
  throw new ResultError(`An empty response must not have a body, got ${describeResult(body)}`);
});

/** Returns the init of all responses with a status. A text needs no header if the runtime adds its content type. */
function toInit(status: number, contentType: string | undefined): ResponseInit {
  return {
    ...(status !== 200 && { status }),
    ...(contentType !== undefined && { headers: { "content-type": contentType } }),
  };
}

/**
 * Returns whether the runtime adds this content type to a text by default, which takes half the time of setting it.
 * Bun's in-memory responses have none and it sends another, and those of @hono/node-server have another.
 */
function isAddedToText(contentType: string | readonly string[] | undefined): boolean {
  if (typeof contentType !== "string" || !contentType.startsWith("text/")) return false;
  return new Response("").headers.get("content-type") === contentType;
}

const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * Plans how to send the items of a producer one by one. The head of the response is complete before the producer is
 * opened. `silence` is text that readers of the format ignore.
 */
export function planItems(format: FormatItem, silence = ""): PlanResult {
  const opening = encoder.encode(isBun ? silence : "");
  return (place) => {
    const { declared: { schema }, name, reportFailure } = place;
    const encode = planItem(format, schema, `an item of the body of ${name}`, opening);
    const initOf = planInit(place, (status, contentType) => ({ status, headers: { "content-type": contentType! } })); // every stream has one
    const send: Build = (body, headers, exchange) => {
      const { init, length } = withHeaders(initOf(headers), headers, name);
      const { signal } = exchange.request;
      signal.throwIfAborted();
      const explain = (cause: unknown): unknown => {
        if (!signal.aborted) reportFailure(cause, exchange, response); // a client's disconnect is not an error
        return cause;
      };
      const producer = open(body, name);
      const stream = length === undefined
        ? pullStream(openSoon(producer, opening), { encode, signal, explain })
        : pullStream(openSoon(countBytes(producer, { encode, length, name }), empty), {
          encode: checkChunk,
          signal,
          explain,
        });
      const response = respond(stream, init, exchange.isHead);
      return response;
    };
    return closeOnFailure(planResult(place, planRevalidation(place, send, closeSource)));
  };
}

const empty = /* @__PURE__ */ new Uint8Array(0);

/**
 * Returns the items of a producer, after `opening` if the first one does not come soon. srvx and Bun send the head of a
 * response with its first chunk: an empty one is enough for srvx, and Bun needs a byte.
 */
function openSoon(producer: Producer, opening: Uint8Array): Producer {
  const next = (): Awaitable<Step> => producer.next();
  const toOpening = async (first: Promise<Step>): Promise<Step> => {
    let isSettled = false;
    const settle = (): void => void (isSettled = true);
    first.then(settle, settle);
    for (let turn = 0; turn < soon; turn++) {
      if (isSettled) return first;
      await undefined;
    }
    opened.next = () => {
      opened.next = next;
      return first;
    };
    return { done: false, value: opening };
  };
  const opened = {
    next(): Awaitable<Step> {
      opened.next = next;
      const first = producer.next();
      return isPromise(first) ? toOpening(Promise.resolve(first)) : first; // a thenable is asked once
    },
    return: (reason?: unknown): unknown => producer.return?.(reason),
  };
  return opened;
}

/** The number of turns in which promises settle that wait for nothing outside, such as those of a generator. */
const soon = 20;

/** Returns the init with a result's headers, and the length that they state. */
function withHeaders(
  init: InitWithContentType,
  added: ResponseHeaders | undefined,
  name: string,
): { readonly init: ResponseInit; readonly length?: number | undefined } {
  if (added === undefined) return { init };
  const fields = new Headers(init.headers);
  const length = parseLength(appendHeaders(fields, added, true), name);
  if (length) fields.set("content-length", String(length));
  return { init: { status: init.status, headers: fields }, length };
}

function open(body: unknown, name: string): Producer {
  const producer = ArrayBuffer.isView(body) ? undefined : openProducer(body);
  if (producer) return producer;
  throw new ResultError(
    `Cannot send the body of ${name}: it must be an iterable or a ReadableStream, got ${describeResult(body)}`,
  );
}

/** Plans how to encode an item as bytes. */
function planItem(
  format: FormatItem,
  schema: Schema | undefined,
  what: string,
  opening: Uint8Array<ArrayBuffer>,
): (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>> {
  const toSent = schema ? planSent(schema, what) : (value: unknown) => value;
  return (item) => {
    if (item === opening) return opening.slice(); // its reader owns it
    const formatted = format(item, toSent);
    return formatted instanceof Uint8Array ? formatted : whenReady(formatted, toBytes); // looking for a `then` takes a tenth of the time of a chunk
  };
}

/** Plans how to validate a value of the producer. Returns the value to send. */
function planSent(schema: Schema, what: string): (value: unknown) => unknown {
  const check = toSendingCheck(schema);
  const toOutput = (checked: Checked): unknown => outputOf(checked, what);
  return (value) => whenReady(check(value), toOutput);
}

function toBytes(formatted: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof formatted === "string" ? encoder.encode(formatted) : formatted;
}

/**
 * Plans how to send a native response. It is sent unchanged, except for headers that do not fit its body. For 101 it must
 * be the very object that the runtime created.
 */
export function planRaw(place: ResultPlace): EncodeResult {
  const { status, name, mayRevalidate, reportFailure } = place;
  return closeOnFailure(planResult(place, (body, headers, exchange) => {
    const { request, isHead } = exchange;
    const native = checkRaw(body, place);
    if (status === 101) return native;
    const report = (cause: unknown, response: Response): void => {
      if (!request.signal.aborted) reportFailure(cause, exchange, response);
    };
    const response = frameNative(native, { headers, name, isHead, report });
    const notModified = mayRevalidate ? revalidateFields(response.headers, request) : undefined;
    if (!notModified) return isHead ? dropBody(response) : response;
    dropBody(response);
    return notModified;
  }));
}

/** Returns the native response. Throws if it cannot be sent. */
function checkRaw(body: unknown, { name, status }: ResultPlace): Response {
  const fail = (state: string): never => {
    throw new ResultError(`Cannot send the body of ${name}: ${state}`);
  };
  if (!isResponse(body)) return fail(`it must be a native Response, got ${describeResult(body)}`);
  if (body.status !== status) return fail(`its status must be ${status}, got ${body.status}`);
  return body.bodyUsed ? fail("it was read already; return an unread Response") : body;
}

/** The init of a response whose result sets its content type. */
interface InitWithContentType {
  readonly status: number;
  readonly headers: { readonly "content-type": string };
}

/**
 * Plans the init of responses: the same for all, with the declared content type, or one with the content type that the
 * result sets, if ranges are declared.
 */
function planInit<Init>(
  { status, declared: { contentType }, name }: ResultPlace,
  toInit: (status: number, contentType: string | undefined) => Init,
): (headers: ResponseHeaders | undefined) => Init | InitWithContentType {
  if (typeof contentType === "object") {
    return (headers) => ({ status, headers: { "content-type": contentTypeOf(headers, contentType, name) } });
  }
  const init = toInit(status, contentType);
  return () => init;
}

function contentTypeOf(headers: ResponseHeaders | undefined, ranges: readonly string[], name: string): string {
  const fields = new Headers(); // two joined fields of the same name are not a media type
  appendHeaders(fields, headers ?? {}, false);
  const stated = fields.get("content-type");
  if (stated !== null && isResponseWithin(mediaTypeEssence(stated), ranges)) return stated;
  const found = stated === null ? "none" : JSON.stringify(stated);
  throw new ResultError(
    `Cannot send ${name}: its header "content-type" must be within ${ranges.join(", ")}, got ${found}`,
  );
}
