/** Reads, decodes and validates the inputs of a request: those of its head, then its body. */
import { type Awaitable, isPromise, type Ready, whenReady } from "../../awaitable.ts";
import { toRequestCheck } from "../../contract/codec.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import { isInstance } from "../../mark.ts";
import { routeLabel } from "../../messages.ts";
import { failAt } from "../../options.ts";
import { parameterNames } from "../../path.ts";
import { decodeJson, isCustomDeeperThan, wholeBodyOf } from "../../representation/whole_body.ts";
import { decodeForm, decodeFormData, readFormData } from "../../representation/form.ts";
import type { RequestRepresentation } from "../../representation/representation.ts";
import { type Check, type Checked, declaredKeys, type Schema, undescribedKeys } from "../../schema.ts";
import { contentLengthOf, isToken, readHeaders, tokenPattern } from "../../wire/headers.ts";
import { isDeeperThan, parseJson } from "../../wire/json.ts";
import { isUtf8, isWithin, mediaTypeEssence } from "../../wire/media_type.ts";
import { TooManyFilesError } from "../../wire/multipart.ts";
import { createProblem, reportIssues } from "../../wire/problem.ts";
import { type Fields, isPlainObject, parseQuery } from "../../wire/text_fields.ts";
import type { RequestHeaders } from "../define/call.ts";
import { Failure, Stop, toFailure } from "../define/result.ts";
import { Refusal, refuse } from "../http/answer.ts";
import {
  type Content,
  Disconnect,
  type Exchange,
  ParsedBody,
  type PathParams,
  queryOf,
  type Step,
  toDisconnect,
} from "../http/exchange.ts";
import { addStream, failTaken, planItems, stopUnread, stopUnreadable } from "./body_stream.ts";
import { checkFields } from "./check_fields.ts";

/**
 * Plans the steps that decode and validate the inputs of a route. Inputs that are not declared are not read. The body
 * is read only if all other inputs are valid.
 */
export function planDecode(node: RouteNode, settings: BodySettings): Step[] {
  const { path, params, query, headers, body } = node;
  if (parameterNames(path).length === 0 && !(params || query || headers || body)) return [];
  const head = planHead(node, settings);
  return body ? [head, ...planBody(node, body, settings)] : [head];
}

/**
 * Throws if the requests of a route cannot be decoded as declared. It runs at mount, because plans are made at a
 * route's first request.
 */
export function checkDecode(node: RouteNode): void {
  if (node.headers) declaredKeys(node.headers)?.forEach((name) => checkFieldName(name, node));
}

/** Plans the step that validates the inputs of the head. */
function planHead({ path, params, query, headers }: RouteNode, { maxDepth }: BodySettings): Step {
  const checkParams = params && planParams(params, path, maxDepth);
  const checkQuery = query && planQuery(query, maxDepth);
  const checkHeaders = headers && planHeaders(headers, maxDepth);
  return {
    phase: "decode",
    take(exchange): unknown {
      const params = checkParams ? validate(checkParams, exchange.params) : { value: exchange.params };
      const query = checkQuery ? validate(checkQuery, exchange.target) : notDeclared;
      const headers = checkHeaders ? validate(checkHeaders, exchange.headers) : notDeclared;
      return params instanceof Promise || query instanceof Promise || headers instanceof Promise
        ? Promise.all([params, query, headers])
        : addHead([params, query, headers], exchange);
    },
    accept: addHead,
    needsClient: true,
  };
}

/** An input that is not declared is not read. */
const notDeclared: Checked = { value: undefined };

/** Reads one input from a part of a request's head, and validates it. */
type CheckPart<Part> = (part: Part) => Ready<Checked>;

function planParams(schema: Schema, path: string, maxDepth: number): CheckPart<PathParams> {
  const check = toRequestCheck(schema, maxDepth);
  const undeclared = undescribedKeys(schema, parameterNames(path));
  if (undeclared.length === 0) return check;
  return (params) => whenReady(check(params), (checked) => addUndeclared(checked, params, undeclared));
}

/**
 * Adds the parameters that the schema leaves out. If it does not say which ones, these are all that its output
 * lacks.
 */
function addUndeclared(checked: Checked, params: PathParams, undeclared: readonly string[]): Checked {
  if (checked.issues || !isPlainObject(checked.value)) return checked;
  const { value } = checked;
  const missing = undeclared.filter((name) => !Object.hasOwn(value, name)).map((name) => [name, params[name]]);
  return missing.length === 0 ? checked : { value: { ...value, ...Object.fromEntries(missing) } };
}

function planQuery(schema: Schema, maxDepth: number): CheckPart<string> {
  const check = toRequestCheck(schema, maxDepth);
  return (target) => checkFields(check, parseQuery(queryOf(target)));
}

function planHeaders(schema: Schema, maxDepth: number): CheckPart<RequestHeaders> {
  const check = toRequestCheck(schema, maxDepth);
  const names = declaredKeys(schema);
  return (headers) => check(readHeaders(headers, names));
}

