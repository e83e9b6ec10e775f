import { type Awaitable } from "../awaitable.ts";
import { codecClientOf } from "../contract/codec.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { empty } from "../representation/empty.ts";
import { type Incoming, type ResponseRepresentation } from "../representation/representation.ts";
import { type Schema } from "../schema.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { problemType } from "../wire/problem.ts";
import { describeStatus, quoteField } from "./describe_response.ts";
import { messageOf } from "./error.ts";
import { decodeBeginning, readExcerpt } from "./excerpt.ts";
import { readWhole, readWholeText, type WholeReading } from "./read_whole.ts";

export interface DecodedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: unknown;
  readonly response: Response;
}

/** A response, with everything that decoding it needs. */
export interface Reading extends WholeReading, Pick<Incoming, "request" | "response" | "explain" | "release"> {
  /** The most milliseconds that a stream may stay silent. */
  readonly silence: number;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
}

/** How the responses with one status are decoded. */
export interface ResponsePlan {
  readonly representation: ResponseRepresentation;
  /** The declared content type. */
  readonly contentType: ResponseDeclaration["contentType"];
  /**
   * The essence of the required content type, or the accepted ranges. `undefined` for an empty response, or if any type
   * is accepted.
   */
  readonly expected: string | readonly string[] | undefined;
  /** Whether any content type is accepted. */
  readonly isOfAnyType: boolean;
  readonly isDescribed: boolean;
  readonly decode: Decode;
  /** Decodes the headers. Absent if none are declared. */
  readonly decodeHeaders: ((headers: Headers) => Awaitable<unknown>) | undefined;
}

/** How the responses of a route are decoded, by status. */
export type ResponsePlans = ReadonlyMap<number, ResponsePlan>;

/** Returns the application's value for a value on the wire. */
type Decode = (value: unknown) => Awaitable<unknown>;

/** Plans how the responses of a route are decoded. */
export function planResponses({ method, responses }: RouteNode): ResponsePlans {
  const isHead = method === "HEAD";
  return new Map(
    Object.entries(responses).map(([status, declared]) => [Number(status), planResponse(declared, isHead)]),
  );
}

function planResponse(declared: ResponseDeclaration, isHead: boolean): ResponsePlan {
  const { contentType, schema, headers } = declared;
  const representation = isHead ? empty : declared.representation;
  return {
    representation,
    contentType,
    expected: typeof contentType === "string" ? mediaTypeEssence(contentType) : contentType,
    isOfAnyType: isHead || representation.isNative === true,
    isDescribed: schema !== undefined,
    decode: planCodec(schema),
    decodeHeaders: planResponseHeaders(headers),
  };
}

/** Decodes a response. Its body is always consumed or cancelled, unless the result reads it later. */
export async function decodeResponse(plans: ResponsePlans, reading: Reading): Promise<DecodedResponse> {
  const { response, signal, fail } = reading;
  const { status, headers } = response;
  const plan = plans.get(status);
  const state = plan ? describeMismatch(plan, headers) : describeStatus(response, plans.keys());
  if (!plan || state !== undefined) {
    const code = plan ? "unexpected-content-type" : "unexpected-status";
    throw fail(code, state!, await readExcerpt(response, signal)); // reads the beginning of the body and cancels the rest
  }
  const { decode, isDescribed, decodeHeaders, representation } = plan;
  const incoming = {
    ...reading,
    decode,
    isDescribed,
    readBytes: () => readWhole(reading),
    readText: () => readWholeText(reading),
    refuse: planRefuse(reading),
  };
  const fields = decodeHeaders ? await readFields(decodeHeaders, incoming) : headers;
  return { status, body: await representation.receive(incoming), headers: fields, response };
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

/** Creates the function that returns the error for content that cannot be decoded. */
function planRefuse({ response, fail }: Reading): Incoming["refuse"] {
  return (cause, content, what = "its body or its headers") =>
    fail("invalid-body", `${what} cannot be decoded: ${messageOf(cause)}`, {
      response,
      text: content && decodeBeginning(content),
      cause,
    });
}

/** Returns the headers of a result. */
async function readFields(
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

/** Plans how declared headers are decoded: first into plain data, then by the codec if there is one. */
function planResponseHeaders(schema: Schema | undefined): ResponsePlan["decodeHeaders"] {
  if (!schema) return undefined;
  const decode = planCodec(schema);
  const names = codecClientOf(schema)?.names();
  return (headers) => {
    const fields = Object.fromEntries(names ? names.flatMap((name) => fieldOf(headers, name)) : headers);
    // cookies are a list, because joining them would make them ambiguous (RFC 6265, section 3)
    return decode("set-cookie" in fields ? { ...fields, "set-cookie": headers.getSetCookie() } : fields);
  };
}

/** Returns the field with this name as a list of at most one entry. */
function fieldOf(headers: Headers, name: string): [name: string, value: string][] {
  const value = headers.get(name);
  return value === null ? [] : [[name, value]];
}

/**
 * Returns what decodes a codec's wire value. The server checks all other schemas, so the client passes their values
 * through.
 */
function planCodec(schema: Schema | undefined): Decode {
  return codecClientOf(schema)?.decode ?? ((value) => value);
}
