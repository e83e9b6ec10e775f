/** What is refused of the security of routes in their places. */
import { checksOf } from "./copy_security.ts";
import { cannotDeclare } from "./declared.ts";
import { type RouteNode } from "./node.ts";

/** Runs the checks that the schemes of routes carry; without schemes there are none. */
export function checkSecurity(nodes: readonly RouteNode[], where: string): void {
  const [checks] = nodes.flatMap(({ security = [] }) => checksOf(security) ?? []); // all entries have the same
  checks?.refuseNodes(nodes, where);
}

/** Refuses routes that are public only because nothing is said of them, where another route has security. */
export function refuseSilence(nodes: readonly RouteNode[], where: string): void {
  const silent = nodes.filter(({ security }) => security === undefined);
  if (silent.length === 0 || silent.length === nodes.length) return;
  const keys = silent.map(({ key }) => key).join(", ");
  cannotDeclare(
    where,
    `${keys}: security is missing, but other routes have it; declare it, or write security: [] to let everyone in`,
  );
}
