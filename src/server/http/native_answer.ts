/** Builds native responses and edits their headers. Refusals are the problem documents that the adapter sends itself. */
import { attempt, type Awaitable, isPromise, whenReady } from "../../awaitable.ts";
import { isInstance } from "../../mark.ts";
import { cancelBody, isBodiless, markAsInMemory } from "../../native_response.ts";
import type { WholeContent } from "../../representation/representation.ts";
import { type ResponseHeaders, ResultError, Stop } from "../define/result.ts";
import { closeProducer, openStream, type Producer, type Step } from "../../producer.ts";
import { isFieldValue, isToken } from "../../wire/headers.ts";
import { problemType } from "../../wire/media_type.ts";
import { type AdapterProblem, createProblem, type IssueReport, type ProblemCode } from "../../wire/problem.ts";
import { checkChunk, pullStream } from "../../wire/pull_stream.ts";
import { byteLength } from "../../wire/read_bytes.ts";
import { Disconnect, type Exchange } from "./exchange.ts";

declare const Deno: unknown; // only here, because the types of each runtime are missing on the others
declare const Bun: unknown;
declare const process: { readonly versions?: { readonly undici?: string } } | undefined;

/** Whether this is Deno. */
export const isDeno: boolean = typeof Deno !== "undefined";

/** Whether this is Bun. */
export const isBun: boolean = typeof Bun !== "undefined";

/** The body of a response. */
export type SentBody = WholeContent | ReadableStream<Uint8Array<ArrayBuffer>> | null;

/** Builds a response. */
export function respond(body: SentBody, init: ResponseInit | undefined, isHead: boolean): Response {
  if (isHead) return respondToHead(body, init);
  const response = new Response(body, init);
  return isInMemoryContent(body) ? markAsInMemory(response) : response;
}

/** Returns whether content is in memory. That of a blob may be in a file. */
function isInMemoryContent(body: SentBody): boolean {
  return typeof body === "string" || ArrayBuffer.isView(body) || body instanceof ArrayBuffer;
}

/**
 * Returns a response to HEAD: the headers of the GET with its length, without the body (RFC 9110, section 9.3.2). A
 * stream, whose length is unknown, is cancelled.
 */
function respondToHead(body: SentBody, init: ResponseInit | undefined): Response {
  if (body instanceof ReadableStream) return dropBody(new Response(body, init));
  const { status, headers } = new Response(body, init);
  const fields = new Headers(headers);
  if (body !== null) fields.set("content-length", String(byteLength(body)));
  return new Response(null, { status, headers: fields });
}

/** Returns a response without its body, which is cancelled. */
export function dropBody(response: Response): Response {
  const { status, statusText, headers } = response; // before `body`, without which Bun forgets the content type
  if (response.body === null) return response;
  cancelBody(response);
  return new Response(null, { status, statusText, headers });
}

/**
 * Returns the response to HEAD that is sent. Deno and Bun add `content-length: 0` to a response without a body, although
 * that of GET may have content. If its length is not known, they therefore receive an empty stream. `body` is null, as
 * in any response to HEAD.
 */
export function finishHead(response: Response): Response {
  const { status, statusText, headers } = response;
  if (isBodiless(status)) return response;
  const bare = dropBody(response);
  if (headers.has("content-length")) return bare;
  const empty = new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 });
  return Object.defineProperty(new Response(empty, { status, statusText, headers }), "body", { value: null });
}

/**
 * Adds a handler's headers to those of the declaration, whose content type wins. How a message is framed is not the
 * handler's decision: it ignores `transfer-encoding`, and returns `content-length` instead of adding it.
 */
export function appendHeaders(target: Headers, added: ResponseHeaders, hasContent: boolean): string | undefined {
  checkHeaders(added);
  let length: string | undefined;
  for (const [name, value] of Object.entries(added)) {
    const field = name.toLowerCase();
    if (value === undefined || (hasContent && field === "content-type")) continue;
    for (const text of typeof value === "string" ? [value] : value) {
      if (!isFieldValue(text)) {
        throw new ResultError(`The value of the header ${JSON.stringify(name)} is invalid`);
      }
      if (field === "content-length") length = length === undefined ? text : `${length}, ${text}`;
      else if (field !== "transfer-encoding") target.append(name, text);
    }
  }
  return length;
}

/** Throws if the headers of a result are not plain data. */
export function checkHeaders(headers: ResponseHeaders): void {
  if (!(headers instanceof Headers)) return;
  throw new ResultError("The headers of a result must be a plain object, got a Headers");
}

/** Returns the length that a `content-length` states. Throws if it is not a number of bytes. */
export function parseLength(stated: string | null | undefined, name: string): number | undefined {
  if (stated === undefined || stated === null) return undefined;
  const length = /^\d+$/.test(stated) ? Number(stated) : NaN;
  if (Number.isSafeInteger(length)) return length;
  throw new ResultError(
    `Cannot send ${name}: its header "content-length" must be a number of bytes, got ${JSON.stringify(stated)}`,
  );
}

