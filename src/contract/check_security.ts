/** Checks the security of resolved routes. */
import { checksOf } from "./copy_security.ts";
import { cannotDeclare } from "./declared.ts";
import { type RouteNode } from "./node.ts";

/** Runs the checks that the schemes of routes carry. Without schemes there are none to run. */
export function checkSecurity(nodes: readonly RouteNode[], where: string): void {
  const [checks] = nodes.flatMap(({ security = [] }) => checksOf(security) ?? []); // all entries carry the same checks
  checks?.refuseNodes(nodes, where);
}

/** Throws a `TypeError` for routes that are public only because they declare nothing, if another route has security. */
export function refuseUndeclaredSecurity(nodes: readonly RouteNode[], where: string): void {
  const silent = nodes.filter(({ security }) => security === undefined);
  if (silent.length === 0 || silent.length === nodes.length) return;
  const keys = silent.map(({ key }) => key).join(", ");
  cannotDeclare(
    where,
    `"security" is missing for ${keys}, but other routes declare it; declare it, or write [] for public routes`,
  );
}
