import { type RouteNode } from "../contract/node.ts";
import { type Components } from "./components.ts";
import { convertSchema, copyJson } from "./convert_schema.ts";
import { type DocumentedSlot, listSlots, type SchemaSlot } from "./slot.ts";
import { type JsonSchema, type JsonSchemaObject } from "./types.ts";

/** Gives the JSON Schema of a place, or `undefined` to have the declared schema converted. */
export type SupplySchema = (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;

/** Every schema of a document. */
export interface Schemas {
  /** The JSON Schema of a place, as it stands in the document; `undefined` where there is nothing to say. */
  readonly of: (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;
  /** What those schemas refer to, by name. */
  readonly components: ReadonlyMap<string, JsonSchema>;
}

/** One use of a schema. */
interface Use extends DocumentedSlot {
  readonly route: RouteNode;
  /** The object it was made of: what is used twice is told by it. */
  readonly source: object;
  readonly converted: JsonSchemaObject;
}

/** Converts the schemas of all routes into a document's `components`; what is used more than once becomes a component. */
export function planSchemas(
  routes: readonly RouteNode[],
  supply: SupplySchema | undefined,
  components: Components,
): Schemas {
  const uses = routes.flatMap((route) => listUses(route, supply));
  const isShared = findShared(uses);
  const embedded = new Map<RouteNode, Map<SchemaSlot, JsonSchemaObject>>(routes.map((route) => [route, new Map()]));
  for (const use of uses) {
    const { route, slot, direction, converted: schema } = use;
    const name = `${route.key}.${slot}`;
    embedded.get(route)?.set(slot, components.embed({ schema, name, direction, isShared: isShared(use) }));
  }
  return { of: (route, slot) => embedded.get(route)?.get(slot), components: components.schemas };
}

function listUses(route: RouteNode, supply: SupplySchema | undefined): Use[] {
  return listSlots(route).flatMap((declared) => {
    const found = convertSlot(route, declared, supply);
    return found ? [{ ...declared, ...found, route }] : [];
  });
}

/** Converts the schema of a place; `undefined` where it has none. Throws a `TypeError` for one that does not convert. */
export function convertSlot(
  route: RouteNode,
  { slot, schema, direction }: DocumentedSlot,
  supply: SupplySchema | undefined,
): Pick<Use, "source" | "converted"> | undefined {
  try {
    const supplied = supply?.(route, slot);
    const source = supplied ?? schema;
    if (source === undefined) return undefined;
    const converted = supplied ? copyJson(supplied) : convertSchema(schema!, direction);
    return { source, converted: converted as JsonSchemaObject };
  } catch (cause) {
    throw new TypeError(refuseSchema(route, slot, cause), { cause });
  }
}

function refuseSchema({ key }: RouteNode, slot: SchemaSlot, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `Cannot describe ${key}: the schema of its ${formatSlot(slot)} does not convert to JSON Schema: ${reason}; ` +
    `supply one by the option schema(route, slot)`;
}

/** A place in words. */
function formatSlot(slot: SchemaSlot): string {
  if (typeof slot === "number") return `response ${slot}`;
  const [status] = slot.split(".");
  return slot.endsWith(".headers") ? `headers of response ${status}` : slot;
}

/** Tells which uses have company: of one object, whose two sides are one where they convert to the same. */
function findShared(uses: readonly Use[]): (use: Use) => boolean {
  const counts = new Map<object, Map<string, number>>();
  for (const { source, converted } of uses.filter(({ isFields }) => !isFields)) {
    const sides = counts.get(source) ?? new Map<string, number>();
    const text = JSON.stringify(converted);
    counts.set(source, sides.set(text, (sides.get(text) ?? 0) + 1));
  }
  return ({ source, converted, isFields }) => !isFields && counts.get(source)!.get(JSON.stringify(converted))! > 1;
}
