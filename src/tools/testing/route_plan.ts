/** The facts of a route that tests need: its slots with their schemas, and its responses. */
import type { RouteNode } from "../../contract/node.ts";
import type { Schema } from "../../schema.ts";
import type { LocatedConversions } from "../openapi/locate_converted.ts";
import {
  listSlots,
  type SchemaProvider,
  type SchemaSlot,
  type SlotOptions,
  type SlotSchema,
  toSlotSchema,
} from "../openapi/slot_schemas.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { parameterNames } from "../../path.ts";

/**
 * The slots of a request whose values are texts by name.
 *
 * @internal
 */
export type FieldSlot = "params" | "query" | "headers";

export const slotNames = ["params", "query", "headers", "body"] as const;

/** A schema, with the JSON Schema of its wire side. */
export interface PlannedSchema {
  readonly schema: Schema;
  /** The JSON Schema of the wire value. */
  readonly located: LocatedSchema;
}

export interface ResponseSchemas {
  /** The schema of the body, or of an item of a stream. */
  readonly body: PlannedSchema | undefined;
  readonly headers: PlannedSchema | undefined;
}

export interface RoutePlan {
  readonly node: RouteNode;
  readonly names: readonly string[];
  /** The schemas of its slots. Slots without a schema are absent. */
  readonly slots: Readonly<Partial<Record<FieldSlot | "body", PlannedSchema>>>;
  /** The schemas of its responses, by status. */
  readonly responses: ReadonlyMap<number, ResponseSchemas>;
}

/** Tests whether a handler streams the body of a request. */
export function takesStream({ body }: RouteNode): boolean {
  return body?.representation.startUpload !== undefined;
}

/**
 * Tests whether a handler decides about a refusal with a status, because it streams the body: whether it reads as far as
 * the limit, or an invalid item, and whether its response has begun by then.
 */
export function isLate({ body }: RouteNode, status: number): boolean {
  if (body?.representation.startUpload === undefined) return false;
  return status === 413 || status === 400 && body.representation.describes === "item";
}

/**
 * Plans the tests of a route.
 *
 * @throws {TypeError} If a schema does not convert to JSON Schema.
 */
export function planRoute(
  node: RouteNode,
  supply: SchemaProvider | undefined,
  conversions: LocatedConversions,
): RoutePlan {
  const found = new Map<SchemaSlot, PlannedSchema>();
  for (const { slot, schema, converted } of listSchemas(node, { supply, action: "test", conversions })) {
    if (schema) found.set(slot, { schema, located: conversions.locate(converted) });
  }
  const slots = Object.fromEntries(slotNames.map((slot) => [slot, found.get(slot)]).filter(([, each]) => each));
  const statuses = Object.keys(node.responses).map(Number);
  const responses = statuses.map((status) =>
    [status, { body: found.get(status), headers: found.get(`${status}.headers`) }] as const
  );
  return { node, names: parameterNames(node.path), slots, responses: new Map(responses) };
}

function listSchemas(node: RouteNode, options: SlotOptions): SlotSchema[] {
  const listed = listSlots(node).filter(({ schema }) => schema !== undefined);
  const { body } = node;
  const isLeftOut = body?.schema && !listed.some(({ slot }) => slot === "body");
  const opaque = isLeftOut ? [{ slot: "body", schema: body.schema, direction: "input", isFields: false } as const] : [];
  return [...listed, ...opaque].flatMap((declared) => toSlotSchema(node, declared, options) ?? []);
}
