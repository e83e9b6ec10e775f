/** `server.include()`: the routes of a contract that another contract imports, with the implementation of their own. */
import { handlerResponses, type RouteNode, routesOf } from "../../contract/node.ts";
import { describeValue } from "../../messages.ts";
import { markAs } from "../../mark.ts";
import {
  type Endpoint,
  type Implementation,
  isImplementation,
  type ServerPart,
  toImplementation,
  toRouteInfo,
} from "./implementation.ts";

/**
 * Returns the fragment of an imported node, which an implementation of its own contract serves. Throws a `TypeError` that
 * lists the routes without one.
 */
export function includeImplementation(node: unknown, included: unknown, part: ServerPart): Implementation<never> {
  if (part.middleware.length > 0) fail("this server has middleware, which needs its context; include before use()");
  if (!isImplementation(included)) {
    fail(`the second argument must be made by implement() or partial(), got ${describeValue(included)}`);
  }
  const endpoints: Endpoint[] = [];
  const missing: string[] = [];
  for (const route of routesOf({ node })) {
    const endpoint = findEndpoint(included["~endpoints"], route);
    if (endpoint) endpoints.push(placeEndpoint(endpoint, route, part));
    if (!endpoint?.handle) missing.push(route.key);
  }
  const isPartial = included.missing.length > 0 && endpoints.length > 0;
  if (missing.length > 0 && !isPartial) fail(`the implementation has no route for ${missing.join(", ")}`);
  return toImplementation(node, endpoints, missing, part);
}

/** Returns the endpoint of a route in its own contract. If it is imported there twice, the key decides. */
function findEndpoint(endpoints: readonly Endpoint[], route: RouteNode): Endpoint | undefined {
  const imports = endpoints.filter(({ node }) => isImport(route, node));
  return imports.length > 1 ? imports.find(({ node }) => route.key.endsWith(node.key)) : imports[0];
}

/**
 * Returns whether a route is another one or an import of it: it has the same origin, the parameters and the responses of
 * the other, and requires the same credentials if the other decides about them.
 */
function isImport(route: RouteNode, its: RouteNode): boolean {
  const own = handlerResponses(route);
  return (route === its || route.origin === (its.origin ?? its)) &&
    (its.path === "/" || route.path.endsWith(its.path)) &&
    Object.entries(handlerResponses(its)).every(([status, response]) => own[Number(status)] === response) &&
    (!its.security || formatSecurity(route) === formatSecurity(its));
}

/** Formats the security of a route, with the schemes that `renameScheme()` has renamed under their first names. */
function formatSecurity({ security }: RouteNode): string {
  return JSON.stringify(security, (_key, entry) => {
    let scheme = entry;
    while (scheme?.renamed) scheme = scheme.renamed;
    return scheme;
  });
}

/** Returns the endpoint of an imported route. Its functions receive the route of their own contract. */
function placeEndpoint(endpoint: Endpoint, node: RouteNode, part: ServerPart): Endpoint {
  const route = toRouteInfo(node);
  const { security } = endpoint.node; // its verifiers know the schemes by the names of their contract
  return {
    ...endpoint,
    ...(security ? { node: markAs("route", { ...node, security }) } : { ...part, node, securityRoute: route }),
    route,
    createContext: endpoint.createContext,
    middleware: endpoint.middleware,
    guards: [...part.guards.map((guard) => ({ route, ...guard })), ...endpoint.guards],
    refusing: part.refusing ?? endpoint.refusing,
  };
}

function fail(state: string): never {
  throw new TypeError(`server.include(): ${state}`);
}