/**
 * Throws if a header schema declares a name that a request cannot have: names are tokens (RFC 9110, section 5.1), here
 * in lowercase.
 */
function checkFieldName(name: string, node: RouteNode): void {
  if (isToken(name) && name === name.toLowerCase()) return;
  const state = `"headers" must declare lower-case header names, got ${JSON.stringify(name)}`;
  failAt(`Cannot mount ${routeLabel(node)}`, state);
}

/** The outcome of validating an input of the head. */
type CheckedInput = Checked | Failure;

/**
 * Validates an input. A schema that throws or rejects is a failure, because that of another input may still be running,
 * and the first one is reported. It does not use `attempt()`: V8 cannot inline a call that everything shares, which takes
 * 80 ns.
 */
function validate<Part>(check: CheckPart<Part>, part: Part): Ready<CheckedInput> {
  try {
    const checked = check(part);
    return checked instanceof Promise ? checked.catch(toDecodeFailure) : checked;
  } catch (error) {
    return toDecodeFailure(error);
  }
}

function toDecodeFailure(error: unknown): Failure {
  return toFailure("decode", error);
}

/** Something for each input of the head. */
type Parts<Part> = readonly [params: Part, query: Part, headers: Part];

/** Adds the values of the inputs, or returns a refusal with the issues of all of them. */
function addHead([params, query, headers]: Parts<CheckedInput>, exchange: Exchange): Stop | void {
  if (params instanceof Failure) return params;
  if (query instanceof Failure) return query;
  if (headers instanceof Failure) return headers;
  if (!params.issues && !query.issues && !headers.issues) {
    exchange.slots = { params: params.value, query: query.value, headers: headers.value, body: undefined };
    return;
  }
  const parts = [["params", params.issues], ["query", query.issues], ["headers", headers.issues]] as const;
  return refuse("invalid-request", reportIssues(parts));
}

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
function planBody(node: RouteNode, body: RequestBody, { maxBodyBytes, maxDepth }: BodySettings): Step[] {
  const decoder = contentDecoders[body.kind];
  const isOfItems = body.representation.describes === "item";
  const declared = typeof body.contentType === "string" ? mediaTypeEssence(body.contentType) : body.contentType;
  const accepts = toAccepts(declared, isOfItems || decoder?.isText === true);
  const acceptsEncoded = !isOfItems && takesEncoded(node, decoder);
  const maxBytes = body.maxBytes ?? maxBodyBytes;
  const isLimited = maxBytes !== Infinity;
  const label = routeLabel(node);
  const asText = decoder?.decodeText !== undefined && !body.optional;
  const accept = decoder ? planContent(decoder, body, label, maxDepth) : toStop;
  const stream = { label, maxBytes, readItems: isOfItems ? planItems(body, maxDepth) : undefined };
  const take = (exchange: Exchange): unknown => {
    const { headers } = exchange;
    const contentType = headers.get("content-type");
    const isAbsent = body.optional && contentType === null && contentLengthOf(headers) === 0;
    if (contentType !== declared && !isAbsent && !accepts(contentType)) return refuse("unsupported-media-type");
    const coding = headers.get("content-encoding");
    if (coding !== null && !isAbsent && !acceptsEncoded && !identity.test(coding)) return encoded;
    if (isLimited && contentLengthOf(headers) > maxBytes) return refuse("body-too-large");
    if (!exchange.content && !exchange.takeBody(body)) return failTaken(label);
    if (!isAbsent && !decoder) return addStream(exchange, stream);
    if (isAbsent && exchange.isBodyless) return;
    const limit = isAbsent ? 0 : maxBytes;
    const seen = exchange.content; // by a verifier
    const read = !seen ? exchange.readBody(limit, asText) : seen.byteLength > limit ? undefined : seen;
    const content = isAbsent ? whenReady(read, refuseUntyped) : read;
    return isPromise(content) ? Promise.resolve(content) : accept(content, exchange);
  };
  const recover: Step["recover"] = (error, exchange) => stopUnread(error, exchange, label);
  const step: Step = { phase: "decode", take, accept, recover };
  return typeof body.contentType === "string" ? [step] : [step, { phase: "decode", take: addContentType }];
}

/** What was read of a body: `undefined` if it is longer than the maximum. Or what followed from that. */
type ReadBody = Content | ParsedBody | Stop | undefined;

/** Decodes and checks what was read of a body. Returns why the request ends, or a promise of what to accept instead. */
type AcceptContent = (content: ReadBody, exchange: Exchange) => Stop | void | Promise<ReadBody>;

/** A body that is decoded already. */
const noContent = /* @__PURE__ */ new ParsedBody(undefined);

