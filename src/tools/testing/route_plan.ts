/** The facts of a route that tests need: its slots with their schemas, and its responses. */
import { slotNames } from "../../contract/call.ts";
import type { Contract } from "../../contract/contract.ts";
import type { RouteNode } from "../../contract/node.ts";
import { declaredRefusals } from "../../contract/refusals.ts";
import type { ResponseDeclaration, Responses } from "../../contract/response.ts";
import type { Schema } from "../../schema.ts";
import type { LocatedConversions } from "../openapi/locate_converted.ts";
import {
  type DocumentedSlot,
  findHeir,
  formatSlot,
  listSlots,
  outside,
  type SchemaProvider,
  type SchemaSlot,
  type SlotOptions,
  toSlotSchema,
} from "../openapi/slot_schemas.ts";
import { socketOf } from "../openapi/sockets.ts";
import type { SocketFacts } from "../../representation/socket.ts";
import type { JsonSchemaObject } from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { messageOf } from "../../messages.ts";
import { parameterNames } from "../../path.ts";

/**
 * The slots of a request whose values are texts by name.
 *
 * @internal
 */
export type FieldSlot = "params" | "query" | "headers";

/** A schema, with the JSON Schema of its wire side. */
export interface TestedSchema {
  readonly schema: Schema;
  readonly located: LocatedSchema;
}

export interface TestedResponse {
  readonly declared: ResponseDeclaration;
  readonly body: TestedSchema | undefined;
  readonly headers: TestedSchema | undefined;
}

export type TestedResponses = ReadonlyMap<number, TestedResponse>;

export interface TestedRoute {
  readonly node: RouteNode;
  readonly names: readonly string[];
  readonly slots: Readonly<Partial<Record<FieldSlot | "body", TestedSchema>>>;
  readonly responses: TestedResponses;
  readonly socket: TestedSocket | undefined;
}

/** The messages of connections. Those without a schema that JSON Schema can describe have none. */
export interface TestedSocket {
  readonly facts: SocketFacts;
  readonly fromClient: TestedSchema | undefined;
  readonly fromServer: TestedSchema | undefined;
}

export function takesStream({ body }: RouteNode): boolean {
  return body?.representation.startUpload !== undefined;
}

/** Tests whether a handler that streams the body decides about a refusal: whether it reads as far as the fault. */
export function isLate(node: RouteNode, status: number): boolean {
  return takesStream(node) && (status === 413 || (status === 400 && node.body?.representation.describes === "item"));
}

/** Plans the tests of a route. Throws a `TypeError` if a schema does not convert to JSON Schema. */
export function planRoute(
  node: RouteNode,
  supply: SchemaProvider | undefined,
  conversions: LocatedConversions,
): TestedRoute {
  const { body, responses } = node;
  const listed = listSlots(node);
  const isLeftOut = body?.schema && !listed.some(({ slot }) => slot === "body");
  const opaque = isLeftOut ? [{ slot: "body", schema: body.schema, direction: "input", isFields: false } as const] : [];
  const found = planSchemas(() => node, [...listed, ...opaque], { supply, action: "test", conversions });
  const facts = socketOf(responses[101]);
  return {
    node,
    names: parameterNames(node.path),
    slots: Object.fromEntries(slotNames.map((slot) => [slot, found.get(slot)]).filter(([, each]) => each)),
    responses: planResponses(responses, found),
    socket: facts && { facts, fromClient: found.get("101.fromClient"), fromServer: found.get("101.fromServer") },
  };
}

/** Plans the declared refusals of requests that match no route. Throws likewise. */
export function planOutside(
  { refusals }: Contract,
  nodes: readonly RouteNode[],
  supply: SchemaProvider | undefined,
  conversions: LocatedConversions,
): TestedResponses {
  const responses = declaredRefusals(refusals);
  const heirOf = ({ slot }: DocumentedSlot) => {
    const status = Number.parseInt(String(slot));
    return findHeir(nodes, status, responses[status]!); // a slot of one of them
  };
  const found = planSchemas(heirOf, listSlots({ responses }), { supply, action: "test", conversions });
  return planResponses(responses, found);
}

interface PlanOptions extends SlotOptions {
  readonly conversions: LocatedConversions;
}

function planResponses(responses: Responses, found: ReadonlyMap<SchemaSlot, TestedSchema>): TestedResponses {
  return new Map(
    Object.entries(responses).map(([name, declared]) => {
      const status = Number(name);
      return [status, { declared, body: found.get(status), headers: found.get(`${status}.headers`) }] as const;
    }),
  );
}

function planSchemas(
  routeOf: (slot: DocumentedSlot) => RouteNode | undefined,
  slots: readonly DocumentedSlot[],
  options: PlanOptions,
): ReadonlyMap<SchemaSlot, TestedSchema> {
  const found = new Map<SchemaSlot, TestedSchema>();
  for (const declared of slots) {
    const { slot, schema } = declared;
    const node = routeOf(declared);
    const converted = schema && (node ? toSlotSchema(node, declared, options)?.converted : convert(declared, options));
    if (converted) found.set(slot, { schema, located: options.conversions.locate(converted) });
  }
  return found;
}

/** Converts the schema of a refusal that no route has, so that the user is not asked about it. */
function convert({ slot, schema, direction }: DocumentedSlot, { conversions }: PlanOptions): JsonSchemaObject {
  try {
    return conversions.convert(schema!, direction);
  } catch (cause) {
    const state = `the schema of their ${formatSlot(slot)} does not convert to JSON Schema: ${messageOf(cause)}`;
    const remedy = "let a route inherit it, and return one from the option schema";
    throw new TypeError(`Cannot test ${outside}: ${state}; ${remedy}`, { cause });
  }
}
