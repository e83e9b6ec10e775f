/** Finds the counterpart of each route. */
import type { ApiRoute } from "./api.ts";

/** A route in two APIs: its method and its path are the same, except for the names of parameters. */
export interface RoutePair {
  readonly before: ApiRoute;
  readonly after: ApiRoute;
}

/** The routes of two APIs. */
export interface RoutePairs {
  /** The routes that both have. */
  readonly kept: readonly RoutePair[];
  /** The routes that only the first has. */
  readonly removed: readonly ApiRoute[];
  /** The routes that only the second has. */
  readonly added: readonly ApiRoute[];
}

/** Finds the routes that two APIs have in common, by method and shape of the path. */
export function pairRoutes(before: readonly ApiRoute[], after: readonly ApiRoute[]): RoutePairs {
  const same = pairBy(({ method, path }) => `${method} ${path}`, before, after);
  const renamed = pairBy(shapeOf, same.removed, same.added); // documents may have several paths of one shape
  const kept = new Map([...same.kept, ...renamed.kept].map((pair) => [pair.before, pair]));
  return { ...renamed, kept: before.flatMap((route) => kept.get(route) ?? []) };
}

function pairBy(
  identify: (route: ApiRoute) => string,
  before: readonly ApiRoute[],
  after: readonly ApiRoute[],
): RoutePairs {
  const byIdentity = new Map(after.map((route) => [identify(route), route]));
  const kept = before.flatMap((route): RoutePair[] => {
    const match = byIdentity.get(identify(route));
    return match ? [{ before: route, after: match }] : [];
  });
  const found = new Set<ApiRoute>(kept.flatMap((pair) => [pair.before, pair.after]));
  return {
    kept,
    removed: before.filter((route) => !found.has(route)),
    added: after.filter((route) => !found.has(route)),
  };
}

function shapeOf({ method, path }: ApiRoute): string {
  return `${method} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}`;
}

/** Returns the parameter names of a path in braces. */
export function namesOf({ path }: Pick<ApiRoute, "path">): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name]) => name ?? []);
}