/** Accepts a body that the handler reads as it arrives, unless it is refused. */
function toStop(read: unknown): Stop | void {
  if (read instanceof Stop) return read;
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

/** Adds the media type of a body that can have one of several. */
function addContentType(exchange: Exchange): void {
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
function toAccepts(declared: RequestBody["contentType"], isText: boolean): (received: string | null) => boolean {
  if (typeof declared === "object") {
    return (received) =>
      received !== null && isWithin(mediaTypeEssence(received), declared) && (!isText || isUtf8(received));
  }
  return (received) => {
    if (received === null) return false;
    const essence = mediaTypeEssence(received);
    const isOfType = essence === declared || (declared === "application/json" && jsonSuffixed.test(essence));
    return isOfType && (!isText || isUtf8(received));
  };
}

/** A type and a subtype of token characters (RFC 9110, section 5.6.2) that ends in `+json`. */
const jsonSuffixed = /* @__PURE__ */ tokenPattern((token) => `^${token}/${token}\\+json$`);

/** Refuses a body without a media type, whose format is unknown. An empty one is absent. */
function refuseUntyped(content: unknown): Stop | ParsedBody {
  return content === undefined ? refuse("unsupported-media-type") : noContent;
}

/** Plans how to decode the content of a body that was read as a whole, and to validate it. */
function planContent(decoder: ContentDecoder, body: RequestBody, label: string, maxDepth: number): AcceptContent {
  const { schema, representation, optional } = body;
  const isDescribed = schema !== undefined;
  const checkValue: Check = schema ? toRequestCheck(schema, maxDepth) : (value) => ({ value });
  const check: Check = schema && representation.describes === "fields"
    ? (fields) => checkFields(checkValue, fields as Fields<string | File>)
    : checkValue;
  const detail = `The body has more than ${maxDepth} levels of nesting`;
  const tooDeep = new Refusal(createProblem("invalid-body", { detail }));
  const addLater = (pending: Promise<Checked>, exchange: Exchange): Promise<Stop | ParsedBody> =>
    pending.then((checked) => addContent(toDisconnect(checked, exchange), exchange) ?? noContent, toDecodeFailure);
  const checkContent = (content: unknown, exchange: Exchange): Ready<Stop | ParsedBody | void> => {
    try {
      if (decoder.isDeeperThan?.(maxDepth, content)) return tooDeep; // schemas recurse into each level
      const checked = check(content);
      return checked instanceof Promise ? addLater(checked, exchange) : addContent(checked, exchange);
    } catch (error) {
      return toDecodeFailure(error); // the body was read
    }
  };
  const fail = (error: unknown, size: number, exchange: Exchange): Stop | void => {
    if (size === 0 && optional) return;
    if (isInstance(error, TooManyFilesError)) return refuse("body-too-large", { detail: error.message });
    return stopUnreadable(error, exchange);
  };
  const checkLater = async (decoded: PromiseLike<unknown>, size: number, exchange: Exchange): Promise<ReadBody> => {
    let content: unknown;
    try {
      content = await decoded; // a custom decoder may take long
    } catch (error) {
      return fail(error, size, exchange) ?? noContent;
    }
    return exchange.isGone ? new Disconnect() : await checkContent(content, exchange) ?? noContent;
  };
  return (content, exchange) => {
    if (content === undefined) return refuse("body-too-large");
    if (content === noContent) return;
    if (content instanceof Stop) return content;
    if (content instanceof ParsedBody) return checkContent(content.value, exchange);
    const { headers } = exchange;
    const { length } = content;
    const unseen = typeof content === "string" ? 3 : 0; // a text has no byte order mark
    if (length === 0 && contentLengthOf(headers) > unseen) return failTaken(label); // no connection delivers less than that
    let decoded: unknown;
    try {
      decoded = typeof content === "string"
        ? decoder.decodeText!(content) // only such content is read as text
        : decoder.decode(content, { contentType: headers.get("content-type") ?? "", isDescribed, representation });
      if (isPromise(decoded)) return checkLater(decoded, length, exchange);
    } catch (error) {
      return fail(error, length, exchange);
    }
    return checkContent(decoded, exchange);
  };
}

/** Adds the value of the body, or returns a refusal with its issues. */
function addContent(body: Checked | Stop, exchange: Exchange): Stop | void {
  if (body instanceof Stop) return body;
  if (body.issues) return refuse("invalid-request", reportIssues([["body", body.issues]]));
  exchange.slots.body = body.value;
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
  text: { decode: decodeWhole, isText: true },
  bytes: { decode: decodeWhole, isOfBytes: true },
  form: { decode: decodeForm, isText: true },
  formData: {
    decode: (content, { contentType, isDescribed }) =>
      isDescribed ? decodeFormData(content, contentType) : readFormData(content, contentType),
  },
  stream: undefined,
  ndjson: undefined,
  as: { decode: decodeWhole, isDeeperThan: isCustomDeeperThan },
};

function decodeWhole(content: Uint8Array<ArrayBuffer>, { representation }: ContentFacts): Awaitable<unknown> {
  const { decode } = wholeBodyOf(representation); // called without `this`
  return decode(content);
}
