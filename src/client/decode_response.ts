/** From a native response to the result of a call. */
import { type Awaitable } from "../awaitable.ts";
import { codecClientOf } from "../contract/codec.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { isInMemory } from "../native_response.ts";
import { empty } from "../representation/empty.ts";
import { type Incoming, type ResponseRepresentation } from "../representation/representation.ts";
import { type Schema } from "../schema.ts";
import { joinSignals } from "../signals.ts";
import { byteLength, discardBody, readBody } from "../wire/read_bytes.ts";
import { contentLengthOf } from "../wire/headers.ts";
import { isProblem, mediaTypeEssence, problemType } from "../wire/media_type.ts";
import { type Problem, toProblem } from "../wire/problem.ts";
import { readJson } from "../wire/json.ts";
import { type ClientErrorDetails, type Fail, messageOf } from "./error.ts";

export interface DecodedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: unknown;
  readonly response: Response;
}

/** A response, with everything that decoding it needs. */
interface Reading extends WholeReading, Pick<Incoming, "request" | "response" | "explain" | "release"> {
  /** The most milliseconds that a stream may stay silent. */
  readonly silence: number;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
}

/** How the responses with one status are decoded. */
interface ResponsePlan {
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

/** Parts of the messages about responses that the contract does not declare. */

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
  return JSON.stringify(text).replace(
    /[^ -~…]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A response, and how its whole body is read. */
interface WholeReading {
  readonly response: Response;
  /** Ends the reading when it aborts. */
  readonly signal: AbortSignal | undefined;
  readonly fail: Fail;
  /** The most bytes of a body that is read as a whole. */
  readonly maxBodyBytes: number;
}

/**
 * Reads a whole body. Its bytes are counted as they arrive, after decompression, so a declared length allocates no
 * memory. The platform's own reader is faster where it is safe. In Deno it takes 1 µs instead of 3 for a body that a
 * mounted handler has in memory. It takes 60 µs instead of 140 for a short body from a socket, if the call has no
 * signal.
 */
async function readWhole(reading: WholeReading): Promise<Uint8Array<ArrayBuffer>> {
  const { response, signal, maxBodyBytes } = reading;
  if (response.bodyUsed) throw new TypeError("The body of the response was read before the client read it");
  if (contentLengthOf(response.headers) > maxBodyBytes) {
    discardBody(response);
    throw toTooLong(reading);
  }
  const readByPlatform = isInMemory(response) || isShort(reading);
  const { bytes, complete } = await readBody(response, { maxBytes: maxBodyBytes, signal }, readByPlatform);
  if (complete) return bytes;
  throw signal?.aborted ? signal.reason : toTooLong(reading, bytes);
}

/**
 * Reads a whole body as text, without a byte order mark. If a mounted handler has it in memory, Deno returns its text
 * in 0.1 µs, and its bytes in 0.7 µs.
 */
async function readWholeText(reading: WholeReading): Promise<string> {
  const { response, maxBodyBytes } = reading;
  if (!isInMemory(response)) return new TextDecoder().decode(await readWhole(reading));
  const text = await response.text();
  if (byteLength(text) > maxBodyBytes) throw toTooLong(reading, text);
  return text;
}

/** The error for a body that is longer than the client allows; `content` is what was read of it. */
function toTooLong({ response, fail, maxBodyBytes }: WholeReading, content?: Uint8Array | string): Error {
  const state = `its body is longer than ${maxBodyBytes} bytes; raise the option maxBodyBytes`;
  return fail("invalid-body", state, { response, text: content && decodeBeginning(content) });
}

/** The most bytes of a short body. Node's own reader keeps up to 800 bytes for each chunk that arrives separately. */
const shortLength = 16 * 1024;

/**
 * Whether a body is short. HTTP ends a body at its declared length, unless a transfer coding is declared too. A content
 * coding may expand it. Browsers hide both headers from pages of other origins. A response that a program constructed has
 * no URL, and any length may be declared for its body.
 */
function isShort({ response: { headers, type, url }, signal }: WholeReading): boolean {
  if (signal || !url) return false; // the platform's reader cannot be aborted
  const length = contentLengthOf(headers);
  const isDeclared = length > 0 && !headers.has("transfer-encoding") && !headers.has("content-encoding");
  return isDeclared && length <= shortLength && type !== "cors";
}

/** The most bytes of a body that an error keeps. */
const textBytes = 8 * 1024;
/** The most bytes of a problem document that are read. Part of one is of no use. */
const problemBytes = 256 * 1024;
/** The longest wait for a body that is read only for an error, in milliseconds. */
const patience = 1000;

/** Returns the details of an error about a response. Reads the beginning of its body and cancels the rest. */
async function readExcerpt(response: Response, signal: AbortSignal | undefined): Promise<ClientErrorDetails> {
  const mayBeProblem = isProblem(response);
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), patience);
  try {
    const limits = {
      maxBytes: mayBeProblem ? problemBytes : textBytes,
      signal: joinSignals(signal, stalled.signal),
    };
    const { bytes, complete } = await readBody(response, limits);
    const problem = mayBeProblem && complete ? parseProblem(new TextDecoder().decode(bytes)) : undefined;
    return { response, text: decodeBeginning(bytes), problem };
  } catch {
    return { response }; // the body broke off, which does not change why the response is refused
  } finally {
    clearTimeout(timer);
  }
}

/** Decodes the first 8 KiB as text, without a character that is cut in two. */
function decodeBeginning(content: Uint8Array | string): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content.slice(0, textBytes)) : content;
  if (bytes.byteLength === 0) return ""; // empty, or transferred to another thread by the user's decoder
  return new TextDecoder().decode(bytes.subarray(0, textBytes), { stream: bytes.byteLength >= textBytes });
}

function parseProblem(text: string): Problem | undefined {
  try {
    return toProblem(readJson(text));
  } catch {
    return undefined;
  }
}
