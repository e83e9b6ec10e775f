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
import { readWhole, type WholeReading } from "./read_whole.ts";

/** A decoded response. */
export interface DecodedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: unknown;
  readonly response: Response;
}

/** The response of a call, and what it is read with. */
export interface Reading extends WholeReading, Pick<Incoming, "request" | "response" | "explain" | "release"> {
  /** The most milliseconds without a byte of a stream. */
  readonly silence: number;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
}

/** How the responses of one status are decoded. */
export interface ResponsePlan {
  readonly representation: ResponseRepresentation;
  /** The content type that is declared. */
  readonly contentType: ResponseDeclaration["contentType"];
  /** The essence of the content type that it must have, or the ranges; `undefined` where it has no content, or any. */
  readonly expected: string | readonly string[] | undefined;
  /** Whether its content type does not matter. */
  readonly isOfAnyType: boolean;
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

/** Decodes a response. Its body is consumed or cancelled in any case, except for one that the result is to read. */
export async function decodeResponse(plans: ResponsePlans, reading: Reading): Promise<DecodedResponse> {
  const { response, signal, fail } = reading;
  const { status, headers } = response;
  const plan = plans.get(status);
  const state = plan ? describeMismatch(plan, headers) : describeStatus(response, plans.keys());
  if (!plan || state !== undefined) {
    const code = plan ? "unexpected-content-type" : "unexpected-status";
    throw fail(code, state!, await readExcerpt(response, signal)); // its body is read for the beginning alone
  }
  const { decode, isDescribed, decodeHeaders, representation } = plan;
  const incoming = {
    ...reading,
    decode,
    isDescribed,
    readBytes: () => readWhole(reading),
    refuse: planRefuse(reading),
  };
  const fields = decodeHeaders ? await readFields(decodeHeaders, incoming) : headers;
  return { status, body: await representation.receive(incoming), headers: fields, response };
}

/** What is wrong with a response's content type; a problem document is no empty response either, whatever its status. */
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

/** What makes the errors of content that cannot be decoded. */
function planRefuse({ response, fail }: Reading): Incoming["refuse"] {
  return (cause, content, what = "its body or its headers") =>
    fail("invalid-body", `${what} cannot be decoded: ${messageOf(cause)}`, {
      response,
      text: content && decodeBeginning(content),
      cause,
    });
}

/** The header fields of a result. */
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

/** What decodes headers that are declared: into plain data, and by a codec. */
function planResponseHeaders(schema: Schema | undefined): ResponsePlan["decodeHeaders"] {
  if (!schema) return undefined;
  const decode = planCodec(schema);
  const names = codecClientOf(schema)?.names();
  return (headers) => {
    const fields = Object.fromEntries(names ? names.flatMap((name) => fieldOf(headers, name)) : headers);
    // cookies are a list, for they cannot be joined (RFC 6265, section 3)
    return decode("set-cookie" in fields ? { ...fields, "set-cookie": headers.getSetCookie() } : fields);
  };
}

/** The field of a name, if there is one. */
function fieldOf(headers: Headers, name: string): [name: string, value: string][] {
  const value = headers.get(name);
  return value === null ? [] : [[name, value]];
}

/** What gives the application value of a codec's wire value; any other schema was the server's to check. */
function planCodec(schema: Schema | undefined): Decode {
  return codecClientOf(schema)?.decode ?? ((value) => value);
}
