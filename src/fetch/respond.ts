import { markAsInMemory } from "../native_response.ts";
import { type WholeContent } from "../representation/representation.ts";
import { byteLength } from "../wire/byte_length.ts";

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
