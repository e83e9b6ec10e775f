// Stands in for jsr:@std/testing/types where JSR is out of reach: the same helpers, from the package they originate in.
// Removing "links" from deno.json must be all it takes to run the original: this may offer less, never more or other.

export {
  type Assert,
  assert as assertType,
  type AssertFalse,
  type AssertTrue,
  type Has,
  type IsAny,
  type IsNever,
  type IsNullable,
  type IsUnknown,
  type NotHas,
} from "conditional-type-checks";

/**
 * Whether two types are the same. As in the original, `readonly` makes a difference; it makes none to the `IsExact` of
 * conditional-type-checks. Two conditional types are assignable to each other only where the types that they test against
 * are identical.
 */
export type IsExact<T, U> = (<X>() => X extends T ? 1 : 2) extends (<X>() => X extends U ? 1 : 2) ? true : false;
