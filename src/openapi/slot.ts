import { type RouteNode } from "../contract/node.ts";
import { type Schema } from "../schema.ts";
import { isOpaque } from "./representations.ts";

/** A part of a route that has a schema: a slot of the request, the status of a response, or the headers of one. */
export type SchemaSlot = "params" | "query" | "headers" | "body" | number | `${number}.headers`;

/** A slot with its schema. */
export interface DocumentedSlot {
  /** Which slot it is. */
  readonly slot: SchemaSlot;
  /** The schema, if one is declared. */
  readonly schema: Schema | undefined;
  /** The side of the schema that is on the wire. */
  readonly direction: "input" | "output";
  /** Whether documents list the slot property by property instead of as a whole. */
  readonly isFields: boolean;
}

/** Lists the slots of a route that documents describe by a schema, in order. */
export function listSlots({ params, query, headers, body, responses }: RouteNode): DocumentedSlot[] {
  const fields = { params, query, headers } as const;
  const slots: DocumentedSlot[] = (["params", "query", "headers"] as const)
    .filter((slot) => fields[slot] !== undefined)
    .map((slot) => ({ slot, schema: fields[slot], direction: "input", isFields: true }));
  if (body && !isOpaque(body)) {
    slots.push({ slot: "body", schema: body.schema, direction: "input", isFields: false });
  }
  for (const [name, declared] of Object.entries(responses)) {
    const status = Number(name);
    const { schema, headers } = declared;
    if (headers) slots.push({ slot: `${status}.headers`, schema: headers, direction: "output", isFields: true });
    if (!isOpaque(declared)) slots.push({ slot: status, schema, direction: "output", isFields: false });
  }
  return slots;
}
