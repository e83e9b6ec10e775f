/** Schemas written by hand, so that what a library makes of odd values plays no part. */
import { type Schema } from "@scope/api";

/** What a query or a form may hold. */
export type AnyFields = Record<string, string | string[]>;

/** A schema that checks by this function. */
export function schemaOf<Value = AnyFields>(
  validate: (value: unknown) => { value: unknown } | { issues: { message: string; path?: PropertyKey[] }[] },
): Schema<Value> {
  return { "~standard": { version: 1, vendor: "test", validate: validate as never } };
}

/** A schema that takes anything as it is. */
export function anything<Value = AnyFields>(): Schema<Value> {
  return schemaOf((value) => ({ value }));
}
