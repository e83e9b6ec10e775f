/**
 * Cross-origin resource sharing, round a handler: a preflight is for no route, and a page must be able to read errors too.
 *
 * @module
 */
import { type FetchHandler } from "@scope/api/fetch";

export interface CorsOptions {
  /** The origins whose pages may call, with cookies. */
  readonly origins: ReadonlySet<string>;
  readonly methods: readonly string[];
  /** The header fields of requests, beside those that every page may send. */
  readonly headers: readonly string[];
  /** The header fields of answers that pages may read, beside those that every page may. */
  readonly exposed: readonly string[];
}

/** Answers preflights before the router, and lets pages of the allowed origins read whatever the handler answers. */
export function withCors(handler: FetchHandler, options: CorsOptions): FetchHandler {
  return async (request) => {
    if (isPreflight(request)) return answerPreflight(request, options);
    const response = await handler(request);
    allowOrigin(request, response.headers, options);
    response.headers.set("access-control-expose-headers", options.exposed.join(", "));
    return response;
  };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

function answerPreflight(request: Request, options: CorsOptions): Response {
  const headers = new Headers({
    "access-control-allow-methods": options.methods.join(", "),
    "access-control-allow-headers": options.headers.join(", "),
    "access-control-max-age": "7200", // seconds
  });
  allowOrigin(request, headers, options);
  return new Response(null, { status: 204, headers });
}

/** Names the request's origin, if it is allowed. Whether or not, the answer depends on it, and caches must know. */
function allowOrigin(request: Request, headers: Headers, { origins }: CorsOptions): void {
  headers.append("vary", "Origin");
  const origin = request.headers.get("origin");
  if (origin === null || !origins.has(origin)) return;
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-allow-credentials", "true");
}
