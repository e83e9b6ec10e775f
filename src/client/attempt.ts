/** One attempt of a call: what is known about it, and how its response is decoded, within limits. */
import { type Awaitable, isPromise, joinSignals, untilAborted } from "../awaitable.ts";
import type { CallFields, CallResponse } from "../contract/call.ts";
import { isInstance } from "../mark.ts";
import { escapeUnits, messageOf } from "../messages.ts";
import type { Incoming, PlannedContentType, Upload } from "../representation/representation.ts";
import type { RefusedValue } from "../schema.ts";
import { contentLengthOf } from "../wire/headers.ts";
import { readJson } from "../wire/json.ts";
import { isProblem, mediaTypeEssence, problemType } from "../wire/media_type.ts";
import { type Problem, toProblem } from "../wire/problem.ts";
import { byteLength, discardBody, readBody } from "../wire/read_bytes.ts";
import type { ClientError, ClientErrorDetails } from "./error.ts";
import { type CallPlan, explain, type ReadCall } from "./plan.ts";

/** One step of an attempt: it adds to the attempt, or throws or rejects. */
export type AttemptStep = (attempt: Attempt) => Awaitable<void>;

/**
 * What is known about one attempt. The steps fill it in their order, and nothing else writes to it. A declared property
 * is `undefined` until its step has run.
 */
export class Attempt implements Incoming {
  declare readonly plan: CallPlan;
  declare readonly call: ReadCall;
  /** Must be called when nothing of the response is left to read. */
  declare readonly release: () => void;
  /** The body that is sent as a stream. `undefined` for any other. */
  declare upload: Upload | undefined;
  /** The URL, once it is built. */
  declare url: string;
  /** The encoded body. `undefined` if there is none, or if an upload streams it. */
  declare content: unknown;
  /** The content type of a body that may have one of several. */
  declare ranged: PlannedContentType | undefined;
  /** The content type of the body. `undefined` if the platform sets it, it is one of several, or there is no body. */
  declare contentType: string | undefined;
  /** `undefined` if there are none, because a request spends 1 µs on empty `Headers`. */
  declare headers: Headers | Readonly<Record<string, string>> | undefined;
  /** The options `init` of client and call, including those that a `Request` drops. `undefined` if there are none. */
  declare init: RequestInit | undefined;
  /** The request, once it is built. */
  declare request: Request;
  /** The response, once it has arrived. */
  declare response: Response;
  /** Whether the content of the response is in the memory of this process. */
  declare isHere: boolean;
  /** How the response is decoded, once it is known to be declared. */
  declare declared: CallResponse;

  constructor(plan: CallPlan, call: ReadCall, release: () => void) {
    this.plan = plan;
    this.call = call;
    this.release = release;
  }

  decodeItem(text: string): Awaitable<unknown> {
    const { declared: { decode }, call: { signal } } = this;
    const value = readJson(text);
    return decode ? untilAborted(signal, decode(value)) : value;
  }

  toDecodeError(cause: unknown, content: Uint8Array | string | undefined, what = "its body or its headers"): Error {
    return this.plan.fail("invalid-body", `${what} cannot be decoded: ${messageOf(cause)}`, {
      response: this.response,
      text: content && decodeBeginning(content),
      issues: isInstance(cause, TypeError) ? (cause as Partial<RefusedValue>).issues : undefined,
      cause,
    });
  }

  explain(cause: unknown): ClientError {
    return explain(this.plan, this.call, cause, this.response);
  }
}

/**
 * Returns how the response of an attempt is declared; `undefined` if its status or its content type is not. A problem
 * document is never an empty response, whatever its status.
 */
export function findDeclared({ response, plan }: Attempt): CallResponse | undefined {
  const declared = plan.declared.responses.get(response.status);
  const stated = response.headers.get("content-type") ?? "";
  if (!declared || declared.isOfAnyType || stated === declared.contentType) return declared;
  const { expected, representation: { ranges } } = declared;
  const received = mediaTypeEssence(stated);
  const isExpected = typeof expected === "object"
    ? ranges?.isResponseWithin(received, expected)
    : expected === undefined
    ? received !== problemType
    : received === expected;
  return isExpected ? declared : undefined;
}

