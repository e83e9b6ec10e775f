import { type Awaitable } from "../awaitable.ts";
import { codecClientOf } from "../contract/codec.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { empty } from "../representation/empty.ts";
import { isInstance } from "../is_instance.ts";
import { type Incoming, type ResponseRepresentation } from "../representation/representation.ts";
import { type Schema } from "../schema.ts";
import { readHeaders } from "../wire/headers.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { problemType } from "../wire/problem.ts";
import { describeStatus, quoteField } from "./describe_response.ts";
import { type ClientError, type ClientErrorCode } from "./error.ts";
import { decodeBeginning, readExcerpt } from "./excerpt.ts";
import { readWhole, type WholeReading } from "./read_whole.ts";

/** A decoded response. */
export interface DecodedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: unknown;
  readonly response: Response;
}

/** What the responses of one call are read with. */
export interface Reading extends WholeReading {
  /** The request that they answer. */
  readonly request: Request;
  /** The most milliseconds without a byte of a stream; `undefined` where any time will do. */
  readonly silence: number | undefined;
  /** The error that a caller gets of a failure. */
  readonly explain: (cause: unknown, response: Response) => Error;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
  /** Releases what the call holds; called once a body that is read later has ended. */
  readonly release: () => void;
}

/** How the responses of one status are decoded. */
export interface ResponsePlan {
  readonly representation: ResponseRepresentation;
  /** The content type that is declared. */
  readonly contentType: ResponseDeclaration["contentType"];
  /** The essence of the content type that it must have, or the ranges; `undefined` where it has no content, or any. */
  readonly expected: string | readonly string[] | undefined;
  readonly isHead: boolean;
  readonly isDescribed: boolean;
  readonly decode: Decode;
  /** Decodes the headers; absent where none are declared. */
  readonly decodeHeaders: ((headers: Headers) => Awaitable<unknown>) | undefined;
}

/** How the responses of a route are decoded, by status. */
export type ResponsePlans = ReadonlyMap<number, ResponsePlan>;

/** Gives the application's value for what is on the wire. */
type Decode = (value: unknown) => Awaitable<unknown>;

/** Plans the responses of a route. */
export function planResponses({ method, responses }: RouteNode): ResponsePlans {
  const isHead = method === "HEAD";
  return new Map(
    Object.entries(responses).map(([status, declared]) => [Number(status), planResponse(declared, isHead)]),
  );
}

function planResponse(declared: ResponseDeclaration, isHead: boolean): ResponsePlan {
  const { contentType, schema, headers } = declared;
  return {
    representation: isHead ? empty : declared.representation,
    contentType,
    expected: typeof contentType === "string" ? mediaTypeEssence(contentType) : contentType,
    isHead,
    isDescribed: schema !== undefined,
    decode: planCodec(schema),
    decodeHeaders: planResponseHeaders(headers),
  };
}

/** Decodes a response. Its body is consumed or cancelled in any case, except for one that the result is to read. */
export async function decodeResponse(
  plans: ResponsePlans,
  response: Response,
  reading: Reading,
): Promise<DecodedResponse> {
  const { status } = response;
  const plan = plans.get(status);
  if (!plan) throw await refuseUnread("unexpected-status", describeStatus(response, plans.keys()), response, reading);
  const mismatch = describeMismatch(plan, response);
  if (mismatch) throw await refuseUnread("unexpected-content-type", mismatch, response, reading);
  const incoming = toIncoming(plan, response, reading);
  const headers = plan.decodeHeaders ? await decodeHeaders(plan.decodeHeaders, incoming) : response.headers;
  return { status, body: await plan.representation.receive(incoming), headers, response };
}

/** The error for a response that is not a declared one: its body is read for the beginning alone. */
async function refuseUnread(
  code: ClientErrorCode,
  state: string,
  response: Response,
  { signal, fail }: Reading,
): Promise<ClientError> {
  return fail(code, state, await readExcerpt(response, signal));
}

/** What is wrong with a response's content type; a problem document is no empty response either, whatever its status. */
function describeMismatch(plan: ResponsePlan, { headers }: Response): string | undefined {
  const { contentType, expected, isHead, representation: { isNative, ranges } } = plan;
  if (isNative || isHead) return undefined;
  const stated = headers.get("content-type") ?? "";
  if (stated === contentType) return undefined;
  const received = mediaTypeEssence(stated);
  const isExpected = typeof expected === "object"
    ? ranges?.isResponseWithin(received, expected)
    : expected === undefined
    ? received !== problemType
    : received === expected;
  if (isExpected) return undefined;
  return `content type ${quoteField(received)} is not ${[expected ?? "of an empty response"].flat().join(", ")}`;
}

function toIncoming({ decode, isDescribed }: ResponsePlan, response: Response, reading: Reading): Incoming {
  const { request, signal, silence, maxRecordBytes, explain, release, fail } = reading;
  return {
    request,
    response,
    silence,
    fail,
    signal,
    maxRecordBytes,
    isDescribed,
    decode,
    release,
    explain: (cause) => explain(cause, response),
    readBytes: () => readWhole(response, reading),
    refuse: (cause, content, what = "its body or its headers") => {
      const state = `${what} cannot be decoded: ${isInstance(cause, Error) ? cause.message : "a codec threw"}`;
      return fail("invalid-body", state, { response, text: content && decodeBeginning(content), cause });
    },
  };
}

/** The header fields of a result. */
async function decodeHeaders(
  decode: (headers: Headers) => Awaitable<unknown>,
  { response, refuse, signal }: Incoming,
): Promise<unknown> {
  try {
    return await decode(response.headers);
  } catch (cause) {
    const { text } = await readExcerpt(response, signal);
    throw refuse(cause, text);
  }
}

/** What decodes headers that are declared: into plain data, and by a codec. */
function planResponseHeaders(schema: Schema | undefined): ResponsePlan["decodeHeaders"] {
  if (!schema) return undefined;
  const decode = planCodec(schema);
  const names = codecClientOf(schema)?.names();
  return (headers) => decode(readFields(headers, names));
}

/** What gives the application value of a codec's wire value; any other schema was the server's to check. */
function planCodec(schema: Schema | undefined): Decode {
  return codecClientOf(schema)?.decode ?? ((value) => value);
}

/** Header fields by lower-case name; cookies as a list, since they can't be joined (RFC 6265, section 3). */
function readFields(headers: Headers, names: readonly string[] | undefined): Record<string, unknown> {
  const fields = readHeaders(headers, names);
  return "set-cookie" in fields ? { ...fields, "set-cookie": headers.getSetCookie() } : fields;
}
