// Stands in for jsr:@std/assert where JSR is out of reach: the same functions, from npm, with their types written out.
// Removing "links" from deno.json must be all it takes to run the original: this may offer less, never more or other.

import * as std from "deno-std/assert";

/** The error that every failing assertion throws. */
export type AssertionError = Error;
export const AssertionError: new (message: string, options?: ErrorOptions) => AssertionError = std.AssertionError;

/** What `assertFalse` lets pass. */
export type Falsy = false | 0 | 0n | "" | null | undefined;

/** What `assertArrayIncludes` looks into: anything with a length and indices but a string. */
export type ArrayLikeArg<T> = ArrayLike<T> & object;

// deno-lint-ignore no-explicit-any
type AnyClass<Instance> = abstract new (...args: any[]) => Instance;

export const assert: (expr: unknown, msg?: string) => asserts expr = std.assert;
export const assertFalse: (expr: unknown, msg?: string) => asserts expr is Falsy = std.assertFalse;
export const fail: (msg?: string) => never = std.fail;
export const unreachable: (msg?: string) => never = std.unreachable;

export const assertEquals: <T>(actual: T, expected: T, msg?: string) => void = std.assertEquals;
export const assertNotEquals: <T>(actual: T, expected: T, msg?: string) => void = std.assertNotEquals;
export const assertStrictEquals: <T>(actual: unknown, expected: T, msg?: string) => asserts actual is T =
  std.assertStrictEquals;
export const assertExists: <T>(actual: T, msg?: string) => asserts actual is NonNullable<T> = std.assertExists;
export const assertInstanceOf: <
  // deno-lint-ignore no-explicit-any
  T extends AnyClass<any>,
>(
  actual: unknown,
  expectedType: T,
  msg?: string,
) => asserts actual is InstanceType<T> = std.assertInstanceOf;

export const assertGreater: <T>(actual: T, expected: T, msg?: string) => void = std.assertGreater;
export const assertGreaterOrEqual: <T>(actual: T, expected: T, msg?: string) => void = std.assertGreaterOrEqual;
export const assertLess: <T>(actual: T, expected: T, msg?: string) => void = std.assertLess;
export const assertLessOrEqual: <T>(actual: T, expected: T, msg?: string) => void = std.assertLessOrEqual;

export const assertMatch: (actual: string, expected: RegExp, msg?: string) => void = std.assertMatch;
export const assertStringIncludes: (actual: string, expected: string, msg?: string) => void = std.assertStringIncludes;
export const assertArrayIncludes: <T>(actual: ArrayLikeArg<T>, expected: ArrayLikeArg<T>, msg?: string) => void =
  std.assertArrayIncludes;
export const assertObjectMatch: (
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
) => void = std.assertObjectMatch;

export const assertThrows: {
  (fn: () => unknown, msg?: string): unknown;
  <E extends Error = Error>(fn: () => unknown, ErrorClass: AnyClass<E>, msgIncludes?: string, msg?: string): E;
} = std.assertThrows;

export const assertRejects: {
  (fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
  <E extends Error = Error>(
    fn: () => PromiseLike<unknown>,
    ErrorClass: AnyClass<E>,
    msgIncludes?: string,
    msg?: string,
  ): Promise<E>;
} = std.assertRejects;
