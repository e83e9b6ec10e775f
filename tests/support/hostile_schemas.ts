/** Handwritten schemas, so that the behavior of a library with unusual values does not matter. */
import type { Schema } from "@scope/api";

/** The fields of a query or a form. */
export type AnyFields = Record<string, string | string[]>;

/** A schema that validates with this function. */
export function schemaOf<Value = AnyFields>(
  validate: (value: unknown) => { value: unknown } | { issues: { message: string; path?: PropertyKey[] }[] },
): Schema<Value> {
  return { "~standard": { version: 1, vendor: "test", validate: validate as never } };
}

/** A schema that accepts every value unchanged. */
export function anything<Value = AnyFields>(): Schema<Value> {
  return schemaOf((value) => ({ value }));
}
