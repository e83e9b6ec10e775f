/**
 * Whether `value` is a native response. Its tag tells as well: `@hono/node-server` replaces the global class, and what `fetch`
 * resolves to is not an instance of the replacement.
 */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}
