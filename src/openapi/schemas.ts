import { type RouteNode } from "../contract/node.ts";
import { type JsonSchema, type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { type Components } from "./components.ts";
import { type SchemaSlot } from "./slot.ts";
import { listSlotSchemas, type SchemaProvider, type SlotSchema } from "./slot_schemas.ts";

/** All schemas of a document. */
export interface Schemas {
  /** Returns the JSON Schema of a slot for its place in the document; `undefined` if the slot has none. */
  readonly of: (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;
  /** The components that those schemas refer to, by name. */
  readonly components: ReadonlyMap<string, JsonSchema>;
}

/** Converts the schemas of all routes. Schemas that are used more than once become components. */
export function planSchemas(
  routes: readonly RouteNode[],
  supply: SchemaProvider | undefined,
  components: Components,
): Schemas {
  const uses = routes.flatMap((route) => listSlotSchemas(route, supply, "describe"));
  const isShared = findShared(uses);
  const embedded = new Map<RouteNode, Map<SchemaSlot, JsonSchemaObject>>(routes.map((route) => [route, new Map()]));
  for (const use of uses) {
    const { route, slot, direction, converted: schema } = use;
    const name = `${route.key}.${slot}`;
    embedded.get(route)?.set(slot, components.embed({ schema, name, direction, isShared: isShared(use) }));
  }
  return { of: (route, slot) => embedded.get(route)?.get(slot), components: components.schemas };
}

/**
 * Returns a function that tells whether a schema is used more than once. Two sides of a schema that convert to the same
 * JSON Schema count as one.
 */
function findShared(uses: readonly SlotSchema[]): (use: SlotSchema) => boolean {
  const counts = new Map<object, Map<string, number>>();
  for (const { source, converted } of uses.filter(({ isFields }) => !isFields)) {
    const sides = counts.get(source) ?? new Map<string, number>();
    const text = JSON.stringify(converted);
    counts.set(source, sides.set(text, (sides.get(text) ?? 0) + 1));
  }
  return ({ source, converted, isFields }) => !isFields && counts.get(source)!.get(JSON.stringify(converted))! > 1;
}
