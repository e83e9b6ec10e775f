/** Sorts schemas by what they refer to. */
import { groupCycles } from "../json_schema/cycles.ts";
import type { Schemas } from "./schemas.ts";
import { referencesOf } from "./model.ts";

/**
 * Returns the keys of schemas in an order in which each stands after those that it refers to, where that is possible.
 */
export function sortSchemas(
  keys: readonly string[],
  schemas: Schemas,
): { order: string[]; cyclic: ReadonlySet<string> } {
  const targetsOf = (key: string): readonly string[] => referencesOf(schemas.get(key).model);
  const groups = groupCycles(keys, targetsOf);
  const cyclic = groups.filter(([first, ...others]) => others.length > 0 || targetsOf(first!).includes(first!));
  return { order: groups.flat(), cyclic: new Set(cyclic.flat()) };
}
