import { type EncodedBody } from "../wire/body.ts";

/** Builds a response. */
export type Respond = (body: EncodedBody | null, init: ResponseInit | undefined) => Response;

/** A response with its body. */
export function respond(body: EncodedBody | null, init: ResponseInit | undefined): Response {
  return new Response(body, init);
}

/** A response to HEAD: the fields that a GET would get, without its body but with its length (RFC 9110, section 9.3.2). */
export function respondToHead(body: EncodedBody | null, init: ResponseInit | undefined): Response {
  const { status, headers } = new Response(body, init);
  const fields = new Headers(headers);
  if (body !== null) fields.set("content-length", String(byteLength(body)));
  return new Response(null, { status, headers: fields });
}

/** How a request is answered, by its method. */
export function toRespond(method: string): Respond {
  return method === "HEAD" ? respondToHead : respond;
}

function byteLength(body: EncodedBody): number {
  if (typeof body === "string") return new TextEncoder().encode(body).byteLength;
  return body instanceof Blob ? body.size : body.byteLength;
}
