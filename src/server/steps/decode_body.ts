/** Reads, decodes and validates the body of a request. */
import { attempt, type Awaitable, isPromise, type Ready, whenReady } from "../../awaitable.ts";
import { toRequestCheck } from "../../contract/codec.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import { isInstance } from "../../mark.ts";
import { routeLabel } from "../../messages.ts";
import { decodeCustom, isCustomDeeperThan } from "../../representation/custom.ts";
import { decodeForm } from "../../representation/form.ts";
import { decodeFormData, readFormData } from "../../representation/form_data.ts";
import { decodeJson } from "../../representation/json.ts";
import type { RequestRepresentation } from "../../representation/representation.ts";
import { decodeText } from "../../representation/text.ts";
import { isDeeperThan, parseJson } from "../../wire/json.ts";
import type { Producer, Step } from "../../producer.ts";
import { type Check, type Checked, declaredKeys } from "../../schema.ts";
import { contentLengthOf, tokenPattern } from "../../wire/headers.ts";
import { isUtf8, isWithin, mediaTypeEssence } from "../../wire/media_type.ts";
import { TooManyFilesError } from "../../wire/multipart.ts";
import { createProblem, reportIssues } from "../../wire/problem.ts";
import { pullStream, takeChunk } from "../../wire/pull_stream.ts";
import type { Fields } from "../../wire/text_fields.ts";
import { Failure, type Outcome, Stop, toFailure } from "../define/result.ts";
import {
  type BodyReader,
  type BodyStop,
  type Content,
  Disconnect,
  type Exchange,
  ParsedBody,
} from "../http/exchange.ts";
import { Refusal, refuse } from "../http/answer.ts";
import { unlessDisconnected } from "./callbacks.ts";
import { checkFields } from "./check_fields.ts";
import { planItems, type ReadItems } from "./read_items.ts";

/** Reads and validates the body of a request, and adds it to the exchange. */
type DecodeBody = (exchange: Exchange) => Outcome<void>;

/** The settings for reading bodies. */
export interface BodySettings {
  /** The maximum size in bytes of a body whose declaration has no limit. `Infinity` for no limit. */
  readonly maxBodyBytes: number;
  /** The maximum number of levels of nested arrays and objects. */
  readonly maxDepth: number;
}

/**
 * Plans how to decode the declared body of a route: checks its media type and content coding, then its length, then
 * reads it.
 */