/** A stream of a stated length. */
interface CountedBytes {
  readonly encode: (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>>;
  readonly length: number;
  /** The name of the response in messages. */
  readonly name: string;
}

/**
 * Returns the encoded items of a producer, which fail if they have more or fewer bytes than the length. No runtime reads
 * beyond the length, so the last item is sent when the producer has ended.
 */
export function countBytes(producer: Producer, { encode, length, name }: CountedBytes): Producer {
  let count = 0;
  let isOver = false;
  const fail = (found: string): never => {
    throw new ResultError(`Cannot send ${name}: its header "content-length" is ${length}, but its body has ${found}`);
  };
  const add = (value: Uint8Array<ArrayBuffer>): Step => {
    count += value.byteLength;
    return count > length ? fail("more bytes") : { done: false, value };
  };
  const take = (step: Step): Awaitable<Step> => {
    isOver = step.done === true;
    if (isOver) return count < length ? fail(`${count} bytes`) : step;
    return attempt(() => whenReady(encode(step.value), add), (error) => {
      closeProducer(producer, error);
      throw error;
    });
  };
  const read = (): Awaitable<Step> => whenReady(producer.next(), take);
  const readRest = (last: Step): Awaitable<Step> => { // only empty items may follow
    while (count === length && !isOver) {
      const step = read();
      if (isPromise(step)) return step.then(() => readRest(last));
    }
    return last;
  };
  return {
    next: () => isOver ? { done: true } : whenReady(read(), readRest),
    return: (reason) => producer.return?.(reason),
  };
}

/** How to send a native response. */
interface NativeSettings {
  /** Headers to add. */
  readonly headers?: ResponseHeaders | undefined;
  /** The name of the response in messages. */
  readonly name: string;
  readonly isHead: boolean;
  /** Reports the failure of its body. */
  readonly report: (cause: unknown, response: Response) => void;
}

/**
 * Returns a native response of the application whose headers fit its body. A stated length is counted, and a response of
 * `fetch` loses the headers of its connection, and those of the coding that the runtime has removed.
 */
export function frameNative(native: Response, { headers: added, name, isHead, report }: NativeSettings): Response {
  const { status, statusText, headers } = native;
  if (status === 101) return native;
  const isFetched = native.url !== "";
  const unfit = (isFetched ? listUnfit(headers) : ["transfer-encoding"]).filter((field) => headers.has(field));
  const isFit = isHead || !headers.has("content-length") ||
    (isFetched && native.body !== null && !headers.has("content-encoding"));
  if (isFit && unfit.length === 0 && !added) return native;
  const body = bodyOf(native);
  const copy = body === undefined ? (isFetched ? native.clone() : native) : undefined; // Bun counts it, and sends a copy of a text as bytes
  const fields = copy?.headers ?? new Headers(headers);
  for (const field of unfit) fields.delete(field);
  const own = added && appendHeaders(fields, added, fields.has("content-type"));
  if (own !== undefined) fields.set("content-length", own);
  const isTrusted = isFetched && own === undefined && !fields.has("content-encoding"); // another runtime may have decoded it
  const length = isTrusted ? undefined : parseLength(fields.get("content-length"), name);
  if (!isHead && (!body || length === 0)) fields.delete("content-length"); // with it, nothing would be read
  if (copy) return copy;
  const init = { status, statusText, headers: fields };
  if (!body || isHead || length === undefined) return new Response(body, init);
  const explain = (cause: unknown): unknown => {
    report(cause, response);
    return cause;
  };
  const counted = countBytes(openStream(body), { encode: checkChunk, length, name });
  const response = new Response(pullStream(counted, { encode: checkChunk, signal: undefined, explain }), init);
  return response;
}

/** The fields of a connection (RFC 9110, section 7.6.1), which a proxy does not forward. */
const connectionFields = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The fields that describe content in its coding. */
const codedFields = ["content-encoding", "content-length", "content-digest"];

/** Returns the fields of a fetched response that do not fit its body, or another connection. */
function listUnfit(headers: Headers): readonly string[] {
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim()).filter(isToken);
  return [...connectionFields, ...named, ...isDecoded(headers.get("content-encoding") ?? "") ? codedFields : []];
}

/**
 * Returns whether this runtime's `fetch` decodes content: of a single coding on Deno, and on Bun beside `identity`, and
 * of any number on Node, where the spaces around a coding may be of any kind.
 */
