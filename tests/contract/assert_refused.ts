import { assert, assertStringIncludes, assertThrows } from "@std/assert";

/** Asserts that a declaration throws a `TypeError` "Cannot declare …" whose message has each of these parts. */
export function assertRefused(declare: () => unknown, ...parts: readonly string[]): void {
  const { message } = assertThrows(declare, TypeError);
  assert(message.startsWith("Cannot declare "), message);
  for (const part of parts) assertStringIncludes(message, part);
}