export function planBody(node: RouteNode, body: RequestBody, settings: BodySettings): DecodeBody {
  const { maxBodyBytes, maxDepth } = settings;
  const decoder = contentDecoders[body.kind];
  const isOfItems = body.representation.describes === "item";
  const accepts = toAccepts(body.contentType, isOfItems || decoder?.isText === true);
  const acceptsEncoded = !isOfItems && takesEncoded(node, decoder);
  const maxBytes = body.maxBytes ?? maxBodyBytes;
  const isLimited = maxBytes !== Infinity;
  const label = routeLabel(node);
  const decodeContent = decoder
    ? planWholeBody(decoder, body, { label, maxBytes, maxDepth })
    : planStream(label, maxBytes, isOfItems ? planItems(body, maxDepth) : undefined);
  const decode: DecodeBody = (exchange) => {
    const { headers } = exchange;
    const contentType = headers.get("content-type");
    const isAbsent = body.optional && contentType === null && contentLengthOf(headers) === 0;
    if (!isAbsent && !accepts(contentType)) return refuse("unsupported-media-type");
    const coding = headers.get("content-encoding");
    if (coding !== null && !isAbsent && !acceptsEncoded && !identity.test(coding)) return encoded;
    if (isLimited && contentLengthOf(headers) > maxBytes) return refuse("body-too-large");
    if (!exchange.content && !exchange.takeBody(body)) return failTaken(label);
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

/** Matches a `content-encoding` that names no content coding, such as gzip (RFC 9110, section 8.4). */
const identity = /^(?:identity)?$/i;

/** The refusal of a body with a content coding (RFC 9110, section 15.5.16). */
const encoded = /* @__PURE__ */ new Refusal(/* @__PURE__ */ createProblem("unsupported-media-type"), {
  "accept-encoding": "identity",
});

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

/** Returns the failure for a body that other code has read, which the client cannot help. */
export function failTaken(label: string, cause?: unknown): Failure {
  return new Failure("decode", new TakenBodyError(label, cause));
}

/** Returns the stop for a body that cannot be read. */
export function stopUnread(error: unknown, exchange: Exchange, label: string): Stop {
  if (isInstance(error, TakenBodyError)) return new Failure("decode", error);
  return exchange.isTakenError(error) && !exchange.isGone ? failTaken(label, error) : stopUnreadable(error, exchange);
}

/** Returns the stop for content that cannot be read: malformed, or cut off because the client has disconnected. */
function stopUnreadable(error: unknown, exchange: Exchange): Stop {
  return !isInstance(error, SyntaxError) && exchange.isGone ? new Disconnect() : refuse("invalid-body");
}

/** Adds the media type of a body that can have one of several. */
function addContentType(end: Stop | void, exchange: Exchange): Stop | void {
  if (end) return end;
  const contentType = exchange.headers.get("content-type");
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
  if (exchange.isBodyless) return;
  return attempt(
    () => exchange.content ? readAgain(exchange.content, 0) : exchange.readBody(0, false),
    (error) => stopUnread(error, exchange, label),
    (content) => content === undefined ? refuse("unsupported-media-type") : undefined,
  );
}

type ReadBody = ReturnType<Exchange["readBody"]>;

/** Returns the content that a verifier has seen. `undefined` if it is longer than the maximum. */
function readAgain(content: Uint8Array<ArrayBuffer>, maxBytes: number): ReadBody {
  return content.byteLength > maxBytes ? undefined : content;
}

/** What is known about a body besides its declaration. */
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
  const asText = decoder.decodeText !== undefined && !optional;
  const check = planCheck(body, maxDepth);
  const detail = `The body has more than ${maxDepth} levels of nesting`;
  const tooDeep = new Refusal(createProblem("invalid-body", { detail }));
  const checkContent = (content: unknown, exchange: Exchange): Outcome<void> => {
    if (content instanceof Stop) return content;
    if (decoder.isDeeperThan?.(maxDepth, content)) return tooDeep; // schemas recurse into each level
    const checked = validate(check, content);
    if (!(checked instanceof Promise)) return addContent(checked, exchange);
    return whenReady(unlessDisconnected(checked, exchange), addContent, exchange);
  };
  const decode = (content: Content | ParsedBody | undefined, exchange: Exchange): Outcome<void> => {
    if (content === undefined) return refuse("body-too-large");
    if (content instanceof ParsedBody) return checkContent(content.value, exchange);
    const { headers } = exchange;
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
    Promise.resolve(unlessDisconnected(decoded, exchange)).then( // a custom decoder may take long
      (content) => checkContent(content, exchange),
      (error) => isEmpty && optional ? undefined : stopMalformed(error, exchange),
    );
  const read = (exchange: Exchange): ReadBody =>
    exchange.content ? readAgain(exchange.content, maxBytes) : exchange.readBody(maxBytes, asText);
  const fail = (error: unknown, exchange: Exchange): Stop => stopUnread(error, exchange, label);
  return (exchange) => attempt(read, fail, decode, exchange);
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
export function validate<Input>(check: (input: Input) => Ready<Checked>, input: Input): Ready<CheckedInput> {
  try {
    const checked = check(input);
    return checked instanceof Promise ? checked.catch(toDecodeFailure) : checked;
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

/**
 * Reads the body of a request, which it opens at the first read: a handler that does not read the body leaves it to the
 * runtime.
 */
function readBodyLater(exchange: Exchange, label: string): Producer {
  let reader: BodyReader | undefined;
  const open = async (): Promise<Step> => {
    if (exchange.isBodyUsed) throw new TakenBodyError(label);
    reader = exchange.openBody();
    const first: Step = reader ? await reader.read() : { done: true };
    if (first.done && contentLengthOf(exchange.headers) > 0) throw new TakenBodyError(label);
    return first;
  };
  return {
    next: () => reader ? reader.read() : open(),
    return: (reason): unknown => reader?.cancel(reason),
  };
}

/**
 * Plans to add a stream of the body, or its items, up to the limit and read on demand, and a function that returns why it
 * stopped.
 */
function planStream(label: string, maxBytes: number, readItems: ReadItems | undefined): DecodeBody {
  return (exchange) => {
    let left = maxBytes;
    let stopped: BodyStop | undefined;
    exchange.bodyStop = () => stopped;
    const bytes = pullStream(readBodyLater(exchange, label), {
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
    exchange.slots.body = readItems?.(bytes, (stop) => stopped = { stop, hasSourceFailed: true }) ?? bytes;
  };
}

/** The facts about content that decoders need. */
interface ContentFacts {
  /** The media type of the request, with its parameters. */
  readonly contentType: string;
  /** Whether a schema describes the value. */
  readonly isDescribed: boolean;
  readonly representation: RequestRepresentation;
}

/** How to decode the content of a request. */
interface ContentDecoder {
  /** Decodes whole content. Throws if it is malformed. */
  readonly decode: (content: Uint8Array<ArrayBuffer>, facts: ContentFacts) => Awaitable<unknown>;
  /** Decodes whole content that the runtime has read as text, which it may do faster. */
  readonly decodeText?: (text: string) => unknown;
  /** Whether content is decoded as UTF-8. */
  readonly isText?: true;
  /** Whether handlers receive the bytes. */
  readonly isOfBytes?: true;
  /** Whether a decoded value has more levels than the maximum. Absent if values are not nested. */
  readonly isDeeperThan?: (maxDepth: number, value: unknown) => boolean;
}

/** The decoder of each representation. `undefined` for a body that the handler reads as it arrives. */
export const contentDecoders: Readonly<Record<RequestKind, ContentDecoder | undefined>> = {
  json: { decode: decodeJson, decodeText: parseJson, isText: true, isDeeperThan },
  text: { decode: decodeText, isText: true },
  bytes: { decode: (content) => content, isOfBytes: true },
  form: { decode: decodeForm, isText: true },
  formData: {
    decode: (content, { contentType, isDescribed }) =>
      isDescribed ? decodeFormData(content, contentType) : readFormData(content, contentType),
  },
  stream: undefined,
  ndjson: undefined,
  as: {
    decode: (content, { representation }) => decodeCustom(content, representation),
    isDeeperThan: isCustomDeeperThan,
  },
};
