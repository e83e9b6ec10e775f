/** What follows from the security and the refusals of resolved routes, at run time and in types. */
import type { Marked } from "../mark.ts";
import { cannotDeclare, checkObject, describeDeclared } from "./declared.ts";
import { handlerResponses, type NodeKey, type RouteNode, routesOf } from "./node.ts";
import { listRefusalStatuses, type Refusals, refusalStatuses, sentStatus } from "./refusals.ts";
import { isResponseDeclaration, type ResponseDeclaration } from "./response.ts";
import { checksOf, type EachScheme, type Security } from "./security_scheme.ts";

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
 * The entries of lists of security schemes, each of those that are required together by itself.
 *
 * @internal
 */
export type EntryOf<Secured> = Secured extends Security ? EachScheme<Secured[number]> : never;

/**
 * The names of the schemes in a list.
 *
 * @internal
 */
export type SchemeName<Secured> = Exclude<EntryOf<Secured>["name"], "">;

/** Throws a `TypeError` if the refusals of a contract or of one of its routes are invalid. `where` names the caller. */
export function checkRefusals(routes: object, refusals: Refusals | undefined, where: string): void {
  const nodes = routesOf(routes).filter((node) => node.refusals !== undefined);
  const places = [{ key: "the contract", refusals }, ...nodes.filter((node) => node.refusals !== refusals)];
  const declared = places.flatMap(({ refusals = {} }) => Object.values(refusals));
  const possible = [
    ...refusalStatuses,
    ...declared.filter((status) => Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600),
  ];
  for (const place of places) {
    if (place.refusals !== undefined) checkEntries(place.refusals, possible, `${where}: ${place.key}`);
  }
  for (const node of nodes) checkResponses(node, `${where}: ${node.key}`);
}

function checkEntries(refusals: Refusals, possible: readonly unknown[], where: string): void {
  for (const [name, declared] of Object.entries(checkObject(refusals, where, '"refusals"'))) {
    const status = Number(name);
    if (!possible.includes(status)) {
      failRefusals(where, `${name}, but the server refuses with ${refusalStatuses.join(", ")}, or what they become`);
    }
    if (typeof declared !== "number") checkWhole(status, declared, where);
    else if (!isResponseDeclaration(refusals[declared])) {
      failRefusals(where, `${name}: ${declared}, but no response ${declared}`);
    } else if (!canReplace(status, declared)) {
      failRefusals(
        where,
        `${name}: ${declared}; a status except 401 can become another of its class, except ${
          statusesWithFields.join(", ")
        }`,
      );
    }
  }
}

/**
 * Returns whether a status can be sent in place of another. Clients and caches act on the class of a status, a challenge
 * belongs to 401 alone, and some statuses require headers that other refusals do not have.
 */
function canReplace(status: number, other: number): boolean {
  return Math.floor(status / 100) === Math.floor(other / 100) && status !== other && status !== 401 &&
    !statusesWithFields.includes(other);
}

/** The statuses that require headers: `www-authenticate`, `allow`, `proxy-authenticate` and `upgrade` (RFC 9110, 15.5). */
const statusesWithFields: readonly number[] = [401, 405, 407, 426];

/** Refusals must neither be native nor arrive piece by piece. */
function checkWhole(status: number, declared: unknown, where: string): void {
  const isResponse = isResponseDeclaration(declared);
  if (isResponse && !declared.representation.isNative && !declared.representation.readLater) return;
  const found = isResponse ? `response.${declared.kind}()` : describeDeclared(declared);
  failRefusals(where, `${status}: ${found}; declare a response with a whole body, or another status`);
}

/** Throws a `TypeError` if a route declares another response for the status of a refusal than the refusal. */
function checkResponses(node: RouteNode, where: string): void {
  for (const refused of listRefusalStatuses(node)) {
    const status = sentStatus(node.refusals, refused);
    if (status === undefined) continue;
    const own = handlerResponses(node)[status];
    if (own === undefined || isSame(own, node.refusals![status])) continue;
    throw new TypeError(`${where} has another ${status} in "responses" than in "refusals"; use the same declaration`);
  }
}

/** Returns whether two declarations are the same, except that `response.statuses()` may have copied one of them. */
function isSame(own: ResponseDeclaration, refusal: unknown): boolean {
  if (own === refusal) return true;
  const { range: _, ...members } = own;
  return own.range !== undefined && isResponseDeclaration(refusal) &&
    Object.entries({ ...refusal, ...members }).every(([name, member]) => Object.is(member, Reflect.get(refusal, name)));
}

function failRefusals(where: string, state: string): never {
  throw new TypeError(`${where} has "refusals" with ${state}`);
}
