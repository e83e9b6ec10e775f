/**
 * An id for every request, by which its answer, its log lines and the complaint of its caller are brought together.
 *
 * @module
 */
import { type FetchHandler } from "@scope/api/fetch";

const ids = new WeakMap<Request, string>();

/** The id of a request: the one that a proxy gave it, if it is a plain one, else a new one. Always the same for one request. */
export function requestIdOf(request: Request): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const given = request.headers.get("x-request-id");
  const id = given !== null && /^[\w-]{1,64}$/.test(given) ? given : crypto.randomUUID();
  ids.set(request, id);
  return id;
}

/** Sends the id with every answer. It wraps the handler, for middleware does not see what the adapter answers by itself. */
export function withRequestId(handler: FetchHandler): FetchHandler {
  return async (request) => {
    const response = await handler(request);
    response.headers.set("x-request-id", requestIdOf(request));
    return response;
  };
}
