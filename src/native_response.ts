import { isMarked, mark } from "./mark.ts";

/**
 * Returns whether `value` is a native response, by its class or its tag. `@hono/node-server` replaces the global class,
 * and what `fetch` resolves to is not an instance of the replacement.
 */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}

/**
 * Marks a response whose content is in the memory of this process. A client whose `fetch` is a mounted handler needs no
 * limit for it, and lets the platform read it, which is faster.
 */
export function markAsInMemory(response: Response): Response {
  (response as { [mark]?: string })[mark] = inMemory; // defining a hidden property is slow
  return response;
}

/** Returns whether the content of a response is in the memory of this process. A copy of a response loses the mark. */
export function isInMemory(response: Response): boolean {
  return isMarked(response, inMemory);
}

const inMemory = "response in memory";

/** Whether responses with this status never have content (RFC 9110, sections 15.2, 15.3.5, 15.3.6 and 15.4.5). */
export function isBodiless(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}
