/** One attempt of a call: what is known about it, its errors, and how its response is read within limits. */
import { type Awaitable, isPromise } from "../awaitable.ts";
import type { CallResponse, RouteCall } from "../contract/call.ts";
import { isInstance } from "../mark.ts";
import { messageOf } from "../messages.ts";
import { isInMemory } from "../native_response.ts";
import type { Incoming, PlannedContentType, ResponseRepresentation, Upload } from "../representation/representation.ts";
import type { RefusedValue } from "../schema.ts";
import { type Ending, joinSignals, untilAborted } from "../signals.ts";
import type { ShowCredential } from "../wire/credentials.ts";
import { contentLengthOf } from "../wire/headers.ts";
import { readJson } from "../wire/json.ts";
import { isProblem } from "../wire/media_type.ts";
import { type Problem, toProblem } from "../wire/problem.ts";
import { byteLength, discardBody, readBody } from "../wire/read_bytes.ts";
import { type CalledRoute, ClientError, type ClientErrorDetails, type Fail } from "./error.ts";
import type { CallOptions, ClientSettings, Limits } from "./settings.ts";

/** Everything about the calls of a route that depends only on the route and the client. */
export interface CallPlan {
  readonly declared: RouteCall;
  readonly route: CalledRoute;
  readonly settings: ClientSettings;
  /** The encoded literals and the names of the path's parameters. */
  readonly segments: readonly (string | { readonly parameter: string })[];
  /** Returns the routes that a call could reach instead. They are found at the first call of the route. */
  readonly rivals: () => readonly RouteCall[];
  /** Adds the credential of a call. `undefined` if the client cannot send one. */
  readonly showCredential: ShowCredential | undefined;
  /** Tracks the results whose content the caller may read later. */
  readonly readLater: ResponseRepresentation["readLater"];
  /** Whether a caller may receive the native response. The client does not see when its body has been read. */
  readonly mayBeNative: boolean;
  readonly fail: Fail;
}

/** The values of the declared slots. */
export interface SlotValues {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** The arguments of a call with the defaults applied, and the signals that may end it early. */
export interface ReadCall extends Limits, Ending {
  readonly input: SlotValues;
  readonly options: CallOptions;
  /** The most milliseconds that a stream may stay silent. */
  readonly silence: number;
}

/** The result of an attempt. */
export interface DecodedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: unknown;
  readonly response: Response;
}

/** One step of an attempt: it adds to the attempt, or throws or rejects. */
export type Step = (attempt: Attempt) => Awaitable<void>;

/**
 * What is known about one attempt. The steps fill it in their order, and nothing else writes to it. A declared property
 * is `undefined` until its step has run.
 */
export class Attempt implements Incoming {
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
  /** The response, or a promise of it, once the request is sent. */
  declare sent: Awaitable<Response> | undefined;
  /** The response, once it has arrived. */
  declare response: Response;
  /** How the response is decoded, once it is known to be declared. */
  declare declared: CallResponse;

  constructor(readonly plan: CallPlan, readonly call: ReadCall, readonly release: () => void) {}

  receiveText(decode: (content: string) => Awaitable<unknown>): Promise<unknown> {
    return receiveWhole(this, decode, true);
  }

  receiveBytes(decode: (content: Uint8Array<ArrayBuffer>) => Awaitable<unknown>): Promise<unknown> {
    return receiveWhole(this, decode, false);
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

/** Returns the error for a call that failed, or for a stream that could not be read. */
export function explain(
  { fail, route }: CallPlan,
  { signal, timeout }: Ending,
  cause: unknown,
  response: Response | undefined,
): ClientError {
  if (signal?.aborted) {
    return timeout?.aborted
      ? fail("timeout", "it timed out", { response, cause })
      : fail("aborted", "its signal was aborted", { response, cause });
  }
  if (isOwnError(route, cause)) return cause;
  return fail("network", "no response arrived, or it was interrupted", { response, cause });
}

/** Returns whether a thrown value is an error of this route's calls. */
export function isOwnError(route: CalledRoute, cause: unknown): cause is ClientError {
  return isInstance(cause, ClientError) && cause.route === route;
}

/** Returns the error for an input that cannot be sent. */
export function toInvalidInput({ fail }: CallPlan, cause: unknown): ClientError {
  return fail("invalid-input", messageOf(cause), { cause });
}

/** Decodes whole texts, without a byte order mark. */
const utf8 = /* @__PURE__ */ new TextDecoder();

/**
 * Reads a whole body and decodes it. Its bytes are counted as they arrive, after decompression, so a declared length
 * allocates no memory. The platform's own reader is faster where it is safe. If a mounted handler has the body in
 * memory, Deno returns its text in 0.1 µs instead of 2. A short body from a socket takes 60 µs instead of 140.
 */
async function receiveWhole(
  attempt: Attempt,
  decode: (content: never) => Awaitable<unknown>,
  isText: boolean,
): Promise<unknown> {
  const { response, call: { signal, maxBodyBytes }, declared, plan: { fail } } = attempt;
  if (response.bodyUsed) throw fail("invalid-body", "its body was read before the client read it", { response });
  const isHere = isInMemory(response);
  let content: string | Uint8Array<ArrayBuffer> | undefined;
  let isWhole = false;
  if (isHere && isText) {
    content = await untilAborted(signal, response.text());
    isWhole = content.length * 3 <= maxBodyBytes || byteLength(content) <= maxBodyBytes; // a code unit takes at most three bytes
  } else if (contentLengthOf(response.headers) > maxBodyBytes) {
    discardBody(response);
  } else {
    const limits = { maxBytes: maxBodyBytes, signal, isTransient: isText };
    const { bytes, complete } = await readBody(response, limits, isHere || isShort(response));
    signal?.throwIfAborted();
    isWhole = complete;
    content = isWhole && isText ? utf8.decode(bytes) : bytes;
  }
  if (content === undefined || !isWhole) {
    const state = `its body is longer than ${maxBodyBytes} bytes; raise the option maxBodyBytes`;
    throw fail("invalid-body", state, { response, text: content && decodeBeginning(content) });
  }
  try {
    const decoded = decode(content as never); // of the type that isText tells
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
 * constructed has no URL, and any length may be declared for its body.
 */
function isShort({ headers, type, url }: Response): boolean {
  const length = url && type !== "cors" ? contentLengthOf(headers) : 0;
  return length > 0 && length <= shortLength && !headers.has("transfer-encoding") && !headers.has("content-encoding");
}

/** The most bytes of a body that an error keeps. */
const textBytes = 8 * 1024;
/** The most bytes of a problem document that are read. Part of one is of no use. */
const problemBytes = 256 * 1024;
/** The longest wait for a body that is read only for an error, in milliseconds. */
const patience = 1000;

/** Returns the details of an error about a response. Reads the beginning of its body and cancels the rest. */
export async function readExcerpt({ response, call }: Attempt): Promise<ClientErrorDetails> {
  const mayBeProblem = isProblem(response);
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), patience);
  try {
    const maxBytes = mayBeProblem ? problemBytes : textBytes;
    const { bytes, complete } = await readBody(response, {
      maxBytes,
      signal: joinSignals(call.signal, stalled.signal),
    });
    const problem = mayBeProblem && complete ? parseProblem(utf8.decode(bytes)) : undefined;
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
