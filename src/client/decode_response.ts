/** From a native response to the result of a call. */
import { escapeUnits } from "../messages.ts";
import { type Awaitable, whenReady } from "../awaitable.ts";
import { codecClientOf } from "../contract/codec.ts";
import type { RouteNode } from "../contract/node.ts";
import type { ResponseDeclaration } from "../contract/response.ts";
import { empty } from "../representation/empty.ts";
import type { Schema } from "../schema.ts";
import { mediaTypeEssence, problemType } from "../wire/media_type.ts";
import type { Attempt, ResponsePlan, ResponsePlans } from "./attempt.ts";
import type { ClientErrorCode } from "./error.ts";
import { readExcerpt } from "./read_response.ts";
import type { ClientSettings, ResponseValidation } from "./settings.ts";

/** Plans how the responses of a route are decoded. */
export function planResponses({ method, responses }: RouteNode, { validate }: ClientSettings): ResponsePlans {
  const isHead = method === "HEAD";
  const readerOf: ReaderOf = (schema) => schema && (codecClientOf(schema) ?? validate?.(schema));
  return new Map(
    Object.entries(responses).map(([status, declared]) => [Number(status), planResponse(declared, isHead, readerOf)]),
  );
}

/** Returns what reads the wire values of a schema. `undefined` if they are passed through. */
type ReaderOf = (schema: Schema | undefined) => ReturnType<ResponseValidation> | undefined;

function planResponse(declared: ResponseDeclaration, isHead: boolean, readerOf: ReaderOf): ResponsePlan {
  const { contentType, schema, headers } = declared;
  const representation = isHead ? empty : declared.representation;
  return {
    representation,
    contentType,
    expected: typeof contentType === "string" ? mediaTypeEssence(contentType) : contentType,
    isOfAnyType: isHead || representation.isNative === true,
    isDescribed: schema !== undefined,
    decode: readerOf(schema)?.decode ?? passThrough,
    decodeHeaders: headers && planResponseHeaders(readerOf(headers)),
  };
}

/**
 * Decodes the response of an attempt. Its body is always consumed or cancelled, unless the result reads it later.
 */
export function decodeResponse(attempt: Attempt): Awaitable<void> {
  const { response, plan: { responses } } = attempt;
  const plan = responses.get(response.status);
  const state = plan ? describeMismatch(plan, response.headers) : describeStatus(response, responses.keys());
  if (!plan || state !== undefined) {
    return rejectResponse(attempt, plan ? "unexpected-content-type" : "unexpected-status", state!);
  }
  attempt.declared = plan;
  const { decodeHeaders } = plan;
  return decodeHeaders
    ? whenReady(readFields(decodeHeaders, attempt), (headers) => receive(attempt, headers))
    : receive(attempt, response.headers);
}

function receive(attempt: Attempt, headers: unknown): Awaitable<void> {
  return whenReady(attempt.declared.representation.receive(attempt), (body) => {
    const { response } = attempt;
    attempt.result = { status: response.status, body, headers, response };
  });
}

/** Fails for a response that is not declared. Reads the beginning of its body and cancels the rest. */
async function rejectResponse(
  { response, call, plan }: Attempt,
  code: ClientErrorCode,
  state: string,
): Promise<never> {
  throw plan.fail(code, state, await readExcerpt(response, call.signal));
}

/**
 * Describes why the content type of a response is wrong. A problem document is never an empty response, whatever its
 * status.
 */
function describeMismatch(plan: ResponsePlan, headers: Headers): string | undefined {
  const { contentType, expected, isOfAnyType, representation: { ranges } } = plan;
  const stated = headers.get("content-type") ?? "";
  if (isOfAnyType || stated === contentType) return undefined;
  const received = mediaTypeEssence(stated);
  const isExpected = typeof expected === "object"
    ? ranges?.isResponseWithin(received, expected)
    : expected === undefined
    ? received !== problemType
    : received === expected;
  if (isExpected) return undefined;
  return `content type ${quoteField(received)} is not ${[expected ?? "of an empty response"].flat().join(", ")}`;
}

/** Returns the headers of a result. */
async function readFields(decode: (headers: Headers) => Awaitable<unknown>, attempt: Attempt): Promise<unknown> {
  const { response, call } = attempt;
  try {
    return await decode(response.headers);
  } catch (cause) {
    const { text } = await readExcerpt(response, call.signal);
    throw attempt.toDecodeError(cause, text);
  }
}

/** Plans how declared headers are decoded: first into plain data, then by their reader if there is one. */
function planResponseHeaders(reader: ReturnType<ReaderOf>): ResponsePlan["decodeHeaders"] {
  const { decodeFields = passThrough } = reader ?? {};
  const names = reader?.names();
  return (headers) => {
    const fields = Object.fromEntries(names ? names.flatMap((name) => fieldOf(headers, name)) : headers);
    // cookies are a list, because joining them would make them ambiguous (RFC 6265, section 3)
    return decodeFields("set-cookie" in fields ? { ...fields, "set-cookie": headers.getSetCookie() } : fields);
  };
}

/** Returns the field with this name as a list of at most one entry. */
function fieldOf(headers: Headers, name: string): [name: string, value: string][] {
  const value = headers.get(name);
  return value === null ? [] : [[name, value]];
}

/** The server checks all schemas, so the client passes values through, unless it is told to validate them. */
function passThrough(value: unknown): unknown {
  return value;
}

/** The most characters of a header field that a message quotes. */
const quotedLength = 200;

/** Describes a status that is not declared. For a redirect the message includes its target, and how to follow it. */
function describeStatus(response: Response, declared: Iterable<number>): string {
  const { status, type, headers } = response;
  const isHidden = type === "opaqueredirect";
  const location = status >= 300 && status <= 399 ? headers.get("location") : null;
  const received = isHidden ? "a redirect, which the browser hides," : `status ${status}`;
  const target = location === null ? "" : `; it redirects to ${quoteField(location)}`;
  const follow = target || isHidden
    ? `${target}; declare it, or pass init: { redirect: "follow" } to follow redirects to any server`
    : "";
  return `${received} is not declared (declared: ${[...declared].join(", ")})${follow}`;
}

/** Quotes a header field from another server: at most its beginning, in printable ASCII. */
function quoteField(value: string): string {
  const text = value.length > quotedLength ? `${value.slice(0, quotedLength)}…` : value;
  return JSON.stringify(text).replace(/[^ -~…]/g, escapeUnits);
}
