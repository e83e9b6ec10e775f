/** Reads, decodes and validates the body of a request. */
import { attempt, type Awaitable, isPromise, type Ready, whenReady } from "../../awaitable.ts";
import { toRequestCheck } from "../../contract/codec.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { RequestBody } from "../../contract/request.ts";
import { isInstance } from "../../mark.ts";
import { isNode } from "../../native_response.ts";
import { routeLabel } from "../../messages.ts";
import type { Producer, Step } from "../../producer.ts";
import { type Check, type Checked, declaredKeys } from "../../schema.ts";
import { Failure, type Outcome, Stop, toFailure } from "../define/result.ts";
import { contentLengthOf, tokenPattern } from "../../wire/headers.ts";
import { isUtf8, isWithin, mediaTypeEssence } from "../../wire/media_type.ts";
import { TooManyFilesError } from "../../wire/multipart.ts";
import { pullStream, takeChunk } from "../../wire/pull_stream.ts";
import { readBytes } from "../../wire/read_bytes.ts";
import { createProblem, reportIssues } from "../../wire/problem.ts";
import type { Fields } from "../../wire/text_fields.ts";
import { checkFields } from "./check_fields.ts";
import { type BodyStop, type Exchange, unlessDisconnected } from "../http/exchange.ts";
import { Refusal, refuse, stopUnreadable } from "../http/native_answer.ts";
import { type ContentDecoder, contentDecoders } from "../answer/representations.ts";

/** Reads and validates the body of a request, and adds it to the exchange. */
type DecodeBody = (exchange: Exchange) => Outcome<void>;

/** The settings for reading bodies. */
export interface BodySettings {
  /** The maximum size in bytes of a body whose declaration has no limit. `Infinity` for no limit. */
  readonly maxBodyBytes: number;
  /** The maximum number of levels of nested arrays and objects. */
  readonly maxDepth: number;
  /** Whether a copy is read, so that other code can read the body too. */
  readonly preserveRequestBody: boolean;
}

/**
 * Plans how to decode the declared body of a route: checks its media type and content coding, then its length, then
 * reads it.
 */
export function planBody(node: RouteNode, body: RequestBody, settings: BodySettings): DecodeBody {
  const { maxBodyBytes, maxDepth, preserveRequestBody } = settings;
  const decoder = contentDecoders[body.kind];
  const accepts = toAccepts(body.contentType, decoder?.isText === true);
  const acceptsEncoded = takesEncoded(node, decoder);
  const maxBytes = body.maxBytes ?? maxBodyBytes;
  const isLimited = maxBytes !== Infinity;
  const label = routeLabel(node);
  const decodeContent = decoder
    ? planWholeBody(decoder, body, { label, maxBytes, maxDepth })
    : planStream(label, maxBytes);
  const decode: DecodeBody = (exchange) => {
    const { request } = exchange;
    const { headers } = request;
    const contentType = headers.get("content-type");
    const isAbsent = body.optional && contentType === null && contentLengthOf(headers) === 0;
    if (!isAbsent && !accepts(contentType)) return refuse("unsupported-media-type");
    if (!isAbsent && !acceptsEncoded && isEncoded(headers)) return encoded;
    if (isLimited && contentLengthOf(headers) > maxBytes) return refuse("body-too-large");
    if (request.bodyUsed || isNode && hasReadMessage(exchange)) return failTaken(label);
    if (preserveRequestBody) {
      if (request.body?.locked) return failTaken(label); // it cannot be copied
      exchange.message = request.clone();
    }
    return isAbsent ? decodeAbsent(exchange, label) : decodeContent(exchange);
  };
  return typeof body.contentType === "string"
    ? decode
    : (exchange) => whenReady(decode(exchange), addContentType, exchange);
}

/**
 * Returns whether a body may have a content coding: if the handler receives its bytes, and its headers contain the
 * coding.
 */
function takesEncoded({ headers }: RouteNode, decoder: ContentDecoder | undefined): boolean {
  const isOfBytes = !decoder || decoder.isOfBytes === true;
  return isOfBytes && headers !== undefined && declaredKeys(headers)?.includes("content-encoding") === true;
}

