/** What the schemas of live contracts say of wire values, beyond their JSON Schemas. */
import { convertSchema } from "../openapi/convert_schema.ts";
import { type Checked, type Issue, type Schema, toCheck } from "../schema.ts";
import { isJsonObject, type Json, type JsonObject, typeOf } from "../json_schema/json.ts";
import { type JsonSchema } from "../json_schema/json_schema.ts";
import { type LocatedSchema, locateSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { canSend } from "../json_schema/reading_rules.ts";
import { areSame } from "../json_schema/same_schema.ts";
import { type ArrayShape, itemSchemas, memberSchemas, type ObjectShape } from "../json_schema/shapes.ts";

/** The issues of a value: none where it is valid; `undefined` where that cannot be told at once. */
export type LiveCheck = (value: Json) => readonly Issue[] | undefined;

/** The check of a schema. What it throws, and promises, tell nothing. */
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

/** Whether a schema whose output is that of a JSON Schema validates it as well: its input is the same. */
export function isPlainSchema(schema: Schema, output: JsonSchema): boolean {
  try {
    return areSame(locateSchema(convertSchema(schema, "input")), locateSchema(output));
  } catch {
    return false;
  }
}

/** What a reader knows of a value: members that it does not declare are left out. `undefined` where alternatives declare other ones. */
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
