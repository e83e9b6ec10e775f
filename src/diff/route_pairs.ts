/** Finds what became of each route. */
import { type ApiRoute } from "./api.ts";

/** A route in two APIs: the method, and the path but for the names of its parameters, are the same. */
export interface RoutePair {
  /** What it was. */
  readonly before: ApiRoute;
  /** What it is. */
  readonly after: ApiRoute;
}

/** The routes of two APIs. */
export interface RoutePairs {
  /** Those that both have. */
  readonly kept: readonly RoutePair[];
  /** Those that only the first has. */
  readonly removed: readonly ApiRoute[];
  /** Those that only the second has. */
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

/** The names of the parameters of a path in braces. */
export function namesOf({ path }: ApiRoute): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
}

/**
 * The path of a call that an older route took and a newer one takes now, since it has a literal where the older one has a
 * parameter; `undefined` where there is none. Literals go before parameters, from left to right.
 */
export function findShadowed(older: ApiRoute, newer: ApiRoute): ShadowedCall | undefined {
  const [own, other] = [older, newer].map(({ path }) => path.split("/").slice(1));
  if (older.method !== newer.method || own!.length !== other!.length) return undefined;
  const first = own!.findIndex((segment, index) =>
    segment !== other![index] && !(isParameter(segment) && isParameter(other![index]!))
  );
  if (first === -1 || !isParameter(own![first]!)) return undefined;
  const params: Record<string, string> = {};
  const taken = own!.map((segment, index) => {
    const beside = other![index]!;
    const text = !isParameter(segment) ? segment : isParameter(beside) ? "1" : beside;
    if (isParameter(segment)) params[segment.slice(1, -1)] = decodeURIComponent(text);
    return isParameter(beside) || beside === text ? text : undefined;
  });
  return taken.includes(undefined) ? undefined : { path: `/${taken.join("/")}`, params };
}

/** A call that goes to another route. */
export interface ShadowedCall {
  /** Its path. */
  readonly path: string;
  /** What the older route made of it. */
  readonly params: Readonly<Record<string, string>>;
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{") && segment.endsWith("}");
}
