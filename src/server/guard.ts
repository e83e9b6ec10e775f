import { type Awaitable } from "../awaitable.ts";
import { type Responses } from "../contract/response.ts";
import { type RouteInfo } from "./call.ts";
import { type CreateResult, type ResultOf } from "./result.ts";

/** What a guard is passed. `Declared` are the responses that all of its routes share. */
export interface GuardInput<Declared extends Responses = Record<never, never>, Caller = object | undefined> {
  /** The request as it came. Its body must not be read. */
  readonly request: Request;
  /** Aborts when the client goes away. Read it only where it is used. */
  readonly signal: AbortSignal;
  /** The route that was matched. */
  readonly route: RouteInfo;
  /** The caller that a verifier returned; `undefined` where the route lets everyone in. */
  readonly caller: Caller;
  /** Builds a result of a response that all routes of the guard share: `response(status, body?, headers?)`. */
  readonly response: CreateResult<Declared>;
}

/**
 * A guard in a module of its own: it runs before the body is read, and returns nothing to let the request pass, or a result. `Declared`
 * are the responses that it answers with, `Needs` is what it needs of the adapter's `contextInput`.
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
 * A guard, whatever its types.
 *
 * @internal
 */
export type AnyGuard = (input: object, runtime: object) => unknown;
