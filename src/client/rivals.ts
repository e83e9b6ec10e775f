import { type RouteNode } from "../contract/node.ts";
import { parsePath, type Segment } from "../path.ts";

/** A route that the server matches instead of another one, if the other's parameters equal its literal segments. */
export interface Rival {
  /** The route's dotted key. */
  readonly key: string;
  readonly segments: readonly Segment[];
}

/** Finds the routes that a call of `node` could reach instead: `/users/me` if `/users/:id` is called with `me`. */
export function findRivals(node: RouteNode, nodes: readonly RouteNode[]): Rival[] {
  const own = parsePath(node.path);
  return nodes.filter(({ method }) => method === node.method || (node.method === "HEAD" && method === "GET"))
    .map(({ key, path }) => ({ key, segments: parsePath(path) }))
    .filter(({ segments }) => segments.length === own.length && isPreferred(segments, own));
}

/**
 * Whether the server prefers a path to another of the same length: where they first differ in kind, this one has the
 * literal.
 */
function isPreferred(path: readonly Segment[], other: readonly Segment[]): boolean {
  const differing = path.find((segment, index) => ("literal" in segment) !== ("literal" in other[index]!));
  return differing !== undefined && "literal" in differing;
}

/** Throws a `TypeError` if the encoded segments of a path match a rival. */
export function refuseRivals(rivals: readonly Rival[], segments: readonly string[]): void {
  const rival = rivals.find((rival) =>
    rival.segments.every((segment, index) =>
      "parameter" in segment || segment.literal === decodeURIComponent(segments[index]!)
    )
  );
  if (rival) throw new TypeError(`these params match the route ${rival.key}; call that instead`);
}
