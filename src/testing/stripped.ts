/** Finds members that a schema strips. */
import { type Json } from "../json_schema/json.ts";
import { isSchemaObject, type JsonSchema, namedSchemas } from "../json_schema/json_schema.ts";
import { type LocatedSchema } from "../json_schema/locate.ts";
import { formatStep } from "../pointer.ts";

/**
 * Returns the JSON Pointer of a member that a schema strips: validation removes it, and the JSON Schema does not
 * contain its name. Renamed members do not count.
 */
export function findStripped(value: Json, checked: unknown, located: LocatedSchema): string | undefined {
  const pointer = find(value, checked);
  if (pointer === undefined) return undefined;
  const { known } = located.whole;
  const names = known.get("names") as ReadonlySet<string> | undefined ?? collectNames(located);
  known.set("names", names);
  return names.has(pointer.name) ? undefined : pointer.path;
}

/** The name of a member, and its pointer. */
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

/** Returns all names of members in any part of the whole schema. */
function collectNames({ whole }: LocatedSchema): ReadonlySet<string> {
  const schemas: JsonSchema[] = [...whole.located.keys()];
  return new Set(
    schemas.flatMap((schema) => isSchemaObject(schema) ? namedSchemas(schema.properties).map(([name]) => name) : []),
  );
}
