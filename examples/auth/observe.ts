/**
 * What is recorded for each request: an id, a line in the log, and the name of its span. Both name the route by its declared path,
 * not by the URL, which may contain personal data.
 *
 * @module
 */
import { trace } from "@opentelemetry/api";
import type { ErrorReport, FetchHandler } from "@scope/api/fetch";
import type { MiddlewareInput, NextResult, RefuseInput } from "@scope/api/server";

const ids = new WeakMap<Request, string>();

/** Returns the id of a request: that of a proxy if it is well-formed, or a new one. */
export function requestIdOf(request: Request): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const sent = request.headers.get("x-request-id");
  const id = sent !== null && /^[\w-]{1,64}$/.test(sent) ? sent : crypto.randomUUID();
  ids.set(request, id);
  return id;
}

/** Sends the id with every response. It wraps the handler, because middleware does not receive the adapter's own responses. */
export function withRequestId(handler: FetchHandler): FetchHandler {
  return async (request) => {
    const response = await handler(request);
    response.headers.set("x-request-id", requestIdOf(request));
    return response;
  };
}

/** Logs every request that reaches a handler, as a line of JSON. */
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

/** Logs every request that the adapter rejects, as a line of JSON. The response stays the adapter's. */
export function logRefusal({ problem, request, route }: RefuseInput): undefined {
  log({ requestId: requestIdOf(request), method: request.method, route: route?.path, status: problem.status });
}

/** Logs an error with the id that the client received. */
export function logError({ error, phase, request, route }: ErrorReport): void {
  console.error(JSON.stringify({ requestId: requestIdOf(request), phase, route: route?.key, error: String(error) }));
}

function log(line: object): void {
  console.log(JSON.stringify(line));
}

/** Names the span that Deno creates for a request (`OTEL_DENO=true`) by its route: `GET /api/users/:id`. */
export function nameSpan({ route, next }: MiddlewareInput): Promise<NextResult> {
  const span = trace.getActiveSpan();
  span?.setAttribute("http.route", route.path);
  span?.updateName(`${route.method} ${route.path}`);
  return next();
}
