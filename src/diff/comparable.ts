/** Compares the texts of schemas, many of which share thousands of definitions. */
import { isSchemaObject, type JsonSchema } from "../json_schema/json.ts";
import { type Definitions, listTargets, reachable } from "../openapi/references.ts";
import type { ApiValue } from "./api.ts";

/** Returns a value whose schema has only the definitions that it refers to. */
export function withOwnDefinitions(value: ApiValue): ApiValue {
  const { schema } = value;
  if (!isSchemaObject(schema) || !isSchemaObject(schema.$defs)) return value;
  const { $defs, ...own } = schema;
  const all = $defs as Definitions; // as above
  const used = reachable(own, all).map((name) => [name, all[name]] as const);
  return { ...value, schema: { ...own, $defs: Object.fromEntries(used) } };
}

/** Tests whether two schemas, and all that they refer to, have the same text. */
export function haveSameText(one: JsonSchema, other: JsonSchema): boolean {
  if (one === other) return true;
  if (!isSchemaObject(one) || !isSchemaObject(other)) return false;
  const { $defs, ...own } = one;
  const { $defs: others, ...rest } = other;
  if (JSON.stringify(own) !== JSON.stringify(rest)) return false;
  if (!isSchemaObject($defs) || !isSchemaObject(others)) return JSON.stringify($defs) === JSON.stringify(others);
  const [definitions, more] = [$defs as Definitions, others as Definitions]; // as above
  const changed = findChanged(definitions, more);
  return listTargets(own, definitions).every((name) => !changed.has(name)) &&
    listTargets(own, definitions).length === listTargets(rest, more).length;
}

/** The results of {@linkcode findChanged}. */
const knownChanges = new WeakMap<Definitions, WeakMap<Definitions, ReadonlySet<string>>>();

/** Returns the definitions that have another text in another set, themselves or in what they refer to. */
function findChanged(definitions: Definitions, others: Definitions): ReadonlySet<string> {
  const known = knownChanges.get(definitions) ?? new WeakMap<Definitions, ReadonlySet<string>>();
  knownChanges.set(definitions, known);
  const changed = known.get(others) ?? listChanged(definitions, others);
  known.set(others, changed);
  return changed;
}

function listChanged(definitions: Definitions, others: Definitions): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const changed = new Set<string>();
  for (const [name, schema] of Object.entries(definitions)) {
    if (!Object.hasOwn(others, name) || JSON.stringify(schema) !== JSON.stringify(others[name])) changed.add(name);
    for (const target of listTargets(schema, definitions)) {
      const list = users.get(target) ?? [];
      list.push(name);
      users.set(target, list);
    }
  }
  for (const name of changed) for (const user of users.get(name) ?? []) changed.add(user); // which grows
  return changed;
}
