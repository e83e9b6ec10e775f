/** Builds native responses, and edits their headers. */
import { markAsInMemory } from "../native_response.ts";
import { type WholeContent } from "../representation/representation.ts";
import { type ResponseHeaders, ResultError } from "../server/result.ts";
import { byteLength } from "../wire/read_bytes.ts";
import { isFieldValue } from "../wire/headers.ts";

/** The body of a response. */
export type SentBody = WholeContent | ReadableStream<Uint8Array<ArrayBuffer>> | null;

/** Builds a response. */
export function respond(body: SentBody, init: ResponseInit | undefined, isHead: boolean): Response {
  if (isHead) return respondToHead(body, init);
  const response = new Response(body, init);
  return isInMemoryContent(body) ? markAsInMemory(response) : response;
}

/** Whether content is in memory. That of a blob may be in a file. */
function isInMemoryContent(body: SentBody): boolean {
  return typeof body === "string" || ArrayBuffer.isView(body) || body instanceof ArrayBuffer;
}

/**
 * A response to HEAD: the headers of the GET with its length, without the body (RFC 9110, section 9.3.2). A stream,
 * whose length is unknown, is cancelled.
 */
function respondToHead(body: SentBody, init: ResponseInit | undefined): Response {
  if (body instanceof ReadableStream) return dropBody(new Response(body, init));
  const { status, headers } = new Response(body, init);
  const fields = new Headers(headers);
  if (body !== null) fields.set("content-length", String(byteLength(body)));
  return new Response(null, { status, headers: fields });
}

/** A response without its body, which is cancelled. */
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