/** Returns whether a body has a content coding, such as gzip (RFC 9110, section 8.4). */
function isEncoded(headers: Headers): boolean {
  const coding = headers.get("content-encoding");
  return coding !== null && !/^(?:identity)?$/i.test(coding);
}

/** The refusal of a body with a content coding (RFC 9110, section 15.5.16). */
const encoded = /* @__PURE__ */ refuseEncoded();

function refuseEncoded(): Refusal {
  return new Refusal(createProblem("unsupported-media-type"), { "accept-encoding": "identity" });
}

/** Other code has read a body, or holds it. */
class TakenBodyError extends TypeError {
  constructor(label: string, cause?: unknown) {
    super(
      `Cannot read the body of ${label}: other code has read it, such as middleware, a body parser, a guard or a ` +
        "verifier; let that code read request.clone(), or call the handler before it",
      cause === undefined ? undefined : { cause },
    );
  }
}

/**
 * Returns whether other code has read the message of `@hono/node-server`, which passes it as a further argument. Its
 * request has an empty body then, if that was sent in chunks.
 */
function hasReadMessage({ runtimeArguments: [bindings] }: Exchange): boolean {
  const { incoming } = Object(bindings) as { readonly incoming?: { readonly readableDidRead?: boolean } };
  return incoming?.readableDidRead === true;
}

/** Returns the failure for a body that other code has read, which the client cannot help. */
function failTaken(label: string, cause?: unknown): Failure {
  return new Failure("decode", new TakenBodyError(label, cause));
}

/**
 * Returns the stop for a body that cannot be read. If nothing has read it, other code holds its lock. Node's adapters
 * create a new body for a message that a body parser has read, which fails with a `TypeError`, as no connection does.
 */
function stopUnread(error: unknown, exchange: Exchange, label: string): Stop {
  if (isInstance(error, TakenBodyError)) return new Failure("decode", error);
  const { request, message } = exchange;
  const isTaken = isInstance(error, TypeError) && (!message.bodyUsed || isNode && !("code" in error)); // those of decompression have one
  return isTaken && !request.signal.aborted ? failTaken(label, error) : stopUnreadable(error, exchange);
}

/** Adds the media type of a body that can have one of several. */
function addContentType(end: Stop | void, exchange: Exchange): Stop | void {
  if (end) return end;
  const contentType = exchange.request.headers.get("content-type");
  exchange.slots = {
    ...exchange.slots,
    contentType: contentType === null ? undefined : mediaTypeEssence(contentType),
  };
}

/**
 * Returns whether a request's media type is the declared one, or matches a declared range. For JSON, every `+json` type
 * is accepted too (RFC 6839, section 3.1). Text that is decoded as UTF-8 must not have another charset.
 */
function toAccepts(
  contentType: RequestBody["contentType"],
  isText: boolean,
): (received: string | null) => boolean {
  if (typeof contentType === "object") {
    return (received) =>
      received !== null && isWithin(mediaTypeEssence(received), contentType) && (!isText || isUtf8(received));
  }
  const declared = mediaTypeEssence(contentType);
  return (received) => {
    if (received === null) return false;
    if (received === declared) return true;
    const essence = mediaTypeEssence(received);
    const isOfType = essence === declared || (declared === "application/json" && jsonSuffixed.test(essence));
    return isOfType && (!isText || isUtf8(received));
  };
}

/** A type and a subtype of token characters (RFC 9110, section 5.6.2) that ends in `+json`. */
const jsonSuffixed = /* @__PURE__ */ tokenPattern((token) => `^${token}/${token}\\+json$`);

/** Reads a body without a media type. It is absent, or its format is unknown. */
function decodeAbsent(exchange: Exchange, label: string): Outcome<void> {
  const { message } = exchange;
  if (message.body === null) return;
  return attempt(
    () => readBytes(toSource(message), { maxBytes: 0 }),
    (error) => stopUnread(error, exchange, label),
    ({ complete }) => complete ? undefined : refuse("unsupported-media-type"),
  );
}