function isDecoded(contentEncoding: string): boolean {
  const codings = contentEncoding.toLowerCase().split(",").map((coding) => coding.trim());
  const known = codings.filter((coding) => decodable.test(coding));
  if ((undici === undefined || isBun) && !/^[\t -~]*$/.test(contentEncoding)) return false;
  if (isBun) {
    return known.length === 1 && codings.every((coding) => coding === known[0] || /^(?:identity)?$/.test(coding));
  }
  return known.length === codings.length && !(isDeno && known.length > 1);
}

/** The version of Node's `fetch`. */
const undici: string | undefined = typeof process === "undefined" ? undefined : process.versions?.undici;

/** Matches a content coding that this runtime's `fetch` knows. */
const decodable: RegExp = /* @__PURE__ */ planDecodable();

function planDecodable(): RegExp {
  if (isDeno) return /^(?:gzip|br)$/;
  const [major = 0, minor = 0] = (undici ?? "").split(".").map(Number);
  const hasZstd = isBun || major > 7 || (major === 7 && minor > 10);
  return hasZstd ? /^(?:(?:x-)?gzip|deflate|br|zstd)$/ : /^(?:(?:x-)?gzip|deflate|br)$/;
}

/**
 * Returns the body of a response. Bun sends a text as such only if nothing has read `body`: there, it is `undefined` for
 * a response without a content type.
 */
function bodyOf(response: Response): Response["body"] | undefined {
  return isBun && !response.headers.has("content-type") ? undefined : response.body;
}

/**
 * Returns whether nothing has begun to read a response. The getters of some Node adapters throw once it has been sent.
 */
export function isSendable(response: Response): boolean {
  try {
    return !response.bodyUsed && !bodyOf(response)?.locked;
  } catch {
    return false;
  }
}

/**
 * Edits the headers of a response. It returns a copy if the headers are immutable, as those of a fetched response are.
 * It does not change a response that switches protocols, or one that cannot be sent: its body is being read, or it is
 * `Response.error()`.
 */
export function editHeaders(response: Response, edit: (headers: Headers) => void): Response {
  if (response.status === 101) return response;
  try {
    edit(response.headers);
    return response;
  } catch {
    return copyWith(response, edit);
  }
}

function copyWith(response: Response, edit: (headers: Headers) => void): Response {
  const { status, statusText } = response;
  try {
    const headers = new Headers(response.headers);
    edit(headers);
    return new Response(response.body, { status, statusText, headers });
  } catch {
    return response;
  }
}

/**
 * Returns a function that restores the framing of a response, which a hook that sets its headers does not decide. Node
 * would send the whole body after any `content-length`.
 */
export function keepFraming({ headers }: Response): () => void {
  const length = headers.get("content-length");
  return () => {
    if (headers.get("content-length") === length && !headers.has("transfer-encoding")) return;
    headers.delete("transfer-encoding");
    if (length === null) headers.delete("content-length");
    else headers.set("content-length", length);
  };
}

/** A refusal answers the request with a problem document. Its text and init are computed once. */
export class Refusal extends Stop {
  readonly #text: string;
  readonly #init: ResponseInit;
  #wasSent = false;
  #template: Response | undefined;

  /** @param fields Headers besides the content type. They stay if the application's `refuse` replaces the document. */
  constructor(readonly problem: AdapterProblem, readonly fields: Readonly<Record<string, string>> = {}) {
    super();
    Object.freeze(problem); // the application receives it, and many requests share it
    this.#text = JSON.stringify(problem);
    this.#init = { status: problem.status, headers: { "content-type": problemType, ...fields } };
  }

  /**
   * Creates a response for one request. Deno shares the text of a response with its clones: one takes 0.4 µs, and a new
   * response with another status than 200 takes 2.3. Other runtimes copy the body as a stream instead, and Workers bind
   * a response to its request.
   */
  respond(isHead: boolean): Response {
    if (isHead || !isDeno || !this.#wasSent) {
      this.#wasSent = true;
      return respond(this.#text, this.#init, isHead);
    }
    this.#template ??= respond(this.#text, this.#init, false);
    return markAsInMemory(this.#template.clone());
  }
}

/**
 * Returns the stop for content that cannot be read: malformed, read before, or cut off because the client has
 * disconnected.
 */
export function stopUnreadable(error: unknown, { request }: Exchange): Stop {
  return !isInstance(error, SyntaxError) && request.signal.aborted ? new Disconnect() : refuse("invalid-body");
}

/** Refuses a request with a problem code. */
export function refuse(code: ProblemCode, report?: IssueReport): Refusal {
  if (report) return new Refusal(createProblem(code, report));
  const made = constants.get(code) ?? new Refusal(createProblem(code));
  constants.set(code, made);
  return made;
}

/** The refusals that contain nothing of the request. */
const constants = new Map<ProblemCode, Refusal>();

/** Returns the response to a client that has disconnected, with a status that nothing reads. */
export function respondDisconnected(): Response {
  return new Response(null, { status: 499 });
}
