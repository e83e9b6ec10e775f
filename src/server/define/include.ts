/** `server.include()`: the routes of a contract that another contract imports, with the implementation of their own. */
import { handlerResponses, isRouteNode, type RouteNode } from "../../contract/node.ts";
import type { Security } from "../../contract/security_scheme.ts";
import { describeValue } from "../../messages.ts";
import { isMarked, markAs } from "../../mark.ts";
import {
  type Endpoint,
  type Implementation,
  isImplementation,
  joinKey,
  type KeyedNode,
  type ServerPart,
  toImplementation,
  toRouteInfo,
} from "./implementation.ts";

/**
 * Returns the fragment of an imported node, which an implementation of its own contract serves. Its routes are found by
 * their keys, and must be those of the implementation. Throws a `TypeError` that lists all mistakes.
 */
export function includeImplementation(
  { node, key }: KeyedNode,
  included: unknown,
  part: ServerPart,
): Implementation<never> {
  if (part.middleware.length > 0) {
    fail("this server has middleware, which needs its context; include before use(), or use() it in the other server");
  }
  if (!isImplementation(included)) {
    fail(`the second argument must be made by implement() or partial(), got ${describeValue(included)}`);
  }
  const endpoints: Endpoint[] = [];
  const missing: string[] = [];
  const lacking: string[] = [];
  const strange: string[] = [];
  const byKey = new Map(included["~endpoints"].map((endpoint) => [endpoint.node.key, endpoint]));
  for (const [route, its] of pairRoutes({ node, key }, included["~node"], lacking)) {
    const endpoint = byKey.get(its.key);
    if (!isImport(route, its)) strange.push(route.key);
    else if (endpoint) endpoints.push(placeEndpoint(endpoint, its, route, part));
    if (included.missing.includes(its.key)) missing.push(route.key);
  }
  if (lacking.length > 0) fail(`the implementation has no route for ${lacking.join(", ")}`);
  if (strange.length > 0) {
    fail(`${strange.join(", ")} must be imported from the contract of the implementation; implement the others here`);
  }
  return toImplementation(node, endpoints, missing, part);
}

/** Walks an imported node and the node that is implemented in parallel. Yields the routes with the same keys. */
function* pairRoutes({ node, key }: KeyedNode, its: unknown, lacking: string[]): Generator<[RouteNode, RouteNode]> {
  if (isRouteNode(node)) {
    if (isRouteNode(its)) yield [node, its];
    else lacking.push(key);
  } else {
    const entries: Readonly<Record<string, unknown>> = isMarked(its, "router") ? { ...its } : {};
    for (const [child, below] of Object.entries(Object(node))) {
      const found = Object.hasOwn(entries, child) ? entries[child] : undefined;
      yield* pairRoutes({ node: below, key: joinKey(key, child) }, found, lacking);
    }
  }
}

/** Returns whether a route is an import of another: it has the same declarations, and a path that ends with its path. */
function isImport(route: RouteNode, its: RouteNode): boolean {
  const own = handlerResponses(route);
  return route.method === its.method && (its.path === "/" || route.path.endsWith(its.path)) &&
    (["params", "query", "headers", "body"] as const).every((slot) => route[slot] === its[slot]) &&
    Object.entries(handlerResponses(its)).every(([status, response]) => own[Number(status)] === response) &&
    (its.security === undefined || isSameSecurity(route.security, its.security));
}

/** Returns whether the entries of two lists, or two entries, are the same except that `renameScheme()` has renamed some. */
function isSameSecurity(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, at) => isSameSecurity(entry, other[at]));
  }
  const [{ renamed, scheme, schemes, scopes }, its] = [Object(one), Object(other)];
  if (renamed !== undefined) return isSameSecurity(renamed, other);
  if (schemes !== undefined) return isSameSecurity(schemes, its.schemes);
  return scheme !== undefined && isSameSecurity(scheme, its.scheme) && isSameSecurity(scopes, its.scopes);
}

/** Returns the endpoint of an imported route. Its functions receive the route of their own contract. */
function placeEndpoint(endpoint: Endpoint, its: RouteNode, node: RouteNode, part: ServerPart): Endpoint {
  const route = toRouteInfo(node);
  const security: Security | undefined = its.security; // its verifiers know the schemes by the names of their contract
  const isDecided = security !== undefined;
  const { verifiers, shared } = isDecided ? endpoint : part;
  return {
    ...endpoint,
    node: isDecided ? markAs("route", { ...node, security }) : node,
    route,
    securityRoute: isDecided ? endpoint.securityRoute : route,
    verifiers,
    shared,
    guards: [...part.guards.map((guard) => ({ route, ...guard })), ...endpoint.guards],
    refusing: part.refusing ?? endpoint.refusing,
  };
}

function fail(state: string): never {
  throw new TypeError(`server.include(): ${state}`);
}
