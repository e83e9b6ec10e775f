/** Finds what a schema strips of a value. */
import { type Json } from "../json_schema/json.ts";
import { isSchemaObject, type JsonSchema, namedSchemas } from "../json_schema/json_schema.ts";
import { type LocatedSchema } from "../json_schema/locate.ts";
import { formatStep } from "../pointer.ts";

/**
 * The JSON Pointer of a member that a schema strips: checking leaves it out, and nothing in the JSON Schema has its name. What a
 * schema renames is no such member.
 */
export function findStripped(value: Json, checked: unknown, located: LocatedSchema): string | undefined {
  const pointer = find(value, checked);
  if (pointer === undefined) return undefined;
  const { known } = located.whole;
  const names = known.get("names") as ReadonlySet<string> | undefined ?? collectNames(located);
  known.set("names", names);
  return names.has(pointer.name) ? undefined : pointer.path;
}

/** A member by its name, and the pointer to it. */
interface Found {
  readonly name: string;
  readonly path: string;
}

function find(value: Json, checked: unknown): Found | undefined {
  if (typeof value !== "object" || value === null || typeof checked !== "object" || checked === null) return undefined;
  if (!isPlain(checked) || Array.isArray(value) !== Array.isArray(checked)) return undefined; // a Date or a Map
  for (const [name, member] of Object.entries(value)) {
    const below = Object.hasOwn(checked, name)
      ? find(member, (checked as Record<string, unknown>)[name])
      : { name, path: "" };
    if (below) return { name: below.name, path: `${formatStep(name)}${below.path}` };
  }
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Every name of a member that any part of the whole schema has. */
function collectNames({ whole }: LocatedSchema): ReadonlySet<string> {
  const schemas: JsonSchema[] = [...whole.located.keys()];
  return new Set(
    schemas.flatMap((schema) => isSchemaObject(schema) ? namedSchemas(schema.properties).map(([name]) => name) : []),
  );
}
