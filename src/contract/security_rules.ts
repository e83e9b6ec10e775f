/** What follows from the security of resolved routes, at run time and in types. */
import { type Marked } from "../mark.ts";
import { cannotDeclare } from "./declared.ts";
import { type NodeKey, type RouteNode } from "./node.ts";
import { checksOf, type Security } from "./security_scheme.ts";

/** Runs the checks that the schemes of routes carry. Without schemes there are none to run. */
export function checkSecurity(nodes: readonly RouteNode[], where: string): void {
  const [checks] = nodes.flatMap(({ security = [] }) => checksOf(security) ?? []); // all entries carry the same checks
  checks?.checkNodes(nodes, where);
}

/** Throws a `TypeError` for routes that are public only because they declare nothing, if another route has security. */
export function checkDeclaredSecurity(nodes: readonly RouteNode[], where: string): void {
  const silent = nodes.filter(({ security }) => security === undefined);
  if (silent.length === 0 || silent.length === nodes.length) return;
  const keys = silent.map(({ key }) => key).join(", ");
  cannotDeclare(
    where,
    `"security" is missing for ${keys}, but other routes declare it; declare it, or write [] for public routes`,
  );
}

/**
 * The lists of security schemes of all routes below a node.
 *
 * @internal
 */
export type SecurityBelow<Node> = Node extends Marked<"route"> & { readonly security: infer Secured } ? Secured
  : { [Key in NodeKey<Node>]: SecurityBelow<Node[Key]> }[NodeKey<Node>];

/**
 * The entries of lists of security schemes.
 *
 * @internal
 */
export type EntryOf<Secured> = Secured extends Security ? Secured[number] : never;

/**
 * The names of the schemes in a list.
 *
 * @internal
 */
export type SchemeName<Secured> = Secured extends Security ? Exclude<Secured[number]["name"], ""> : never;
