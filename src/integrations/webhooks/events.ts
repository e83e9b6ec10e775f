import { type Ready, whenReady } from "../../awaitable.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { HandlerSlot } from "../../contract/slots.ts";
import { isWebhooks, type Webhooks } from "../../contract/router.ts";
import { type Check, type Checked, type Issue, type JsonSchemaProperties, type Schema, toCheck } from "../../schema.ts";
import { checkRule, failAt } from "../../options.ts";

/** A received webhook: its name, and its body as the output of its schema. `event` tells the types of `data` apart. */
export type WebhookEvent<Hooks> = {
  readonly [Name in Exclude<keyof Hooks, "~scope/api"> & string]: {
    readonly event: Name;
    readonly data: DataOf<Hooks[Name]>;
  };
}[Exclude<keyof Hooks, "~scope/api"> & string];

/**
 * The output of the schema of a webhook's body.
 *
 * @internal
 */
type DataOf<Route> = Route extends RouteNode ? HandlerSlot<Route>["body"] : never;

/**
 * Returns the schema of a body that is any of an API's webhooks, for the route of a receiver. Its output names the first
 * whose schema accepts the body, so declare a discriminating property, such as `type`, in each.
 *
 * @example A receiver of two events
 * ```ts
 * import { request, response, route, webhooks } from "@scope/api";
 * import { webhookEvents } from "@scope/api/webhooks";
 * import { assertEquals } from "@std/assert";
 * import * as z from "zod";
 *
 * const responses = { 204: response.empty() };
 * const hooks = webhooks({
 *   paid: route.post("/", { body: z.object({ type: z.literal("paid"), total: z.number() }), responses }),
 *   sent: route.post("/", { body: z.object({ type: z.literal("sent") }), responses }),
 * });
 * const events = webhookEvents(hooks);
 *
 * const result = await events["~standard"].validate({ type: "paid", total: 3 });
 * assertEquals(result.issues ? undefined : result.value, { event: "paid", data: { type: "paid", total: 3 } });
 * const receiver = route.post("/hooks/shop", { body: request.json(events), responses });
 * assertEquals(receiver.method, "POST");
 * ```
 *
 * @throws {TypeError} If the argument was not made by `webhooks()`, or a webhook has no schema of JSON.
 */
export function webhookEvents<Hooks extends Webhooks>(hooks: Hooks): Schema<unknown, WebhookEvent<Hooks>> {
  checkRule(hooks, "the argument", ["made by webhooks({ … })", isWebhooks], where);
  const events = Object.entries(hooks).map(([event, { body }]): EventSchema => {
    if (!body?.schema) failAt(where, `${event} must have a body with a schema, such as request.json(schema)`);
    return { event, schema: body.schema, check: toCheck(body.schema) };
  });
  const jsonSchemas = events.flatMap(({ schema }) => (schema["~standard"] as JsonSchemaProperties).jsonSchema ?? []);
  const jsonSchema = jsonSchemas.length < events.length ? undefined : {
    input: (options: { readonly target: "draft-2020-12" }): Record<string, unknown> => ({
      anyOf: jsonSchemas.map((each) => checkFlat(each.input(options))),
    }),
  };
  return Object.freeze({
    "~standard": Object.freeze({
      version: 1,
      vendor: "@scope/api",
      validate: (value: unknown) => findEvent(events, value) as Ready<Checked<WebhookEvent<Hooks>>>, // of the first that fits
      ...(jsonSchema && { jsonSchema }),
    }),
  });
}

interface EventSchema {
  readonly event: string;
  readonly schema: Schema;
  readonly check: Check;
}

/** Returns the first event whose schema accepts a body, or why none does. */
function findEvent(events: readonly EventSchema[], value: unknown, refused: readonly Issue[] = []): Ready<Checked> {
  const [first, ...others] = events;
  if (!first) return { issues: refused };
  return whenReady(first.check(value), (checked): Ready<Checked> => {
    if (!checked.issues) return { value: { event: first.event, data: checked.value } };
    const own = Array.from(checked.issues, ({ message, path }): Issue => ({
      message: `not ${first.event}: ${message}`,
      path,
    }));
    return findEvent(others, value, [...refused, ...own]);
  });
}

/** Returns a JSON Schema that can be a part of another. Throws if it refers to definitions of its own. */
function checkFlat({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  if (!JSON.stringify(schema).includes('"$ref"')) return schema;
  failAt(where, "a schema that refers to itself cannot be described; pass its JSON Schema");
}

const where = "webhookEvents()";
