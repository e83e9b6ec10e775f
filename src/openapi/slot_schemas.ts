/** The JSON Schemas of a contract's slots, for every door that reads contracts by them. */
import { type RouteNode } from "../contract/node.ts";
import { type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { convertSchema, copyJson } from "./convert_schema.ts";
import { type DocumentedSlot, listSlots, type SchemaSlot } from "./slot.ts";

/** Gives the JSON Schema of a place, or `undefined` to have the declared schema converted. */
export type SupplySchema = (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;

/** A slot of a route, with its JSON Schema. */
export interface SlotSchema extends DocumentedSlot {
  /** The route. */
  readonly route: RouteNode;
  /** The object that the JSON Schema was made of: what is used twice is told by it. */
  readonly source: object;
  /** The JSON Schema of the slot's wire side: input for requests, output for responses, a codec's wire schema. */
  readonly converted: JsonSchemaObject;
}

/**
 * Every slot of a route that has a schema, with its JSON Schema.
 *
 * @param action What the door does with a route, for its errors: `describe`, `mock`, `test`.
 * @throws {TypeError} For a schema that does not convert. It names the route and the slot.
 */
export function listSlotSchemas(route: RouteNode, supply: SupplySchema | undefined, action: string): SlotSchema[] {
  return listSlots(route).flatMap((declared) => toSlotSchema(route, declared, supply, action) ?? []);
}

/**
 * A slot with its JSON Schema; `undefined` where it has no schema.
 *
 * @throws {TypeError} For a schema that does not convert. It names the route and the slot.
 */
export function toSlotSchema(
  route: RouteNode,
  declared: DocumentedSlot,
  supply: SupplySchema | undefined,
  action: string,
): SlotSchema | undefined {
  const { slot, schema, direction } = declared;
  try {
    const supplied = supply?.(route, slot);
    const source = supplied ?? schema;
    if (source === undefined) return undefined;
    const converted = supplied ? copyJson(supplied) : convertSchema(schema!, direction);
    return { ...declared, route, source, converted: converted as JsonSchemaObject };
  } catch (cause) {
    throw new TypeError(refuseSchema(route, slot, action, cause), { cause });
  }
}

function refuseSchema({ key }: RouteNode, slot: SchemaSlot, action: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `Cannot ${action} ${key}: the schema of its ${formatSlot(slot)} does not convert to JSON Schema: ${reason}; ` +
    `supply one by the option schema(route, slot)`;
}

/** A place in words. */
export function formatSlot(slot: SchemaSlot): string {
  if (typeof slot === "number") return `response ${slot}`;
  const [status] = slot.split(".");
  return slot.endsWith(".headers") ? `headers of response ${status}` : slot;
}
