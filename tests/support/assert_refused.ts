import { assert, assertStringIncludes, assertThrows } from "@std/assert";

/** Asserts that a function throws a `TypeError` whose message contains each of these parts, and returns the message. */
export function assertTypeError(call: () => unknown, ...parts: readonly string[]): string {
  const { message } = assertThrows(call, TypeError);
  for (const part of parts) assertStringIncludes(message, part);
  return message;
}

/** Asserts that a declaration throws a `TypeError` "Cannot declare …" whose message contains each of these parts. */
export function assertRefused(declare: () => unknown, ...parts: readonly string[]): void {
  const message = assertTypeError(declare, ...parts);
  assert(message.startsWith("Cannot declare "), message);
}
