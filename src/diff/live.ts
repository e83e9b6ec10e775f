/** Checks wire values with the schemas of live contracts, beyond their JSON Schemas. */
import { convertSchema } from "../openapi/convert_schema.ts";
import { type Checked, type Issue, type Schema, toCheck } from "../schema.ts";
import { isJsonObject, type Json, type JsonObject, typeOf } from "../json_schema/json.ts";
import { type JsonSchema } from "../json_schema/json_schema.ts";
import { type LocatedSchema, locateSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { canSend } from "../json_schema/reading_rules.ts";
import { areSame } from "../json_schema/same_schema.ts";
import { type ArrayShape, itemSchemas, memberSchemas, type ObjectShape } from "../json_schema/shapes.ts";

/** Returns the issues of a value: an empty list if it is valid, `undefined` if that cannot be decided synchronously. */
export type LiveCheck = (value: Json) => readonly Issue[] | undefined;

/** Returns the check of a schema. Errors and promises count as undecided. */
export function toLiveCheck(schema: Schema): LiveCheck {
  const check = toCheck(schema);
  return (value) => {
    try {
      const checked = check(value);
      if (checked instanceof Promise) {
        checked.catch(() => {});
        return undefined;
      }
      return (checked as Checked).issues ?? [];
    } catch {
      return undefined;
    }
  };
}

/** Whether a schema validates its own output too, because its input equals the JSON Schema of its output. */
export function isPlainSchema(schema: Schema, output: JsonSchema): boolean {
  try {
    return areSame(locateSchema(convertSchema(schema, "input")), locateSchema(output));
  } catch {
    return false;
  }
}

/**
 * Returns a value without the members that a reader does not declare; `undefined` if alternatives declare different
 * members.
 */
export function prune(schemas: readonly LocatedSchema[], value: Json): Json | undefined {
  const [shape, ...others] = normalize(schemas).filter(({ type }) => type === typeOf(value));
  if (Array.isArray(value)) {
    const items = value.map((item, index) => shape ? prune(itemSchemas(shape as ArrayShape, index), item) : item);
    return others.length > 0 || items.includes(undefined) ? undefined : items as Json[];
  }
  if (!isJsonObject(value) || !shape || shape.values) return value;
  const members = Object.entries(value).filter(([name]) => canSend(shape as ObjectShape, name))
    .map(([name, member]) => [name, prune(memberSchemas(shape as ObjectShape, name), member)] as const);
  const isUnclear = others.length > 0 || members.some(([, member]) => member === undefined);
  return isUnclear ? undefined : Object.fromEntries(members) as JsonObject;
}
