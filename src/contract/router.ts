/** `router()` and `webhooks()`, and how the routes of a contract are resolved. */
import { isMarked, mark, markAs, type Marked, markOf } from "../mark.ts";
import { describeValue } from "../messages.ts";
import { type AnyParams, checkPath, joinPath, pathIdentity } from "../path.ts";
import { mapObject } from "./node.ts";
import {
  type RouteNode,
  type RouterDeclaration,
  type RouterNode,
  routesOf,
  type RoutesOption,
  sharedResponses,
  toRouter,
} from "./node.ts";
import {
  inheritRefusals,
  possibleRefusals,
  type RefusalsByStatus,
  type RefusalsFit,
  type RefusalsOption,
} from "./refusals.ts";
import {
  type DeclaredResponses,
  type FitsResponses,
  mergeResponses,
  type Responses,
  type ResponsesOf,
} from "./response.ts";
import { inheritDocs, type Inherited, readDeclared, type RouteDeclaration, sharedReaders } from "./route.ts";
import { checksOf, type Security } from "./security_scheme.ts";
import type { Deprecated, Docs } from "./docs.ts";
import { checkObject, checkRule, describeDeclared, failAt, type ValueRule } from "../options.ts";

/** The options of {@linkcode router}. */
export interface RouterOptions<
  Routes extends RoutesOption,
  Shared extends DeclaredResponses,
  Secured extends Security | undefined,
  Refused extends RefusalsOption | undefined = undefined,
> {
  /**
   * The routes and routers below, by key, or a contract or resolved router, whose full paths are appended. At least one
   * route.
   */
  readonly routes: Routes;
  /** Responses that every route below inherits. A nearer declaration of the same status wins. Default: none. */
  readonly responses?: Shared & FitsResponses<Shared>;
  /**
   * The responses that the server sends without a handler, by status, as far as they can occur. A number is the status
   * that is sent instead: `{ 400: 422, 422: Errors }`. A response in the place of the object is that of all statuses.
   * A nearer status wins. The server's `refuse` builds their bodies; problem documents and empty responses need none.
   * Default: inherited, or problem documents.
   */
  readonly refusals?: Refused & RefusalsFit<Refused>;
  /**
   * The security schemes of every route below: a caller needs the credential of one of them. A nearer list replaces
   * this one. Default: inherited.
   */
  readonly security?: Secured;
  /**
   * Whether callers should stop using the routes below, and since when. A nearer declaration replaces it. Default:
   * inherited.
   */
  readonly deprecated?: Deprecated;
  /** Tags for the OpenAPI document, which every route below inherits. Default: none. */
  readonly docs?: Docs;
}

/**
 * Declares routes with a common path and common responses. The same router can be used in several places, and inside
 * other routers.
 *
 * @example Two routes below one path
 * ```ts
 * import { response, route, router } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 *
 * const users = router("/users", {
 *   routes: {
 *     list: route.get("/", { responses: { 200: response.json<string[]>() } }),
 *     byId: route.get("/:id", { responses: { 200: response.json<string>() } }),
 *   },
 *   responses: { 401: response.empty() },
 * });
 *
 * assertEquals(Object.keys(users.routes), ["list", "byId"]);
 * ```
 *
 * @param path The path of all routes below, appended to the paths above. `/` and `""` add nothing.
 * @throws {TypeError} If a path, an option or a route is invalid. The message names it and the fix.
 */
export function router<
  const Path extends string,
  Routes extends RoutesOption,
  Shared extends DeclaredResponses = Record<never, never>,
  Secured extends Security | undefined = undefined,
  const Refused extends RefusalsOption | undefined = undefined,
>(
  path: Path,
  options: RouterOptions<Routes, Shared, Secured, Refused>,
): RouterDeclaration<Path, Routes, ResponsesOf<Shared>, Secured, RefusalsByStatus<Refused>> {
  checkPath(path, "router()");
  const where = `router(${JSON.stringify(path)})`;
  const read = readDeclared(options, { routes: routesIn, ...sharedReaders }, where);
  const routes = copyEntries(read.routes, where);
  resolveRoutes(routes, { ...read, key: "", path }, where);
  // the options are those of the types, and resolving reads the entries of either
  return markAs("router declaration", { ...read, path, routes }) as unknown as RouterDeclaration<
    Path,
    Routes,
    ResponsesOf<Shared>,
    Secured,
    RefusalsByStatus<Refused>
  >;
}

/** The place of a declaration, with what it inherits there. */
interface DeclarationPlace extends Inherited {
  readonly key: string;
  /** The path of the parent. */
  readonly path: string;
}

type RouteEntries = Readonly<Record<string, unknown>>;

/** Returns a frozen copy of the option `routes`. Throws a `TypeError` if it is not an object. */
export function copyEntries(routes: unknown, where: string): RouteEntries {
  return Object.freeze({ ...checkObject(routes, where, '"routes"') });
}

/** Returns the routes of a contract, and anything else as it is. */
export function routesIn(value: unknown): unknown {
  return isMarked(value, "contract") ? (value as unknown as { readonly routes: RouterNode }).routes : value; // a contract has them
}

/**
 * Resolves declared routes to nodes. Throws a `TypeError` if they do not fit together. `where` names the declaration.
 */
