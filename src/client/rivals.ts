import { type RouteNode } from "../contract/node.ts";
import { parsePath, type Segment } from "../path.ts";

/** A route that the server matches instead of another, where the other's parameters spell its literals. */
export interface Rival {
  /** The route's dotted key. */
  readonly key: string;
  /** Parameters of the other route, with what they must be. */
  readonly literals: readonly (readonly [parameter: string, literal: string])[];
}

/** The routes that a call of `node` could reach in its place: `/users/me` where `/users/:id` is called with `me`. */
export function findRivals(node: RouteNode, nodes: readonly RouteNode[]): Rival[] {
  const own = parsePath(node.path);
  return nodes.filter(({ method }) => method === node.method || (node.method === "HEAD" && method === "GET"))
    .flatMap(({ key, path }) => {
      const literals = compare(own, parsePath(path));
      return literals ? [{ key, literals }] : [];
    });
}

/** What parameters of `own` must spell for the server to prefer `other`, which has the literal where they first differ in kind. */
function compare(own: readonly Segment[], other: readonly Segment[]): Rival["literals"] | undefined {
  if (own.length !== other.length) return undefined;
  const literals: (readonly [parameter: string, literal: string])[] = [];
  let isPreferred: boolean | undefined;
  for (const [index, mine] of own.entries()) {
    const theirs = other[index]!;
    if ("parameter" in theirs) isPreferred ??= "parameter" in mine ? undefined : false;
    else if ("parameter" in mine) {
      isPreferred ??= true;
      literals.push([mine.parameter, theirs.literal]);
    } else if (mine.literal !== theirs.literal) return undefined;
  }
  return isPreferred ? literals : undefined;
}
