import { type Awaitable } from "../awaitable.ts";
import { type Responses } from "../contract/response.ts";
import { type RouteInfo } from "./call.ts";
import { type CreateResult, type ResultOf } from "./result.ts";

/** The first argument of a guard. `Declared` are the responses that all of its routes share. */
export interface GuardInput<Declared extends Responses = Record<never, never>, Caller = object | undefined> {
  /** The request. The guard must not read its body. */
  readonly request: Request;
  /** Aborts when the client disconnects. Read it only where you use it. */
  readonly signal: AbortSignal;
  /** The method, path and key of the matched route. */
  readonly route: RouteInfo;
  /** The caller that a verifier returned. `undefined` on a public route, and for a caller without a credential. */
  readonly caller: Caller;
  /** Builds a result from a response that all routes of the guard share: `response(status, body?, headers?)`. */
  readonly response: CreateResult<Declared>;
}

/**
 * The type of a guard in a module of its own. A guard runs before the body is read. It returns nothing to let the
 * request pass, or a result to answer it. `Declared` are the responses that it can return, and `Needs` are the
 * properties that it reads from the adapter's `contextInput`.
 *
 * @example A guard that any contract with this 503 can use
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer, type Guard } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const responses = { 503: response.empty() };
 * const closed: Guard<typeof responses> = ({ request, response }) => {
 *   if (request.method !== "GET") return response(503, undefined, { "retry-after": "120" });
 * };
 *
 * const contract = defineContract({
 *   responses,
 *   routes: { save: route.post("/save", { responses: { 204: response.empty() } }) },
 * });
 * const handler = createFetchHandler(
 *   defineServer(contract).guard(closed).implement({ save: ({ response }) => response(204) }),
 * );
 *
 * assertEquals((await handler(new Request("http://localhost/save", { method: "POST" }))).status, 503);
 * ```
 */
export type Guard<
  Declared extends Responses = Record<never, never>,
  Needs extends object = Record<never, never>,
  Caller = object | undefined,
> = (input: GuardInput<Declared, Caller>, runtime: Needs) => Awaitable<ResultOf<Declared> | undefined | void>;

/**
 * A guard with any types.
 *
 * @internal
 */
export type AnyGuard = (input: object, runtime: object) => unknown;
