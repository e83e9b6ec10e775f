// Stands in for jsr:@std/testing/types where JSR is out of reach: the same helpers, from the package they originate in.
// Removing "links" from deno.json must be all it takes to run the original: this may offer less, never more or other.

export {
  type Assert,
  assert as assertType,
  type AssertFalse,
  type AssertTrue,
  type Has,
  type IsAny,
  type IsExact,
  type IsNever,
  type IsNullable,
  type IsUnknown,
  type NotHas,
} from "conditional-type-checks";
