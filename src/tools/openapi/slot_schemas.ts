/** Converts the schemas of a contract's slots to JSON Schema, for all entry points that need them. */
import type { RouteNode } from "../../contract/node.ts";
import type { ResponseDeclaration } from "../../contract/response.ts";
import type { JsonSchemaObject } from "../json_schema/json.ts";
import { unstyled } from "../../contract/codec.ts";
import { messageOf } from "../../messages.ts";
import type { Schema } from "../../schema.ts";
import { type Conversions, createConversions } from "./conversions.ts";
import type { Direction } from "./definitions.ts";
import { isOpaque } from "./representations.ts";
import { listMessages, type SocketSlot } from "./sockets.ts";

/** Returns the JSON Schema of a slot, or `undefined` to convert the declared schema. */
export type SchemaProvider = (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;

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
 * @throws {TypeError} If a schema does not convert. The message names the route and the slot.
 */
export function listSlotSchemas(route: RouteNode, options: SlotOptions, sent?: Direction): SlotSchema[] {
  return listSlots(route, sent).flatMap((declared) => toSlotSchema(route, declared, options) ?? []);
}

export interface SlotOptions {
  readonly supply: SchemaProvider | undefined;
  /** The verb for error messages: `describe`, `mock`, `test`. */
  readonly action: string;
  /** The conversions of all slots that are processed together. */
  readonly conversions: Conversions;
}

/**
 * Returns a slot with its JSON Schema; `undefined` if it does not have a schema.
 *
 * @throws {TypeError} If the schema does not convert. The message names the route and the slot.
 */
export function toSlotSchema(
  route: RouteNode,
  declared: DocumentedSlot,
  { supply, action, conversions }: SlotOptions,
): SlotSchema | undefined {
  const { slot, schema, direction } = declared;
  try {
    const supplied = supply?.(route, slot);
    const source = supplied ?? schema;
    if (source === undefined) return undefined;
    const converted = supplied ? conversions.copy(supplied) : conversions.convert(schema!, direction);
    return { ...declared, route, source, converted };
  } catch (cause) {
    const problem = `the schema of its ${formatSlot(slot)} does not convert to JSON Schema: ${messageOf(cause)}`;
    throw new TypeError(`Cannot ${action} ${route.key}: ${problem}; return one from the option schema(route, slot)`, {
      cause,
    });
  }
}

/**
 * Returns the first route that inherits a refusal of the contract, which users are asked about for requests without a
 * route. `undefined` if every route declares another response.
 */
export function findHeir(
  routes: readonly RouteNode[],
  status: number,
  declared: ResponseDeclaration,
): RouteNode | undefined {
  return routes.find(({ refusals }) => refusals?.[status] === declared);
}

/** What messages call the requests that match no route. */
export const outside = "requests without a route";

/**
 * Converts one side of a schema that is processed alone.
 *
 * @throws If the schema does not convert.
 */
export function convertSchema(schema: Schema, direction: Direction): JsonSchemaObject {
  return createConversions().convert(schema, direction);
}

/** Formats the name of a slot for messages. */
export function formatSlot(slot: SchemaSlot): string {
  if (typeof slot === "number") return `response ${slot}`;
  const [status] = slot.split(".");
  return slot.endsWith(".headers") ? `headers of response ${status}` : slot;
}

/**
 * A part of a route that has a schema: a slot of the request, the status of a response, the headers of one, or the
 * messages of a socket: `101.fromClient`, `101.fromServer`.
 */
export type SchemaSlot = "params" | "query" | "headers" | "body" | number | `${number}.headers` | SocketSlot;

export interface DocumentedSlot {
  readonly slot: SchemaSlot;
  readonly schema: Schema | undefined;
  /** The side of the schema that is on the wire. */
  readonly direction: Direction;
  /** Whether documents list the slot property by property instead of as a whole. */
  readonly isFields: boolean;
}

/** The members of a route that have slots. Those without a request are responses alone. */
type Slotted = Pick<RouteNode, "responses"> & Partial<Pick<RouteNode, "params" | "query" | "headers" | "body">>;

/**
 * Lists the slots of a route that documents describe by a schema, in order. `sent` is the side of the request that is on
 * the wire: what a server reads is the input of its schemas, and what a webhook sends is their output.
 */
export function listSlots(
  { params, query, headers, body, responses }: Slotted,
  sent: Direction = "input",
): DocumentedSlot[] {
  const fields = { params, query, headers } as const;
  const slots: DocumentedSlot[] = (["params", "query", "headers"] as const)
    .filter((slot) => fields[slot] !== undefined)
    .map((slot) => ({ slot, schema: unstyled(fields[slot]), direction: sent, isFields: true }));
  if (body && !isOpaque(body)) {
    slots.push({ slot: "body", schema: unstyled(body.schema), direction: sent, isFields: false });
  }
  for (const [name, declared] of Object.entries(responses)) {
    const status = Number(name);
    const { schema, headers } = declared;
    if (headers) {
      slots.push({ slot: `${status}.headers`, schema: unstyled(headers), direction: "output", isFields: true });
    }
    if (!isOpaque(declared)) slots.push({ slot: status, schema, direction: "output", isFields: false });
    slots.push(...listMessages(declared).map((each) => ({ ...each, isFields: false })));
  }
  return slots;
}
