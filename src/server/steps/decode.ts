/** Reads, decodes and validates the inputs of a request: those of its head, then its body, which a verifier may see before. */
import { type Awaitable, type Ready, whenReady } from "../../awaitable.ts";
import { toRequestCheck } from "../../contract/codec.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import { isInstance } from "../../mark.ts";
import { routeLabel } from "../../messages.ts";
import { failAt, isPlainObject } from "../../options.ts";
import { hasParameters, parameterNames } from "../../path.ts";
import { decodeJson, isCustomDeeperThan, wholeBodyOf } from "../../representation/whole_body.ts";
import { decodeForm, decodeFormData, readFormData } from "../../representation/form.ts";
import { type Check, type Checked, declaredKeys, type Schema, undescribedKeys } from "../../schema.ts";
import { contentLengthOf, isToken, readHeaders, tokenPattern } from "../../wire/headers.ts";
import { isDeeperThan, parseJson } from "../../wire/json.ts";
import { isUtf8, isWithin, mediaTypeEssence } from "../../wire/media_type.ts";
import { TooManyFilesError } from "../../wire/multipart.ts";
import { createProblem } from "../../wire/problem.ts";
import { type Fields, parseQuery } from "../../wire/text_fields.ts";
import type { RequestHeaders } from "../define/call.ts";
import { type Failure, Stop, toFailure } from "../define/result.ts";
import type { Endpoint } from "../define/implementation.ts";
import { Refusal, refuse, refuseIssues } from "../http/answer.ts";
import { type Content, type Exchange, ParsedBody, type PathParams, queryOf, type Step } from "../http/exchange.ts";
import { addStream, failTaken, planItems, stopUnread, stopUnreadable } from "./body_stream.ts";
import { checkFields } from "./check_fields.ts";

/**
 * Plans the steps that decode and validate the inputs of a route. Inputs that are not declared are not read. The body
 * is read only if all other inputs are valid.
 */
export function planDecode(node: RouteNode, settings: BodySettings): Step[] {
  const { path, params, query, headers, body } = node;
  if (!hasParameters(path) && !(params || query || headers || body)) return [];
  const head = planHead(node, settings);
  return body ? [head, ...planBody(node, body, settings)] : [head];
}

/**
 * Throws if a header schema declares a name that a request cannot have: names are tokens (RFC 9110, section 5.1), here
 * in lowercase. It runs at mount, because plans are made at a route's first request.
 */
