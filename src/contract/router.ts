/** `router()`, and how the routes of a contract are resolved. */
import { isMarked, mark, markAs, type Marked } from "../mark.ts";
import { type AnyParams, joinPath, pathIdentity } from "../path.ts";
import { cannotDeclare, checkObject, checkOptions, checkPath, describeDeclared, mapObject } from "./declared.ts";
import { checkSecurity } from "./rules.ts";
import { copyShared, type Deprecated, type Docs, inheritDocs, type Inherited, sharedNames } from "./shared_options.ts";
import { type RouteNode, type RouterDeclaration, type RouterNode, type RouteTree, sharedResponses } from "./node.ts";
import {
  addRefusals,
  inheritRefusals,
  type RefusalsByStatus,
  type RefusalsFit,
  type RefusalsOption,
} from "./refusals.ts";
import { type DeclaredResponses, type FitsResponses, mergeResponses, type ResponsesOf } from "./response.ts";
import type { RouteDeclaration } from "./route.ts";
import type { Security } from "./security_scheme.ts";

/** The options of {@linkcode router}. */
export interface RouterOptions<
  Routes extends RouteTree,
  Shared extends DeclaredResponses,
  Secured extends Security | undefined,
  Refused extends RefusalsOption | undefined = undefined,
> {
  /** The routes and routers below, by key. At least one. */
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
  Routes extends RouteTree,
  Shared extends DeclaredResponses = Record<never, never>,
  Secured extends Security | undefined = undefined,
  const Refused extends RefusalsOption | undefined = undefined,
>(
  path: Path,
  options: RouterOptions<Routes, Shared, Secured, Refused>,
): RouterDeclaration<Path, Routes, ResponsesOf<Shared>, Secured, RefusalsByStatus<Refused>> {
  checkPath(path, "router()");
  const where = `router(${JSON.stringify(path)})`;
  checkOptions(options, ["routes", ...sharedNames], where);
  const routes = Object.freeze({ ...checkObject(options.routes, where, '"routes"') }) as Routes;
  const shared = copyShared(options, where);
  resolveRoutes(routes, { key: "", path, ...shared }, where);
  const responses = shared.responses as ResponsesOf<Shared>;
  const security = shared.security as Secured;
  const refusals = shared.refusals as RefusalsByStatus<Refused>;
  return markAs("router declaration", { ...shared, path, routes, responses, security, refusals });
}

/** The place of a declaration, with what it inherits there. */
interface DeclarationPlace extends Inherited {
  readonly key: string;
  /** The path of the parent. */
  readonly path: string;
}

type RouteEntries = Readonly<Record<string, unknown>>;

/**
 * Resolves declared routes to nodes. Throws a `TypeError` if they do not fit together. `where` names the declaration.
 */
export function resolveRoutes(routes: RouteEntries, here: DeclarationPlace, where: string): RouterNode {
  const nodes: RouteNode[] = [];
  const tree = resolveTree(routes, here, { nodes, where });
  checkDuplicates(nodes, where);
  checkSecurity(nodes, where);
  return tree;
}

/** The declaration that is being resolved, and the routes found so far. */
interface Resolution {
  readonly where: string;
  readonly nodes: RouteNode[];
}

function resolveTree(routes: RouteEntries, here: DeclarationPlace, resolution: Resolution): RouterNode {
  const { nodes, where } = resolution;
  if (Object.keys(routes).length === 0) {
    cannotDeclare(where, `"routes"${here.key && ` of ${here.key}`} must have at least one route`);
  }
  const resolve = (declared: unknown, key: string): Marked => {
    if (reservedKeys.includes(key)) cannotDeclare(where, `"${key}" is reserved; rename the route`);
    const dotted = here.key === "" ? key : `${here.key}.${key}`;
    if (isRouterDeclaration(declared)) {
      return resolveTree(declared.routes, placeBelow(declared, here, dotted), resolution);
    }
    if (!isRouteDeclaration(declared)) cannotDeclare(where, entryProblem(dotted, declared));
    const node = resolveRoute(declared, placeBelow(declared, here, dotted), where);
    nodes.push(node);
    return node;
  };
  const tree: object = mapObject(routes, resolve);
  Object.defineProperty(tree, sharedResponses, { value: here.responses });
  return markAs("router", tree as RouterNode); // it has both private properties now
}

/** The keys of a resolved router's own properties. */
const reservedKeys: readonly string[] = [mark, sharedResponses];

function isRouterDeclaration(value: unknown): value is RouterDeclaration {
  return isMarked(value, "router declaration");
}

function isRouteDeclaration(value: unknown): value is RouteDeclaration {
  return isMarked(value, "route declaration");
}

function entryProblem(key: string, entry: unknown): string {
  return `${key} must be a route or a router, got ${describeDeclared(entry)}; write route.get(…) or router(…)`;
}

/** Returns the place of the declaration at a key, with what it inherits. */
function placeBelow(
  { path, responses, refusals, security, deprecated, docs }: RouteDeclaration | RouterDeclaration,
  here: DeclarationPlace,
  key: string,
): DeclarationPlace {
  const inheritsNone = Object.keys(here.responses).length === 0;
  return {
    key,
    path: joinPath(here.path, path),
    responses: inheritsNone ? responses : mergeResponses(responses, here.responses),
    refusals: inheritRefusals(refusals, here.refusals),
    security: security ?? here.security,
    deprecated: deprecated ?? here.deprecated,
    docs: inheritDocs(here.docs, docs),
  };
}

function resolveRoute(declared: RouteDeclaration, place: DeclarationPlace, where: string): RouteNode {
  const { method, params, query, headers, body } = declared;
  const { key, refusals, security, deprecated, docs } = place; // a spread would take twice the time
  const path = declared.trailingSlash ? `${place.path}/` : place.path;
  if (path !== declared.path) checkPath(path, where, `the path of ${key}`); // a joined path can contain the same parameter name twice
  const responses = refusals ? addRefusals({ ...declared, ...place }) : place.responses;
  return markAs("route", {
    key,
    method,
    path,
    params,
    query,
    headers,
    body,
    responses,
    ownResponses: refusals && place.responses,
    refusals,
    security,
    deprecated,
    docs,
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
      cannotDeclare(where, `${earlier.key} and ${key} both match ${method} ${path}; change the method or path of one`);
    }
    byIdentity.set(identity, node);
  }
}
