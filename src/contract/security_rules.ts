/** What follows from the security of resolved routes, at run time and in types. */
import { type Marked } from "../mark.ts";
import { checksOf } from "./security.ts";
import { cannotDeclare } from "./declared.ts";
import { type NodeKey, type RouteNode } from "./node.ts";
import { type SchemeKind, type Security, type SecurityScheme } from "./security_scheme.ts";

/** The rules of one kind of scheme. */
interface KindRules {
  /**
   * Whether an invalid credential counts as none if the route does not require one. Browsers keep sending cookies that
   * have expired.
   */
  readonly isLenient: boolean;
  /** Whether a 403 for missing scopes has a challenge (RFC 6750, section 3.1). */
  readonly hasScopeChallenge: boolean;
}

/** The rules of each kind. */
export const kindRules: Readonly<Record<SchemeKind, KindRules>> = {
  bearer: { isLenient: false, hasScopeChallenge: true },
  basic: { isLenient: false, hasScopeChallenge: false },
  apiKey: { isLenient: false, hasScopeChallenge: false },
  cookie: { isLenient: true, hasScopeChallenge: false },
  custom: { isLenient: true, hasScopeChallenge: false },
};

/**
 * Whether the server checks the origin of a request: browsers attach the credential, and the request may change
 * something.
 */
export function isForgeable(scheme: SecurityScheme, route: RouteNode): boolean {
  return scheme.isAmbient && mayChange(route);
}

/** Whether requests may change something: the method is not safe, or the response (101) opens a connection that can. */
function mayChange({ method, responses }: RouteNode): boolean {
  return !safeMethods.includes(method) || Object.hasOwn(responses, 101);
}

const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS", "QUERY"];

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
