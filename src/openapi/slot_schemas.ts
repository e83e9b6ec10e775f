/** Converts the schemas of a contract's slots to JSON Schema, for all entry points that need them. */
import { type RouteNode } from "../contract/node.ts";
import { type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { convertSchema, copyJson } from "./convert_schema.ts";
import { type DocumentedSlot, listSlots, type SchemaSlot } from "./slot.ts";

/** Returns the JSON Schema of a slot, or `undefined` to convert the declared schema. */
export type SchemaProvider = (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;

/** A slot of a route, with its JSON Schema. */
export interface SlotSchema extends DocumentedSlot {
  readonly route: RouteNode;
  /**
   * The schema or supplied object that the JSON Schema comes from. It identifies schemas that are used more than once.
   */
  readonly source: object;
  /** The JSON Schema of the slot's wire side: input for requests, output for responses, the wire schema for a codec. */
  readonly converted: JsonSchemaObject;
}

/**
 * Lists every slot of a route that has a schema, with its JSON Schema.
 *
 * @param action The verb for error messages: `describe`, `mock`, `test`.
 * @throws {TypeError} If a schema does not convert. The message names the route and the slot.
 */
export function listSlotSchemas(route: RouteNode, supply: SchemaProvider | undefined, action: string): SlotSchema[] {
  return listSlots(route).flatMap((declared) => toSlotSchema(route, declared, supply, action) ?? []);
}

/**
 * Returns a slot with its JSON Schema; `undefined` if it does not have a schema.
 *
 * @throws {TypeError} If the schema does not convert. The message names the route and the slot.
 */
export function toSlotSchema(
  route: RouteNode,
  declared: DocumentedSlot,
  supply: SchemaProvider | undefined,
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
    `return one from the option schema(route, slot)`;
}

/** Formats the name of a slot for messages. */
export function formatSlot(slot: SchemaSlot): string {
  if (typeof slot === "number") return `response ${slot}`;
  const [status] = slot.split(".");
  return slot.endsWith(".headers") ? `headers of response ${status}` : slot;
}