/** What is known about a body that is read as a whole. */
interface ContentPlan {
  /** The name of the route in messages. */
  readonly label: string;
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/** Plans how to read a body as a whole, decode it and validate it. */
function planWholeBody(
  decoder: ContentDecoder,
  body: RequestBody,
  { label, maxBytes, maxDepth }: ContentPlan,
): DecodeBody {
  const { schema, representation, optional } = body;
  const isDescribed = schema !== undefined;
  const read = planRead(maxBytes, decoder.decodeText !== undefined && !optional);
  const check = planCheck(body, maxDepth);
  const tooDeep = refuse("invalid-body", { detail: `The body has more than ${maxDepth} levels of nesting` });
  const checkContent = (content: unknown, exchange: Exchange): Outcome<void> => {
    if (content instanceof Stop) return content;
    if (decoder.isDeeperThan?.(maxDepth, content)) return tooDeep; // schemas recurse into each level
    return whenReady(unlessDisconnected(validate(check, content), exchange.request), addContent, exchange);
  };
  const decode = (content: Content | Stop, exchange: Exchange): Outcome<void> => {
    if (content instanceof Stop) return content;
    const { headers } = exchange.request;
    const isEmpty = content.length === 0;
    const unseen = typeof content === "string" ? 3 : 0; // a text has no byte order mark
    if (isEmpty && contentLengthOf(headers) > unseen) return failTaken(label); // no connection delivers less than that
    let decoded: unknown;
    try {
      decoded = typeof content === "string"
        ? decoder.decodeText!(content) // only such content is read as text
        : decoder.decode(content, { contentType: headers.get("content-type") ?? "", isDescribed, representation });
      if (isPromise(decoded)) return checkLater(decoded, isEmpty, exchange);
    } catch (error) {
      return isEmpty && optional ? undefined : stopMalformed(error, exchange);
    }
    return checkContent(decoded, exchange);
  };
  const checkLater = (decoded: PromiseLike<unknown>, isEmpty: boolean, exchange: Exchange): Outcome<void> =>
    Promise.resolve(unlessDisconnected(decoded, exchange.request)).then( // a custom decoder may take long
      (content) => checkContent(content, exchange),
      (error) => isEmpty && optional ? undefined : stopMalformed(error, exchange),
    );
  const recover = (error: unknown, exchange: Exchange): Stop => stopUnread(error, exchange, label);
  return (exchange) => attempt(read, recover, decode, exchange);
}

/** Returns the stop for content that cannot be decoded. */
function stopMalformed(error: unknown, exchange: Exchange): Stop {
  if (!isInstance(error, TooManyFilesError)) return stopUnreadable(error, exchange);
  return refuse("body-too-large", { detail: error.message });
}

/** Adds the value of the body, or returns a refusal with its issues. */
function addContent(body: Checked | Stop, exchange: Exchange): Stop | void {
  if (body instanceof Stop) return body;
  if (body.issues) return refuse("invalid-request", reportIssues([["body", body.issues]]));
  exchange.slots.body = body.value;
}

/** The outcome of validating an input. */
export type CheckedInput = Checked | Failure;

/**
 * Validates an input. A schema that throws or rejects is a failure. It does not use {@linkcode attempt}: V8 cannot inline
 * a call that everything shares, which takes 80 ns.
 */
export function validate<Input>(check: (input: Input) => Awaitable<Checked>, input: Input): Ready<CheckedInput> {
  try {
    const checked = check(input);
    return isPromise(checked) ? Promise.resolve(checked).then(undefined, toDecodeFailure) : checked;
  } catch (error) {
    return toDecodeFailure(error);
  }
}

function toDecodeFailure(error: unknown): Failure {
  return toFailure("decode", error);
}

function planCheck({ representation, schema }: RequestBody, maxDepth: number): Check {
  if (!schema) return (value) => ({ value });
  const check = toRequestCheck(schema, maxDepth);
  if (representation.describes !== "fields") return check;
  return (fields) => checkFields(check, fields as Fields<string | File>);
}

/** The content of a body, before it is decoded. */
type Content = Uint8Array<ArrayBuffer> | string;

/** Reads a whole body. Rejects if it cannot be read. */
type ReadBody = (exchange: Exchange) => Promise<Content | Stop>;

/**
 * Plans how to read a body with a maximum size. Without a maximum the runtime reads it, which takes Deno half the time.
 * A chunked body is always counted, because Node's bridges keep every chunk, at up to 1,100 bytes for one of a single
 * byte.
 */
function planRead(maxBytes: number, isReadAsText: boolean): ReadBody {
  const readCounted: ReadBody = async ({ message }) => {
    const { bytes, complete } = await readBytes(toSource(message), { maxBytes });
    return complete ? bytes : refuse("body-too-large");
  };
  if (maxBytes !== Infinity) return readCounted;
  const readByRuntime: ReadBody = isReadAsText
    ? ({ message }) => message.text()
    : async ({ message }) => new Uint8Array(await message.arrayBuffer());
  return (exchange) =>
    exchange.request.headers.has("transfer-encoding") ? readCounted(exchange) : readByRuntime(exchange);
}

/** The stream that a handler receives. */
type BodyStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Plans to pass a body to the handler as a stream. */
function planStream(label: string, maxBytes: number): DecodeBody {
  return (exchange) => addStream(exchange, label, maxBytes);
}

/**
 * Reads the body of a message, which it opens at the first read: a handler that does not read the body leaves it to the
 * runtime.
 */
function readBodyLater(message: Request, label: string): Producer {
  let reader: BodyReader | undefined;
  const open = async (): Promise<Step> => {
    if (message.bodyUsed) throw new TakenBodyError(label);
    reader = toSource(message)?.getReader();
    const first: Step = reader ? await reader.read() : { done: true };
    if (first.done && contentLengthOf(message.headers) > 0) throw new TakenBodyError(label);
    return first;
  };
  return {
    next: () => reader ? reader.read() : open(),
    return: (reason): unknown => reader?.cancel(reason),
  };
}

type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, "read" | "cancel">;

/** Returns the body of a message, which is opened by its reader. `null` if there is none. */
function toSource({ body, headers }: Request): { readonly getReader: () => BodyReader } | null {
  return body && { getReader: () => isNode ? openOnNode(body, headers) : body.getReader() };
}

/**
 * Opens a body on Node. The reader cancels it in a later task, because srvx ends the process if a body is cancelled in
 * the task in which its buffered bytes arrive. It leaves a form that was created in memory: Node adds to
 * the stream of a `FormData` until it is complete, and ends the process if the stream was cancelled.
 */
function openOnNode(body: BodyStream, headers: Headers): BodyReader {
  const isLeft = /^multipart\//i.test(headers.get("content-type") ?? "") && isByteStream(body);
  const reader = body.getReader();
  return {
    read: () => reader.read(),
    cancel: (reason) => new Promise((resolve) => setTimeout(() => resolve(isLeft ? undefined : reader.cancel(reason)))),
  };
}

/** Returns whether a stream is one of bytes to the platform, as those of memory are, and those of connections are not. */
function isByteStream(body: BodyStream): boolean {
  try {
    body.getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether the body's source failed while the handler read it as a stream: the client has disconnected, or the
 * content is malformed. On Deno this happens before the request's signal aborts.
 */
export function hasBodyFailed({ bodyStop }: Exchange): boolean {
  return bodyStop?.()?.hasSourceFailed === true;
}

/** Returns the end of a request whose handler has failed. If the body's stream had stopped, that was the cause. */
export function preferBodyStop(end: Failure, { bodyStop }: Exchange): Stop {
  return end.phase === "handler" ? bodyStop?.()?.stop ?? end : end;
}

/** Adds a stream of the body, up to the limit and read on demand, and a function that returns why it stopped. */
function addStream(exchange: Exchange, label: string, maxBytes: number): void {
  let left = maxBytes;
  let stopped: BodyStop | undefined;
  exchange.bodyStop = () => stopped;
  exchange.slots.body = pullStream(readBodyLater(exchange.message, label), {
    encode: (item) => {
      const bytes = takeChunk(item);
      left -= bytes.byteLength;
      if (left < 0) throw new RangeError(`The body is longer than ${maxBytes} bytes`);
      return bytes;
    },
    signal: undefined,
    explain: (cause) => {
      const stop = left < 0 ? refuse("body-too-large") : stopUnread(cause, exchange, label);
      stopped = { stop, hasSourceFailed: left >= 0 && !(stop instanceof Failure) };
      return stop instanceof Failure ? stop.error : cause;
    },
  });
}
