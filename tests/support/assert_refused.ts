import { assertMatch, assertStringIncludes, assertThrows } from "@std/assert";

/** Asserts that a function throws a `TypeError` whose message contains each of these parts, and returns the message. */
export function assertTypeError(call: () => unknown, ...parts: readonly string[]): string {
  const { message } = assertThrows(call, TypeError);
  for (const part of parts) assertStringIncludes(message, part);
  return message;
}

/** The beginning of a message about a declaration: the call, with its path or name. */
const declaration =
  /^(?:route\.\w+|router|defineContract|codec|styled|representation|request\.\w+|response\.\w+|security\.\w+)\(.*?\)(?:\.scoped\(\))?: /s;

/** Asserts that a declaration throws a `TypeError` that begins with the call, and whose message has each of these parts. */
export function assertRefused(declare: () => unknown, ...parts: readonly string[]): void {
  const message = assertTypeError(declare, ...parts);
  assertMatch(message, declaration);
}