/** Returns the error for a response that is not declared. Reads the beginning of its body and cancels the rest. */
export async function toUnexpected(attempt: Attempt): Promise<ClientError> {
  const { response, plan: { declared, fail } } = attempt;
  const found = declared.responses.get(response.status);
  const details = await readExcerpt(attempt);
  if (!found) return fail("unexpected-status", describeStatus(attempt), details);
  const received = quoteField(mediaTypeEssence(response.headers.get("content-type") ?? ""));
  const expected = [found.expected ?? "of an empty response"].flat().join(", ");
  return fail("unexpected-content-type", `content type ${received} is not ${expected}`, details);
}

/** Decodes the declared headers: first into plain data, then by their schema if it is a codec or the client validates. */
export async function decodeHeaders(attempt: Attempt, { names, decodeFields }: CallFields): Promise<unknown> {
  const { response: { headers }, call: { signal } } = attempt;
  try {
    const fields = Object.fromEntries(names ? names.flatMap((name) => fieldOf(headers, name)) : headers);
    // cookies are a list, because joining them would make them ambiguous (RFC 6265, section 3)
    const plain = "set-cookie" in fields ? { ...fields, "set-cookie": headers.getSetCookie() } : fields;
    return decodeFields ? await untilAborted(signal, decodeFields(plain)) : plain;
  } catch (cause) {
    const { text } = await readExcerpt(attempt);
    throw attempt.toDecodeError(cause, text);
  }
}

/** Returns the field with this name as a list of at most one entry. */
function fieldOf(headers: Headers, name: string): [name: string, value: string][] {
  const value = headers.get(name);
  return value === null ? [] : [[name, value]];
}

/** The most characters of a header field that a message quotes. */
const quotedLength = 200;

/** Describes a status that is not declared. For a redirect the message includes its target, and how to follow it. */
function describeStatus({ response, plan: { declared, settings }, call: { options } }: Attempt): string {
  const { status, type, headers } = response;
  const advice = 'pass init: { redirect: "follow" } to follow redirects to any server';
  if (type === "opaqueredirect") return `the browser hides redirects, also declared ones; ${advice}`;
  const state = `status ${status} is not declared (declared: ${[...declared.responses.keys()].join(", ")})`;
  const location = status >= 300 && status <= 399 ? headers.get("location") : null;
  const follow = settings.init?.redirect || options.init?.redirect ? "" : `, or ${advice}`; // whoever has set it knows, and a sender cannot
  return location === null ? state : `${state}; it redirects to ${quoteField(location)}; declare it${follow}`;
}

/** Quotes a header field from another server: at most its beginning, in printable ASCII. */
function quoteField(value: string): string {
  const text = value.length > quotedLength ? `${value.slice(0, quotedLength)}…` : value;
  return JSON.stringify(text).replace(/[^ -~…]/g, escapeUnits);
}

/** Decodes whole texts, without a byte order mark. */
const utf8 = /* @__PURE__ */ new TextDecoder();

/**
 * Reads a whole body and decodes it: by its representation, or as JSON. Its bytes are counted as they arrive, after
 * decompression, so a declared length allocates no memory. The platform's own reader is faster where it is safe. If the
 * text is in memory, Deno returns it in 0.2 µs instead of 2.3. A short body from a socket takes 60 µs instead of 140. A
 * call that is aborted does not wait for that reader, which ends with the signal of the request.
 */
