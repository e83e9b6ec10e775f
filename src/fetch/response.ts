/** Builds native responses and edits their headers. Refusals are the problem documents that the adapter sends itself. */
import { isInstance } from "../mark.ts";
import { markAsInMemory } from "../native_response.ts";
import type { WholeContent } from "../representation/representation.ts";
import { type ResponseHeaders, ResultError, Stop } from "../server/result.ts";
import { isFieldValue } from "../wire/headers.ts";
import { problemType } from "../wire/media_type.ts";
import { type AdapterProblem, createProblem, type IssueReport, type ProblemCode } from "../wire/problem.ts";
import { byteLength } from "../wire/read_bytes.ts";
import { Disconnect, type Exchange } from "./exchange.ts";

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
  if (response.body === null) return response;
  response.body.cancel().catch(() => {}); // errors of the source are ignored
  return new Response(null, response);
}

/** Adds a handler's headers to those of the declaration, whose content type wins. */
export function appendHeaders(target: Headers, added: ResponseHeaders, hasContent: boolean): void {
  if (added instanceof Headers) throw new ResultError("The headers of a result must be a plain object, got a Headers");
  for (const [name, value] of Object.entries(added)) {
    const field = name.toLowerCase();
    if (value === undefined || (hasContent && field === "content-type")) continue;
    if (field === "content-length") target.delete(field); // for HEAD, where the handler may know the length better
    for (const text of typeof value === "string" ? [value] : value) {
      if (!isFieldValue(text)) {
        throw new ResultError(`The value of the header ${JSON.stringify(name)} is invalid`);
      }
      target.append(name, text);
    }
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

  /** Creates a response for one request. */
  respond(isHead: boolean): Response {
    if (isHead || !hasCheapClones || !this.#wasSent) {
      this.#wasSent = true;
      return respond(this.#text, this.#init, isHead);
    }
    this.#template ??= respond(this.#text, this.#init, false);
    return markAsInMemory(this.#template.clone());
  }
}

/**
 * Deno shares the text of a response with its clones: one takes 0.4 µs, and a new response with another status than 200
 * takes 2.3. Other runtimes copy the body as a stream instead, and Workers bind a response to its request.
 */
const hasCheapClones = globalThis.navigator?.userAgent?.startsWith("Deno/") ?? false;

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
