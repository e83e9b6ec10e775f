import { attempt, type Ready, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type Checked, declaredKeys, type Schema, toCheck } from "../schema.ts";
import { routeLabel } from "../messages.ts";
import { Failure, type Outcome, Stop } from "../server/result.ts";
import { type Slots } from "../server/call.ts";
import { readHeaders } from "../wire/headers.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { reportIssues } from "../wire/problem.ts";
import { parseQuery } from "../wire/text_fields.ts";
import { type DecodedRequest, type StreamedBody } from "./body_stream.ts";
import { type BodySettings, checkFields, planBody, toDecodeFailure } from "./decode_body.ts";
import { refuse, unlessDisconnected } from "./refusal.ts";
import { queryOf } from "./url.ts";

/** Decodes and validates the inputs that a route declares, or returns why they are invalid. */
export type DecodeRequest = (request: Request, params: RawParams) => Outcome<DecodedRequest>;

/** The decoded parameters of a path, by name. */
export type RawParams = Readonly<Record<string, string>>;

/**
 * Plans how to decode the requests of a route. Inputs that are not declared are not read. The body is read only if all
 * other inputs are valid.
 */
export function planDecode(node: RouteNode, settings: BodySettings): DecodeRequest {
  const decodeHead = planHead(node);
  if (node.body === undefined) return decodeHead;
  const decodeBody = planBody(node.body, settings);
  const addContentType = typeof node.body.contentType === "string" ? undefined : readContentType;
  const decodeRest = (slots: Slots | Stop, request: Request): Outcome<DecodedRequest> =>
    slots instanceof Stop ? slots : whenReady(decodeBody(request), addBody, addContentType?.(slots, request) ?? slots);
  return (request, params) => whenReady(decodeHead(request, params), decodeRest, request);
}

/**
 * Throws if the requests of a route cannot be decoded as declared. It runs at mount, because plans are made at a
 * route's first request.
 */
export function checkDecode(node: RouteNode): void {
  if (node.headers) declaredKeys(node.headers)?.forEach((name) => checkFieldName(name, node));
}

function planHead({ params, query, headers }: RouteNode): DecodeRequest {
  if (!params && !query && !headers) {
    return (_, raw) => ({ params: raw, query: undefined, headers: undefined, body: undefined });
  }
  const checkParams = params ? planParams(params) : passParams;
  const checkQuery = query ? planQuery(query) : passNothing;
  const checkHeaders = headers ? planHeaders(headers) : passNothing;
  return (request, raw) => {
    const params = checkParams(request, raw);
    const query = checkQuery(request, raw);
    const headers = checkHeaders(request, raw);
    if (!(params instanceof Promise || query instanceof Promise || headers instanceof Promise)) {
      return collectSlots({ params, query, headers });
    }
    const all = Promise.all([params, query, headers]);
    return unlessDisconnected(
      all.then(([params, query, headers]) => collectSlots({ params, query, headers })),
      request,
    );
  };
}

/**
 * Reads one input from a request's head, and validates it. It never rejects, because the schema of another input may
 * still be running.
 */
type CheckSlot = (request: Request, raw: RawParams) => Ready<CheckedSlot>;

/** The outcome of validating an input. */
type CheckedSlot = Checked | Failure;

/** Parameters without a schema are passed as strings. */
function passParams(_: Request, value: RawParams): Checked {
  return { value };
}

/** An input that is not declared is not read. */
function passNothing(): Checked {
  return nothing;
}

const nothing: Checked = { value: undefined };

function planParams(schema: Schema): CheckSlot {
  const check = toCheck(schema);
  return (_, raw) => attempt(() => check(raw), toDecodeFailure);
}

function planQuery(schema: Schema): CheckSlot {
  const check = toCheck(schema);
  return ({ url }) => attempt(() => checkFields(check, parseQuery(queryOf(url))), toDecodeFailure);
}

function planHeaders(schema: Schema): CheckSlot {
  const check = toCheck(schema);
  const names = declaredKeys(schema);
  return ({ headers }) => attempt(() => check(readHeaders(headers, names)), toDecodeFailure);
}

/**
 * Throws if a header schema declares a name that a request cannot have: names are tokens (RFC 9110, section 5.1), here
 * in lowercase.
 */
function checkFieldName(name: string, node: RouteNode): void {
  if (/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return;
  throw new TypeError(
    `Cannot mount ${routeLabel(node)}: "headers" must declare lower-case header names, got ${JSON.stringify(name)}`,
  );
}

/** The outcomes of validating the inputs of a route. */
interface CheckedSlots {
  readonly params: CheckedSlot;
  readonly query: CheckedSlot;
  readonly headers: CheckedSlot;
}

/** The values of the inputs, or a refusal with the issues of all of them. */
function collectSlots({ params, query, headers }: CheckedSlots): DecodedRequest | Stop {
  if (params instanceof Failure) return params;
  if (query instanceof Failure) return query;
  if (headers instanceof Failure) return headers;
  if (!params.issues && !query.issues && !headers.issues) {
    return { params: params.value, query: query.value, headers: headers.value, body: undefined };
  }
  const parts = [["params", params.issues], ["query", query.issues], ["headers", headers.issues]] as const;
  return refuse("invalid-request", reportIssues(parts));
}

/** Adds `contentType` to the inputs, if the body can have one of several media types. */
function readContentType(slots: Slots, { headers }: Request): Slots {
  const contentType = headers.get("content-type");
  return { ...slots, contentType: contentType === null ? undefined : mediaTypeEssence(contentType) };
}

function addBody(body: Checked | StreamedBody | Stop, slots: Slots): DecodedRequest | Stop {
  if (body instanceof Stop) return body;
  if (body.issues) return refuse("invalid-request", reportIssues([["body", body.issues]]));
  const { params, query, headers, contentType } = slots;
  const bodyStop = "bodyStop" in body ? body.bodyStop : undefined;
  return { params, query, headers, contentType, body: body.value, bodyStop };
}
