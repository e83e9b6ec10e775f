/** Finds the counterpart of each route. */
import { decodePercent } from "../json_schema/references.ts";
import { encodeLiteral } from "../openapi/parameters.ts";
import type { ApiRoute } from "./api.ts";

/** A route in two APIs: its method and its path are the same, except for the names of parameters. */
export interface RoutePair {
  readonly before: ApiRoute;
  readonly after: ApiRoute;
}

export interface RoutePairs {
  readonly kept: readonly RoutePair[];
  readonly removed: readonly ApiRoute[];
  readonly added: readonly ApiRoute[];
}

/** Finds the routes that two APIs have in common: one of each for a method and the shape of a path. */
export function pairRoutes(before: readonly ApiRoute[], after: readonly ApiRoute[]): RoutePairs {
  let pairs: RoutePairs = { kept: [], removed: before, added: after };
  for (const identify of identities) {
    const found = pairBy(identify, pairs.removed, pairs.added);
    pairs = { ...found, kept: [...pairs.kept, ...found.kept] };
  }
  const kept = new Map(pairs.kept.map((pair) => [pair.before, pair]));
  return { ...pairs, kept: before.flatMap((route) => kept.get(route) ?? []) };
}

/** What two routes have in common, the nearest first. Documents may have several paths of one shape. */
const identities: readonly ((route: ApiRoute) => string)[] = [
  ({ key, method, path }) => `${method} ${formatPath(path)} ${key}`,
  ({ method, path }) => `${method} ${formatPath(path)}`,
  (route) => `${shapeOf(route)} ${route.key}`,
  shapeOf,
];

export function pairBy(
  identify: (route: ApiRoute) => string,
  before: readonly ApiRoute[],
  after: readonly ApiRoute[],
): RoutePairs {
  const candidates = new Map<string, ApiRoute[]>();
  for (const route of after) {
    const identity = identify(route);
    const alike = candidates.get(identity);
    if (alike) alike.push(route);
    else candidates.set(identity, [route]);
  }
  const kept = before.flatMap((route): RoutePair[] => {
    const match = candidates.get(identify(route))?.shift();
    return match ? [{ before: route, after: match }] : [];
  });
  const found = new Set<ApiRoute>(kept.flatMap((pair) => [pair.before, pair.after]));
  return {
    kept,
    removed: before.filter((route) => !found.has(route)),
    added: after.filter((route) => !found.has(route)),
  };
}

function formatPath(path: string): string {
  const parts = path.split(/(\{[^{}]*\}|\/)/);
  return parts.map((part, index) => index % 2 === 1 ? part : encodeLiteral(decodePercent(part))).join("");
}

export function describeRoute({ method, path }: ApiRoute): string {
  return `${method} ${path}`;
}

function shapeOf({ method, path }: ApiRoute): string {
  return `${method} ${formatPath(path).replaceAll(/\{[^{}]*\}/g, "{}")}`;
}

export function namesOf({ path }: Pick<ApiRoute, "path">): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name]) => name ?? []);
}