export function resolveRoutes(
  routes: RouteEntries,
  here: DeclarationPlace,
  where: string,
): RouterNode {
  const tree = resolveTree(routes, here, where);
  const nodes = routesOf(tree);
  checkDuplicates(nodes, where);
  const secured = nodes.find(({ security }) => checksOf(security)); // all entries carry the same checks
  checksOf(secured?.security)?.checkNodes(nodes, where);
  return tree;
}

function resolveTree(routes: RouteEntries, here: DeclarationPlace, where: string): RouterNode {
  if (Object.keys(routes).length === 0) {
    failAt(where, `"routes"${here.key && ` of ${here.key}`} must have at least one route`);
  }
  const tree: object = mapObject(routes, (declared, key): Marked => {
    if (reservedKeys.includes(key)) failAt(where, `"${key}" is reserved; rename the route`);
    const dotted = here.key === "" ? key : `${here.key}.${key}`;
    const entry = routesIn(declared);
    const marked = markOf(entry);
    if (marked === "router") return resolveTree(entry as RouteEntries, { ...here, key: dotted }, where);
    checkRule(entry, dotted, aPlaced, where);
    const placed = entry as PlacedRoute & { readonly routes: RouteEntries }; // of the kind that was checked
    const place = placeBelow(placed, here, dotted);
    return marked === "router declaration"
      ? resolveTree(placed.routes, place, where)
      : resolveRoute(placed, place, where);
  });
  return toRouter(tree, here.responses);
}

/** The keys of a resolved router's own properties. */
const reservedKeys: readonly string[] = [mark, sharedResponses];

/** What inherits in its place in a contract: a declaration, or a route of another contract. */
const aPlaced: ValueRule = [
  "a route or a router",
  (entry) => placedKinds.includes(markOf(entry)),
  (entry) => `${describeDeclared(entry)}; write route.get(…) or router(…), or a contract without a spread`,
];

const placedKinds: readonly unknown[] = ["router declaration", "route", "route declaration"];

/** A declared route, or a resolved one of another contract, which has what is optional here and no `trailingSlash`. */
interface PlacedRoute extends Omit<RouteDeclaration, keyof Marked | "types" | "trailingSlash"> {
  readonly trailingSlash?: boolean;
  readonly ownResponses?: Responses | undefined;
  readonly origin?: RouteNode | undefined;
}

/** The members of a declared router or a route that its place adds to. */
type Placed = Pick<PlacedRoute, "ownResponses" | "path" | keyof Inherited>;

/** Returns the place of the declaration at a key, with what it inherits. */
function placeBelow(
  { path, responses, ownResponses = responses, refusals, security, deprecated, docs }: Placed,
  here: DeclarationPlace,
  key: string,
): DeclarationPlace {
  return {
    key,
    path: joinPath(here.path, path),
    responses: Object.keys(here.responses).length === 0 ? ownResponses : mergeResponses(ownResponses, here.responses),
    refusals: inheritRefusals(refusals, here.refusals),
    security: security ?? here.security,
    deprecated: deprecated ?? here.deprecated,
    docs: inheritDocs(here.docs, docs),
  };
}

function resolveRoute(declared: PlacedRoute, place: DeclarationPlace, where: string): RouteNode {
  const { key, refusals, responses } = place;
  const path = declared.trailingSlash ?? /.\/$/.test(declared.path) ? `${place.path}/` : place.path;
  if (path !== declared.path) checkPath(path, where, `the path of ${key}`); // a joined path can contain the same parameter name twice
  return markAs("route", {
    ...place, // a second spread would take twice the time
    method: declared.method,
    path,
    params: declared.params,
    query: declared.query,
    headers: declared.headers,
    body: declared.body,
    responses: refusals ? mergeResponses(responses, possibleRefusals({ ...declared, ...place })) : responses,
    ownResponses: refusals && responses,
    origin: "key" in declared ? declared.origin ?? declared as RouteNode : undefined,
  });
}

/**
 * Throws a `TypeError` if two routes have the same method and paths of the same shape. Parameter names do not
 * distinguish paths.
 */
function checkDuplicates(nodes: readonly RouteNode[], where: string): void {
  const byIdentity = new Map<string, RouteNode>();
  for (const node of nodes) {
    const { key, method, path, params } = node;
    const identity = `${method} ${pathIdentity(path, params as AnyParams)}`;
    const earlier = byIdentity.get(identity);
    if (earlier) {
      failAt(where, `${earlier.key} and ${key} both match ${method} ${path}; change the method or path of one`);
    }
    byIdentity.set(identity, node);
  }
}

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

/** A declaration as a webhook: a route that inherits nothing. */
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
  if (Object.keys(entries).length === 0) failAt(where, "declare at least one webhook");
  const routes = mapObject(entries, (entry, name) => {
    if (!isMarked(entry, "route declaration")) {
      failAt(where, `${name} must be a route, got ${describeDeclared(entry)}; write route.post("/", …)`);
    }
    const problem = findProblem(entry as RouteDeclaration);
    if (problem !== undefined) failAt(where, `${name} ${problem}`);
    const here = { key: "", path: "", responses: {}, refusals: undefined, security: undefined, deprecated: undefined };
    return routesOf(resolveRoutes({ [name]: entry }, { ...here, docs: {} }, where))[0]!; // one at a time, as their paths are equal
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