export function checkDecode(node: RouteNode): void {
  const names = node.headers && declaredKeys(node.headers);
  const wrong = names?.find((name) => !isToken(name) || name !== name.toLowerCase());
  if (wrong === undefined) return;
  const state = `"headers" must declare lower-case header names, got ${JSON.stringify(wrong)}`;
  failAt(`Cannot mount ${routeLabel(node)}`, state);
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
        ? Promise.all([params, query, headers]).then(([params, query, headers]) => ({ params, query, headers }))
        : { params, query, headers };
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

/** The outcome of validating an input of the head. */
type CheckedInput = Checked & { readonly failure?: Failure };

/**
 * Validates an input. A schema that throws or rejects is a failure, because that of another input may still be running,
 * and the first one is reported. It does not use `attempt()`: V8 cannot inline a call that everything shares, which takes
 * 80 ns.
 */
function validate<Part>(check: CheckPart<Part>, part: Part): Ready<CheckedInput> {
  try {
    const checked = check(part);
    return checked instanceof Promise ? checked.catch(toFailedInput) : checked;
  } catch (error) {
    return toFailedInput(error);
  }
}

function toFailedInput(error: unknown): CheckedInput {
  return { issues: [], failure: toFailure("decode", error) };
}

/** The outcomes of all inputs of the head. */
type CheckedHead = Readonly<Record<"params" | "query" | "headers", CheckedInput>>;

/** Adds the values of the inputs, or returns a refusal with the issues of all of them. */
function addHead({ params, query, headers }: CheckedHead, exchange: Exchange): Stop | void {
  if (!params.issues && !query.issues && !headers.issues) {
    exchange.slots = { params: params.value, query: query.value, headers: headers.value, body: undefined };
    return;
  }
  const report = { params: params.issues, query: query.issues, headers: headers.issues };
  return params.failure ?? query.failure ?? headers.failure ?? refuseIssues(report);
}

/** The settings for reading bodies. */
export interface BodySettings {
  /** The maximum size in bytes of a body whose declaration has no limit. `Infinity` for no limit. */
  readonly maxBodyBytes: number;
  /** The maximum number of levels of nested arrays and objects. */
  readonly maxDepth: number;
}

/** Plans the steps for the declared body of a route: they read, decode and validate it, unless the handler reads it. */
function planBody(node: RouteNode, body: RequestBody, settings: BodySettings): Step[] {
  const decoder = contentDecoders[body.kind];
  const read = planRead(node, body, decoder, settings);
  return decoder.decode
    ? [read, planDecodeContent(body, decoder, decoder.decode), planCheck(body, decoder, settings.maxDepth)]
    : [read];
}

/**
 * Plans the step that checks the media type and content coding of a body, then its length, and reads it. A body that the
 * handler reads as it arrives is added as such.
 */
function planRead(
  node: RouteNode,
  body: RequestBody,
  decoder: ContentDecoder,
  { maxBodyBytes, maxDepth }: BodySettings,
): Step {
  const { optional, contentType } = body;
  const declared = typeof contentType === "string" ? mediaTypeEssence(contentType) : contentType;
  const accepts = toAccepts(declared, decoder.isText === true);
  const acceptsEncoded = decoder.isOfBytes && node.headers && declaredKeys(node.headers)?.includes("content-encoding");
  const maxBytes = body.maxBytes ?? maxBodyBytes;
  const asText = decoder.decodeText !== undefined && !optional;
  const readItems = decoder.planItems?.(body, maxDepth);
  const take = (exchange: Exchange): unknown => {
    const { headers } = exchange;
    const seen = exchange.content as Content | undefined; // by a verifier
    exchange.content = undefined;
    const contentType = headers.get("content-type");
    if (optional && contentType === null && contentLengthOf(headers) === 0) return readUntyped(exchange, body, seen);
    if (contentType !== declared && !accepts(contentType)) return refuse("unsupported-media-type");
    const coding = headers.get("content-encoding");
    if (coding !== null && !acceptsEncoded && !identity.test(coding)) return encoded;
    if (maxBytes !== Infinity && contentLengthOf(headers) > maxBytes) return refuse("body-too-large");
    if (!seen && !exchange.takeBody(body)) return failTaken(exchange);
    if (typeof declared === "object") {
      exchange.slots = { ...exchange.slots, contentType: mediaTypeEssence(contentType!) }; // it was accepted
    }
    if (!decoder.decode) {
      addStream(exchange, maxBytes, readItems);
      return null;
    }
    if (!seen) return exchange.readBody(maxBytes, asText);
    return seen.length > maxBytes ? undefined : seen;
  };
  return { phase: "decode", take, accept: acceptContent, recover: stopUnread };
}

/** Reads a body without a media type and a length. It is absent if it has no byte, and the format of any other is unknown. */
function readUntyped(exchange: Exchange, body: RequestBody, seen: Content | undefined): unknown {
  if (!seen && !exchange.takeBody(body)) return failTaken(exchange);
  return whenReady(seen ?? exchange.readBody(0, true), refuseUntyped);
}

function refuseUntyped(read: Content | ParsedBody | undefined): Stop | null {
  return read === undefined || (read as Content).length > 0 ? refuse("unsupported-media-type") : null; // a parsed body has no length
}

/**
 * What was read of a body: `undefined` if it is longer than the maximum, and `null` if there is nothing to decode. Or why
 * it was not read.
 */
type ReadContent = Content | ParsedBody | Stop | null | undefined;

/** Adds the content of a body to the exchange, from which it is decoded later. */
function acceptContent(read: ReadContent, exchange: Exchange): Stop | void {
  if (read === null) return;
  if (read instanceof Stop) return read;
  if (read === undefined) return refuse("body-too-large");
  const unseen = typeof read === "string" ? 3 : 0; // a text has no byte order mark
  const isEmpty = (read as Content).length === 0; // a parsed body has no length
  if (isEmpty && contentLengthOf(exchange.headers) > unseen) return failTaken(exchange); // no connection delivers less than that
  exchange.content = read;
}

/**
 * Plans the step that reads the content of a body for a verifier. What a parser has made of a body is not what the caller
 * has signed, so it is not taken over.
 */
export function planContent({ node }: Endpoint, maxBytes: number): Step {
  return {
    phase: "security",
    take(exchange): unknown {
      const seen = exchange.content as Uint8Array | undefined; // by another verifier
      if ((seen?.byteLength ?? contentLengthOf(exchange.headers)) > maxBytes) return refuse("body-too-large");
      if (seen) return null;
      if (exchange.isBodyUsed || !exchange.takeBody(node.body!)) return failTaken(exchange); // a route with a signature has a body
      return exchange.readBody(maxBytes, false);
    },
    accept: acceptContent,
    recover: stopUnread,
  };
}

/** Matches a `content-encoding` that names no content coding, such as gzip (RFC 9110, section 8.4). */
const identity = /^(?:identity)?$/i;

/** The refusal of a body with a content coding (RFC 9110, section 15.5.16). */
const encoded = /* @__PURE__ */ new Refusal(/* @__PURE__ */ createProblem("unsupported-media-type"), {
  "accept-encoding": "identity",
});

/**
 * Returns whether a request's media type is the declared one, or matches a declared range. For JSON, every `+json` type
 * is accepted too (RFC 6839, section 3.1). Text that is decoded as UTF-8 must not have another charset.
 */
function toAccepts(declared: RequestBody["contentType"], isText: boolean): (received: string | null) => boolean {
  const ranges = [declared].flat();
  return (received) => {
    if (received === null) return false;
    const essence = mediaTypeEssence(received);
    const isOfType = isWithin(essence, ranges) || declared === "application/json" && jsonSuffixed.test(essence);
    return isOfType && (!isText || isUtf8(received));
  };
}

/** A type and a subtype of token characters (RFC 9110, section 5.6.2) that ends in `+json`. */
const jsonSuffixed = /* @__PURE__ */ tokenPattern((token) => `^${token}/${token}\\+json$`);

/** Plans the step that decodes the content of a body that was read. */
function planDecodeContent(body: RequestBody, { decodeText }: ContentDecoder, decode: Decode): Step {
  return {
    phase: "decode",
    take(exchange): unknown {
      const { content } = exchange;
      if (content === undefined) return undefined; // it is absent
      if (typeof content === "string") return decodeText!(content); // only such content is read as text
      return content instanceof ParsedBody ? content.value : decode(content, body, exchange);
    },
    accept(value: unknown, { slots }): void {
      slots.body = value;
    },
    recover(error, exchange): Stop | void {
      const content = exchange.content as Content; // a parsed body does not fail
      exchange.content = undefined;
      if (body.optional && content.length === 0) return;
      if (isInstance(error, TooManyFilesError)) return refuse("body-too-large", { detail: error.message });
      return stopUnreadable(error, exchange);
    },
    needsClient: true, // a custom decoder may take long
  };
}

/** Plans the step that validates the decoded value of a body. */
function planCheck(body: RequestBody, { isDeeperThan }: ContentDecoder, maxDepth: number): Step {
  const { schema, representation } = body;
  const checkValue: Check = schema ? toRequestCheck(schema, maxDepth) : (value) => ({ value });
  const check: Check = schema && representation.describes === "fields"
    ? (fields) => checkFields(checkValue, fields as Fields<string | File>)
    : checkValue;
  return {
    phase: "decode",
    take(exchange): unknown {
      if (exchange.content === undefined) return notDeclared; // it is absent
      exchange.content = undefined;
      const { body } = exchange.slots;
      if (!isDeeperThan?.(maxDepth, body)) return check(body); // schemas recurse into each level
      return refuse("invalid-body", { detail: `The body has more than ${maxDepth} levels of nesting` });
    },
    accept(checked: Checked | Stop, { slots }): Stop | void {
      if (checked instanceof Stop) return checked;
      if (checked.issues) return refuseIssues({ body: checked.issues });
      slots.body = checked.value;
    },
    needsClient: true,
  };
}

/** Decodes whole content. Throws if it is malformed. */
type Decode = (content: Uint8Array<ArrayBuffer>, body: RequestBody, exchange: Exchange) => Awaitable<unknown>;

/** How to decode the content of a request. */
interface ContentDecoder {
  /** `undefined` for a body that the handler reads as it arrives. */
  readonly decode?: Decode;
  /** Plans how the handler reads the items of the body. */
  readonly planItems?: typeof planItems;
  /** Decodes whole content that the runtime has read as text, which it may do faster. */
  readonly decodeText?: (text: string) => unknown;
  /** Whether content is decoded as UTF-8. */
  readonly isText?: true;
  /** Whether handlers receive the bytes. */
  readonly isOfBytes?: true;
  /** Whether a decoded value has more levels than the maximum. Absent if values are not nested. */
  readonly isDeeperThan?: (maxDepth: number, value: unknown) => boolean;
}

/** The decoder of each representation. */
export const contentDecoders: Readonly<Record<RequestKind, ContentDecoder>> = {
  json: { decode: decodeJson, decodeText: parseJson, isText: true, isDeeperThan },
  text: { decode: decodeWhole, isText: true },
  bytes: { decode: decodeWhole, isOfBytes: true },
  form: { decode: decodeForm, isText: true },
  formData: {
    decode(content, { schema }, { headers }): unknown {
      const contentType = headers.get("content-type") ?? "";
      return schema ? decodeFormData(content, contentType) : readFormData(content, contentType);
    },
  },
  stream: { isOfBytes: true },
  ndjson: { planItems, isText: true },
  as: { decode: decodeWhole, isDeeperThan: isCustomDeeperThan },
};

function decodeWhole(content: Uint8Array<ArrayBuffer>, { representation }: RequestBody): Awaitable<unknown> {
  const { decode } = wholeBodyOf(representation); // called without `this`
  return decode(content);
}