export async function receiveWhole(attempt: Attempt): Promise<unknown> {
  const { response, isHere, call: { signal, maxBodyBytes }, declared, plan: { fail } } = attempt;
  const { decode } = declared.representation;
  if (response.bodyUsed) throw fail("invalid-body", "its body was read before the client read it", { response });
  const isTextHere = isHere && !decode;
  const length = isTextHere ? 0 : contentLengthOf(response.headers); // the text itself tells
  let content: string | Uint8Array<ArrayBuffer> | undefined;
  let isWhole = false;
  if (length > maxBodyBytes) {
    discardBody(response);
  } else if (isTextHere) {
    const text = await untilAborted(signal, response.text());
    isWhole = text.length * 3 <= maxBodyBytes || byteLength(text) <= maxBodyBytes; // a code unit takes at most three bytes
    content = text.toWellFormed().slice(text.startsWith("\ufeff") ? 1 : 0); // as UTF-8: Deno returns a text as it was passed
  } else {
    const limits = { maxBytes: maxBodyBytes, signal, isTransient: !decode };
    const { bytes, complete } = await readBody(response, limits, isHere || isShort(response, length));
    signal?.throwIfAborted();
    isWhole = complete;
    content = isWhole && !decode ? utf8.decode(bytes) : bytes;
  }
  if (!isWhole) {
    const state = `its body is longer than ${maxBodyBytes} bytes; raise the option maxBodyBytes`;
    throw fail("invalid-body", state, { response, text: content && decodeBeginning(content.slice(0, maxBodyBytes)) });
  }
  try {
    const decoded = decode ? decode(content as Uint8Array<ArrayBuffer>) : readJson(content as string); // it was read for that
    const value = isPromise(decoded) ? await untilAborted(signal, decoded) : decoded;
    return declared.decode ? await untilAborted(signal, declared.decode(value)) : value;
  } catch (cause) {
    throw attempt.toDecodeError(cause, content);
  }
}

/** The most bytes of a short body. Node's own reader keeps up to 800 bytes for each chunk that arrives separately. */
const shortLength = 16 * 1024;

/**
 * Returns whether a body is short. HTTP ends a body at its declared length, unless a transfer coding is declared too. A
 * content coding may expand it. Browsers hide both headers from pages of other origins. A response that a program
 * constructed has no URL, and any length may be declared for its body. The URL takes Deno 3 µs, but only Bun has no other
 * type for what arrived.
 */
function isShort(response: Response, length: number): boolean {
  const { headers, type } = response;
  return length > 0 && length <= shortLength && (type === "basic" || (type === "default" && response.url !== "")) &&
    !headers.has("transfer-encoding") && !headers.has("content-encoding");
}

/** The most bytes of a body that an error keeps. */
const textBytes = 8 * 1024;
/** The most bytes of a problem document that are read. Part of one is of no use. */
const problemBytes = 256 * 1024;
/** The longest wait for a body that is read only for an error, in milliseconds. */
const patience = 1000;

/** Returns the details of an error about a response. Reads the beginning of its body and cancels the rest. */
async function readExcerpt({ response, call }: Attempt): Promise<ClientErrorDetails> {
  const mayBeProblem = isProblem(response);
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), patience);
  const details: { response: Response; text?: string; problem?: Problem | undefined } = { response };
  try {
    const { bytes, complete } = await readBody(response, {
      maxBytes: mayBeProblem ? problemBytes : textBytes,
      signal: joinSignals(call.signal, stalled.signal),
    });
    details.text = decodeBeginning(bytes);
    if (mayBeProblem && complete) details.problem = toProblem(readJson(utf8.decode(bytes)));
  } catch {
    // the body broke off or is not JSON, which does not change why the response is refused
  } finally {
    clearTimeout(timer);
  }
  return details;
}

/** Decodes the first 8 KiB as text, without a character that is cut in two. */
function decodeBeginning(content: Uint8Array | string): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content.slice(0, textBytes)) : content;
  if (bytes.byteLength === 0) return ""; // empty, or transferred to another thread by the user's decoder
  return new TextDecoder().decode(bytes.subarray(0, textBytes), { stream: bytes.byteLength >= textBytes });
}
