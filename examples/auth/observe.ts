/**
 * What is told of a request: a line in the log, and the name of its span. Both name the route by its path as declared, not by the
 * URL, which may hold what is nobody's business.
 *
 * @module
 */
import { trace } from "@opentelemetry/api";
import { type ErrorReport } from "@scope/api/fetch";
import { type MiddlewareInput, type NextResult } from "@scope/api/server";

/** Writes a line of JSON for every request that was answered by middleware or a handler, or failed in them. */
export async function logRequests(
  { context, route, next }: MiddlewareInput<{ readonly requestId: string }>,
): Promise<NextResult> {
  const started = performance.now();
  let status: number | undefined;
  try {
    const result = await next();
    status = result.status;
    return result;
  } finally {
    const milliseconds = Math.round(performance.now() - started);
    const { requestId } = context;
    console.log(JSON.stringify({ requestId, method: route.method, route: route.path, status, milliseconds }));
  }
}

/** Writes what failed, beside the id that its caller was told. */
export function logError({ error, phase, route }: ErrorReport, requestId: string): void {
  console.error(JSON.stringify({ requestId, phase, route: route?.key, error: String(error) }));
}

/** Tells OpenTelemetry the route: the span that Deno makes of a request (`OTEL_DENO=true`) is then `GET /api/users/:id`. */
export function nameSpan({ route, next }: MiddlewareInput): Promise<NextResult> {
  const span = trace.getActiveSpan();
  span?.setAttribute("http.route", route.path);
  span?.updateName(`${route.method} ${route.path}`);
  return next();
}
