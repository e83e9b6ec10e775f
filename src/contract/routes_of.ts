import { isMarked } from "../mark.ts";
import { type RouteNode } from "./node.ts";

/** The routes of a resolved tree, in declaration order. */
export function routesOf(tree: object): RouteNode[] {
  return Object.values(tree).flatMap((entry) => isMarked(entry, "route") ? [entry as RouteNode] : routesOf(entry));
}
