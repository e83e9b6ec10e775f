import { type EncodedBody } from "../wire/body.ts";

/** What a response is built with. */
export type SentBody = EncodedBody | ReadableStream<Uint8Array<ArrayBuffer>> | null;

/** Builds a response. */
export type Respond = (body: SentBody, init: ResponseInit | undefined) => Response;

/** A response with its body. */
export function respond(body: SentBody, init: ResponseInit | undefined): Response {
  return new Response(body, init);
}

/**
 * A response to HEAD: the fields that a GET would get, without its body but with its length (RFC 9110, section 9.3.2). A stream,
 * whose length nobody knows, is cancelled.
 */
export function respondToHead(body: SentBody, init: ResponseInit | undefined): Response {
  if (body instanceof ReadableStream) return dropBody(new Response(body, init));
  const { status, headers } = new Response(body, init);
  const fields = new Headers(headers);
  if (body !== null) fields.set("content-length", String(byteLength(body)));
  return new Response(null, { status, headers: fields });
}

/** How a request is answered, by its method. */
export function toRespond(method: string): Respond {
  return method === "HEAD" ? respondToHead : respond;
}

/** A response without its body, which is cancelled. */
export function dropBody(response: Response): Response {
  if (response.body === null) return response;
  response.body.cancel().catch(() => {}); // how its source takes it is its own affair
  return new Response(null, response);
}

function byteLength(body: EncodedBody): number {
  if (typeof body === "string") return new TextEncoder().encode(body).byteLength;
  return body instanceof Blob ? body.size : body.byteLength;
}
