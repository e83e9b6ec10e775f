/** The option `refuse`: observes refusals, and builds those that the contract declares. */
import type { Awaitable } from "../../awaitable.ts";
import type { Contract } from "../../contract/contract.ts";
import { handlerResponses, type NodeKey, type RouteNode, routesOf } from "../../contract/node.ts";
import {
  declaredRefusals,
  possibleRefusals,
  type RefusalBodies,
  type Refusals,
  refusalStatuses,
  type SelfFilled,
} from "../../contract/refusals.ts";
import { isResponseDeclaration, type ResponseDeclaration, type ResponseKind } from "../../contract/response.ts";
import { type AdapterProblem, statusPhrase } from "../../wire/problem.ts";
import type { RequestHeaders, RouteInfo } from "./call.ts";
import type { CreateResult, Result, ResultOf } from "./result.ts";
import { checkObject, describeDeclared, failAt } from "../../options.ts";

/** The input of `refuse`. `Refused` are the refusals that the contract declares. */
export interface RefuseInput<Refused extends Refusals = never> {
  /** The problem document that the adapter sends if the contract does not declare the refusal. */
  readonly problem: AdapterProblem;
  /** The request. Its body may have been read. */
  readonly request: Request;
  /** The header fields of the request. */
  readonly headers: RequestHeaders;
  /** The matched route. `undefined` for 404, 405 and a malformed path. */
  readonly route: RouteInfo | undefined;
  /** The status that the contract declares for the refusal, and that the result must have. `undefined` if none is. */
  readonly status: (keyof RefusalBodies<Refused> & number) | undefined;
  /** Builds a declared refusal: `response(status, body?, headers?)`. */
  readonly response: CreateResult<RefusalBodies<Refused>>;
}

/**
 * The type of a `refuse` option in a module of its own. The server calls it for each request that the adapter refuses
 * or fails to answer. If the contract declares the refusal, it returns a result with the `status` of its input. It
 * returns nothing for all others, and may do so for a declared problem document or empty response. `Refused` are the
 * declared refusals.
 *
 * @example Refusals as text, for any contract with this 400
 * ```ts
 * import { defineContract, request, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer, type Refuse } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const refusals = { 400: response.text() };
 * const refuse: Refuse<typeof refusals> = ({ problem, status, response }) =>
 *   status && response(status, `Bad request: ${problem.code}`);
 *
 * const contract = defineContract({
 *   refusals,
 *   routes: { save: route.post("/save", { body: request.json(), responses: { 204: response.empty() } }) },
 * });
 * const handler = createFetchHandler(
 *   defineServer(contract, { refuse }).implement({ save: ({ response }) => response(204) }),
 * );
 *
 * const headers = { "content-type": "application/json" };
 * const answer = await handler(new Request("http://localhost/save", { method: "POST", headers, body: "{" }));
 * assertEquals([answer.status, await answer.text()], [400, "Bad request: invalid-body"]);
 * ```
 */
export type Refuse<Refused extends Refusals = never> = (
  input: RefuseInput<Refused>,
) => Awaitable<ResultOf<RefusalBodies<Refused>> | undefined | void>;

/**
 * The refusals of a contract and of the routes below a node, as a union of maps.
 *
 * @internal
 */
export type DeclaredRefusals<Api extends Contract> = NonNullable<Api["refusals"] | RefusalsBelow<Api["routes"]>>;

/** The refusals of all routes below a node. */
type RefusalsBelow<Node> = Node extends RouteNode ? Node["refusals"]
  : { [Key in NodeKey<Node>]: RefusalsBelow<Node[Key]> }[NodeKey<Node>];

/** The statuses of the refusals whose responses only `refuse` can build. */
type StatusToFill<Bodies> = {
  [Status in keyof Bodies & number]: Bodies[Status] extends SelfFilled ? never : Status;
}[keyof Bodies & number];

/**
 * Requires `refuse` if only it can build a refusal.
 *
 * @internal
 */
export type RefuseFits<Refused> = Refusals extends Refused ? unknown // routes with general types
  : [StatusToFill<RefusalBodies<Refused>>] extends [never] ? unknown
  : { readonly refuse: (input: never) => unknown };

/**
 * `unknown` if the server can build all refusals itself. Otherwise an error message as a type.
 *
 * @internal
 */
export type NoneToRefuse<Refused> = Refusals extends Refused ? unknown
  : [StatusToFill<RefusalBodies<Refused>>] extends [never] ? unknown
  : `missing: { refuse: … } for the refusals ${StatusToFill<RefusalBodies<Refused>>}`;

/** The name of `defineServer()` in messages. */
export const serverName = "defineServer()";

