import { type Json } from "../json_schema/json.ts";
import { type LocatedSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { resolveAlias } from "../json_schema/same_schema.ts";
import { knownNames, memberSchemas, type ObjectShape } from "../json_schema/shapes.ts";

/** A place in a schema with members, and its default. */
export interface Defaulted {
  /** The names of the members that lead to it. */
  readonly path: readonly string[];
  /** The default; `undefined` if there is none. */
  readonly value: Json | undefined;
}

/** The most places that are searched. */
const mostPlaces = 2_000;

/** Lists the members of a schema's objects, including nested ones, by their place, with their defaults. */
export function listDefaults(located: LocatedSchema): ReadonlyMap<string, Defaulted> {
  const found = new Map<string, Defaulted>();
  collect([located], { path: [], trail: [], found });
  return found;
}

/** The state of the search. */
interface Search {
  readonly path: readonly string[];
  /** The schemas that were entered on the way. Recursive schemas are entered once. */
  readonly trail: readonly string[];
  readonly found: Map<string, Defaulted>;
}

function collect(schemas: readonly LocatedSchema[], { path, trail, found }: Search): void {
  const place = JSON.stringify(path);
  const entered = schemas.map((schema) => resolveAlias(schema).id).join();
  if (found.has(place) || found.size >= mostPlaces || trail.includes(entered)) return;
  const shapes = normalize(schemas);
  const source = shapes.flatMap(({ sources }) => sources).find((each) => each.default !== undefined);
  found.set(place, { path, value: source?.default as Json | undefined });
  for (const shape of shapes.filter((each): each is ObjectShape => each.type === "object")) {
    for (const name of knownNames(shape)) {
      collect(memberSchemas(shape, name), { path: [...path, name], trail: [...trail, entered], found });
    }
  }
}
