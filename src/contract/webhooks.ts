/** `webhooks()`: the requests that an API sends to the servers of others. */
import { describeValue } from "../messages.ts";
import { isMarked, markAs, type Marked } from "../mark.ts";
import { cannotDeclare, checkObject, describeDeclared, mapObject } from "./declared.ts";
import type { RouteNode } from "./node.ts";
import type { RouteDeclaration } from "./route.ts";
import { resolveRoutes } from "./router.ts";

/**
 * Declared webhooks, by name: the routes that each receiver has at a URL of its own. {@linkcode webhooks} returns it.
 */
export type Webhooks<Routes extends object = object> = Routes & Marked<"webhooks">;

/**
 * The webhooks of declarations, by name.
 *
 * @internal
 */
export type WebhooksOf<Declared> =
  & { readonly [Name in keyof Declared]: WebhookNode<Declared[Name], Name & string> }
  & Marked<"webhooks">;

/**
 * A declaration as a webhook: a route that inherits nothing.
 *
 * @internal
 */
export type WebhookNode<Declared, Name extends string> = Declared extends RouteDeclaration<infer Shape> ? RouteNode<{
    readonly key: Name;
    readonly method: Shape["method"];
    readonly path: "/";
    readonly params: undefined;
    readonly query: undefined;
    readonly headers: Shape["headers"];
    readonly body: Shape["body"];
    readonly responses: Shape["responses"];
    readonly ownResponses: undefined;
    readonly security: undefined;
    readonly refusals: undefined;
  }>
  : never;

/**
 * Declares webhooks, for the option `webhooks` of {@linkcode defineContract}: requests that this API sends to servers of
 * others, each to a URL that the receiver has registered. Each is a route with the path `/`, and inherits nothing from
 * the contract. `createSender()` of `@scope/api/webhooks` sends them, and the OpenAPI document lists them.
 *
 * @example An event of a shop
 * ```ts
 * import { defineContract, request, response, route, webhooks } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import * as z from "zod";
 *
 * const contract = defineContract({
 *   routes: { health: route.get("/health", { responses: { 204: response.empty() } }) },
 *   webhooks: webhooks({
 *     orderPaid: route.post("/", {
 *       body: request.json(z.object({ order: z.string(), total: z.number() })),
 *       responses: { 204: response.empty() },
 *     }),
 *   }),
 * });
 *
 * assertEquals(contract.webhooks.orderPaid.key, "orderPaid");
 * ```
 *
 * @param declared The routes by name, at least one: each with the path `/` and a body that is sent as a whole. They may
 * declare `headers`; they have no `params`, `query` or `security`, which belong to the receiver.
 * @throws {TypeError} If a route is invalid as a webhook. The message names it and the fix.
 */
export function webhooks<Declared extends { readonly [name: string]: Marked<"route declaration"> }>(
  declared: Declared,
): WebhooksOf<Declared> {
  const where = "webhooks()";
  const entries = checkObject(declared, where, "the argument");
  if (Object.keys(entries).length === 0) cannotDeclare(where, "declare at least one webhook");
  const routes = mapObject(entries, (entry, name) => {
    if (!isMarked(entry, "route declaration")) {
      cannotDeclare(where, `${name} must be a route, got ${describeDeclared(entry)}; write route.post("/", …)`);
    }
    const problem = findProblem(entry as RouteDeclaration);
    if (problem !== undefined) cannotDeclare(where, `${name} ${problem}`);
    const here = { key: "", path: "", responses: {}, refusals: undefined, security: undefined, deprecated: undefined };
    return resolveRoutes({ [name]: entry }, { ...here, docs: {} }, where).nodes[0]!; // one at a time, as their paths are equal
  });
  return markAs("webhooks", { ...routes }) as WebhooksOf<Declared>; // each is resolved as its type says
}

/** Returns the reason why a route cannot be a webhook, with the fix. */
function findProblem({ path, params, query, body, security, refusals }: RouteDeclaration): string | undefined {
  if (path !== "/" && path !== "") return `must have the path "/", got ${describeValue(path)}; each receiver has a URL`;
  if (params ?? query) return `must not declare "params" or "query": the receiver chooses its URL; use "headers"`;
  if (security ?? refusals) return 'must not declare "security" or "refusals", which are the receiver\'s';
  if (!body) return "must have a body; write request.json(…)";
  if (body.representation.startUpload) return "must have a body that is sent as a whole; write request.json(…)";
}

/** Returns whether a value was made by {@linkcode webhooks}. */
export function isWebhooks(value: unknown): value is Webhooks<Readonly<Record<string, RouteNode>>> {
  return isMarked(value, "webhooks");
}

/** Returns the webhooks of a contract. */
export function webhooksOf({ webhooks = {} }: { readonly webhooks?: object | undefined }): readonly RouteNode[] {
  return Object.values(webhooks) as RouteNode[]; // `webhooks()` has made them
}