/** The option `refuse` with any types. */
export type AnyRefuse = (input: object) => unknown;

/**
 * How a server answers refusals.
 *
 * @internal
 */
export interface Refusing {
  /** The option `refuse`. `undefined` if the server builds all responses itself. */
  readonly run: AnyRefuse | undefined;
  /** The refusals of the contract, for requests without a route. */
  readonly outside: Refusals | undefined;
}

/**
 * Returns how a server answers refusals. `undefined` if the contract declares none, and nothing observes them. Throws a
 * `TypeError` if `refuse` is missing.
 */
export function planRefusing(
  { routes, refusals: outside }: Contract,
  refuse: AnyRefuse | undefined,
): Refusing | undefined {
  const nodes = routesOf(routes).filter(({ refusals }) => refusals !== undefined);
  const places = [{ key: "the contract", refusals: outside }, ...nodes.filter(({ refusals }) => refusals !== outside)]
    .flatMap(({ key, refusals }) => refusals === undefined ? [] : [{ where: `${serverName}: ${key}`, refusals }]);
  const sent = places.flatMap(({ refusals }) => Object.values(refusals)).filter((status) =>
    Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600
  );
  for (const { where, refusals } of places) checkEntries(refusals, [...refusalStatuses, ...sent], where);
  for (const node of nodes) checkResponses(node);
  if (places.length === 0 && !refuse) return undefined;
  const unbuilt = places.flatMap(({ refusals }) => Object.entries(declaredRefusals(refusals)))
    .flatMap(([status, declared]) => fillerOf(declared) ? [] : status);
  if (!refuse && unbuilt.length > 0) {
    const missing = [...new Set(unbuilt)].sort().join(", ");
    failAt(serverName, `"refuse" is missing; it must build the refusals ${missing} of the contract`);
  }
  return { run: refuse, outside };
}

/** Throws a `TypeError` if one of the refusals is invalid. They can replace the statuses that are `possible`. */
function checkEntries(refusals: Refusals, possible: readonly unknown[], where: string): void {
  for (const [status, declared] of Object.entries(checkObject(refusals, where, '"refusals"'))) {
    const state = possible.includes(Number(status))
      ? findMisfit(Number(status), declared, refusals)
      : `, but the server refuses with ${refusalStatuses.join(", ")}, or what they become`;
    if (state !== undefined) failAt("", `${where} has "refusals" with ${status}${state}`);
  }
}

/** Returns why a refusal cannot have a status or response. The response must neither be native nor arrive piece by piece. */
function findMisfit(status: number, declared: unknown, refusals: Refusals): string | undefined {
  if (typeof declared !== "number") {
    const isResponse = isResponseDeclaration(declared);
    if (isResponse && !declared.representation.readLater) return undefined;
    const found = isResponse ? `response.${declared.kind}()` : describeDeclared(declared);
    return `: ${found}; declare a response with a whole body, or another status`;
  }
  if (!isResponseDeclaration(refusals[declared])) return `: ${declared}, but no response ${declared}`;
  if (canReplace(status, declared)) return undefined;
  return `: ${declared}; a status except 401 can become another of its class, except ${statusesWithFields.join(", ")}`;
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

/** Throws a `TypeError` if a route declares another response for the status of a refusal than the refusal. */
function checkResponses(node: RouteNode): void {
  for (const [status, refusal] of Object.entries(possibleRefusals(node))) {
    const own = handlerResponses(node)[Number(status)];
    if (own && !isSame(own, refusal)) {
      failAt(
        serverName,
        `${node.key} has another ${status} in "responses" than in "refusals"; use the same declaration`,
      );
    }
  }
}

/** Returns whether two declarations are the same, except that `response.statuses()` may have copied one of them. */
function isSame(own: ResponseDeclaration, refusal: unknown): boolean {
  if (own === refusal) return true;
  const { range: _, ...members } = own;
  return own.range !== undefined && isResponseDeclaration(refusal) &&
    Object.entries({ ...refusal, ...members }).every(([name, member]) => Object.is(member, Reflect.get(refusal, name)));
}

/** Builds the result of a declared refusal from the problem. */
type FillRefusal = (problem: AdapterProblem, status: number) => Result;

/** How the server itself builds refusals of some representations. */
const fillers: Readonly<Partial<Record<ResponseKind, FillRefusal>>> = {
  problem: (problem, status) => ({ status, body: { ...problem, title: statusPhrase(status), status } }),
  empty: (_problem, status) => ({ status }),
};

/** Returns how the server itself builds a declared refusal. `undefined` if only `refuse` can. */
export function fillerOf({ kind, headers }: ResponseDeclaration): FillRefusal | undefined {
  return headers ? undefined : fillers[kind];
}
