/**
 * What is recorded of a request: an id, a line in the log, and the name of its span. Log and span name the route by its path as
 * declared, not by the URL, which may contain personal data.
 *
 * @module
 */
import { trace } from "@opentelemetry/api";
import { type ErrorReport, type FetchHandler } from "@scope/api/fetch";
import { type MiddlewareInput, type NextResult, type RefuseInput } from "@scope/api/server";

const ids = new WeakMap<Request, string>();

/** The id of a request: a plain one that a proxy sent, else a new one. */
export function requestIdOf(request: Request): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const given = request.headers.get("x-request-id");
  const id = given !== null && /^[\w-]{1,64}$/.test(given) ? given : crypto.randomUUID();
  ids.set(request, id);
  return id;
}

/** Sends the id with every answer. It wraps the handler, because middleware does not see the adapter's own answers. */
export function withRequestId(handler: FetchHandler): FetchHandler {
  return async (request) => {
    const response = await handler(request);
    response.headers.set("x-request-id", requestIdOf(request));
    return response;
  };
}

/** Writes a line of JSON for every request that reaches a handler. */
export async function logRequests(
  { context: { requestId }, route, next }: MiddlewareInput<{ readonly requestId: string }>,
): Promise<NextResult> {
  const started = performance.now();
  let status: number | undefined;
  try {
    const result = await next();
    status = result.status;
    return result;
  } finally {
    log({
      requestId,
      method: route.method,
      route: route.path,
      status,
      milliseconds: Math.round(performance.now() - started),
    });
  }
}

/** Writes a line of JSON for every request that the adapter refuses; the answer stays the adapter's. */
export function logRefusal({ problem, request, route }: RefuseInput): undefined {
  log({ requestId: requestIdOf(request), method: request.method, route: route?.path, status: problem.status });
}

/** Writes the error of a failure with the id that its caller was told. */
export function logError({ error, phase, request, route }: ErrorReport): void {
  console.error(JSON.stringify({ requestId: requestIdOf(request), phase, route: route?.key, error: String(error) }));
}

function log(line: object): void {
  console.log(JSON.stringify(line));
}

/** Names the span that Deno makes of a request (`OTEL_DENO=true`) by its route: `GET /api/users/:id`. */
export function nameSpan({ route, next }: MiddlewareInput): Promise<NextResult> {
  const span = trace.getActiveSpan();
  span?.setAttribute("http.route", route.path);
  span?.updateName(`${route.method} ${route.path}`);
  return next();
}
