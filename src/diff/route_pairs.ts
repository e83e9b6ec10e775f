/** Finds the counterpart of each route. */
import { type ApiRoute } from "./api.ts";

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
  const young = new Map(after.map((route) => [shapeOf(route), route]));
  const old = new Set(before.map(shapeOf));
  return {
    kept: before.flatMap((route) => {
      const match = young.get(shapeOf(route));
      return match ? [{ before: route, after: match }] : [];
    }),
    removed: before.filter((route) => !young.has(shapeOf(route))),
    added: after.filter((route) => !old.has(shapeOf(route))),
  };
}

function shapeOf({ method, path }: ApiRoute): string {
  return `${method} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`;
}

/** Returns the parameter names of a path in braces. */
export function namesOf({ path }: ApiRoute): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
}
