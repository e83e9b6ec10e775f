import type { Awaitable } from "../../awaitable.ts";
import type { Spread } from "../../contract/infer.ts";
import type { HandlerResponses, RouteNode, RouterMark } from "../../contract/node.ts";
import type { Responses } from "../../contract/response.ts";
import type { HandlerSlots, SharedRawParams } from "../../contract/slots.ts";
import type { ContextInput, RouteInfo } from "./call.ts";
import type { ReturnedBy } from "./middleware.ts";
import type { CreateResult, CreateRouteResult, ResultOf } from "./result.ts";
import type { CallerOf } from "./verifier.ts";

/**
 * The members of every handler's input besides the declared inputs.
 *
 * @internal
 */
export interface HandlerTools<Route extends RouteNode, Context> {
  /** The value of the server's `context` factory for this request, with the additions of middleware. */
  readonly context: Context;
  /**
   * Aborts when the client disconnects. It is a getter, so a spread of the input leaves it out. Deno serves a request
   * twice as fast if nothing reads its signal, unless `--unstable-no-legacy-abort` is set.
   */
  readonly signal: AbortSignal;
  readonly route: RouteInfo<Route["key"], Route["method"], Route["path"]>;
  /**
   * Builds a result, typed by status: `response(status, body?, headers?)`. A plain object with the same members is also
   * a result.
   */
  readonly response: CreateRouteResult<HandlerResponses<Route>>;
}

/**
 * The members that a route with security adds to its handler's input.
 *
 * @internal
 */
export interface SecuredTools<Route extends RouteNode, Callers> {
  /**
   * The caller that a verifier returned. `undefined` for a request without a credential, if the route has
   * `security.none`.
   */
  readonly caller: CallerOf<Route["security"], Callers>;
}

/**
 * The input of a route's handler: the inputs that the contract declares, `context`, `signal`, `route` and `response`.
 * On a route with security it also has `caller`. `Callers` are the types of the server's callers, by scheme name.
 */
export type HandlerInput<Route extends RouteNode, Context, Callers = UnknownCallers> = Route["security"] extends
  readonly never[] | undefined ? Spread<HandlerSlots<Route> & HandlerTools<Route, Context>>
  : Spread<HandlerSlots<Route> & HandlerTools<Route, Context> & SecuredTools<Route, Callers>>;

/**
 * The callers of an unknown server.
 *
 * @internal
 */
export type UnknownCallers = Readonly<Record<string, object | undefined>>;

/** The handler of a route. It can return or throw a result, synchronously or not. */
export type Handler<Route extends RouteNode, Context, Callers = UnknownCallers> = (
  input: HandlerInput<Route, Context, Callers>,
) => ResultOf<HandlerResponses<Route>> | PromiseLike<ResultOf<HandlerResponses<Route>>>;

/**
 * The handlers of a tree of routes, by the same keys.
 *
 * @internal
 */
export type Handlers<Routes, Context, Callers> = Routes extends RouteNode ? Handler<Routes, Context, Callers>
  : Exclude<keyof Routes, keyof RouterMark> extends infer Keys extends keyof Routes
    ? { readonly [Key in Keys]: Handlers<Routes[Key], Context, Callers> }
  : never;

/** The first argument of a guard. `Declared` are the responses, and `Params` the path parameters, that all of its routes share. */
export interface GuardInput<
  Declared extends Responses = Record<never, never>,
  Caller = object | undefined,
  Params extends object = Record<never, never>,
> extends ContextInput {
  /**
   * The path parameters, percent-decoded and not yet validated: a schema may still refuse or change them. The type has
   * those that all routes of the guard share.
   */
  readonly params: Params;
  /** The request. The guard must not read its body. */
  readonly request: Request;
  /** The caller that a verifier returned. `undefined` on a public route, and for a caller without a credential. */
  readonly caller: Caller;
  /** Builds a result from a response that all routes of the guard share: `response(status, body?, headers?)`. */
  readonly response: CreateResult<Declared>;
}

/**
 * The first argument of a guard for the routes below `Node`. TypeScript walks the routes if the guard uses `params`.
 *
 * @internal
 */
export interface GuardInputAt<in out Node, Declared extends Responses, Caller> extends GuardInput<Declared, Caller> {
  readonly params: SharedRawParams<Node>;
}

/**
 * What a guard may return.
 *
 * @internal
 */
export type GuardResult<Declared extends Responses> = Awaitable<ResultOf<Declared> | undefined | void>;

/**
 * {@linkcode InferMiddleware} for a guard.
 *
 * @internal
 */
export type InferGuard<Given, Declared extends Responses> = unknown extends Given ? Given
  : [ReturnedBy<Given>] extends [GuardResult<Declared>] ? unknown
  : "a guard must return nothing, or a result that all of its routes declare: response(status, body)";

/**
 * The type of a guard in a module of its own. A guard runs before the body is read. It returns nothing to let the
 * request pass, or a result to answer it. `Declared` are the responses that it can return, and `Needs` are the
 * properties that it reads from the adapter's `contextInput`. `Caller` and `Params` are the caller and the path
 * parameters that it reads.
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
  Params extends object = Record<never, never>,
> = (input: GuardInput<Declared, Caller, Params>, runtime: Needs) => GuardResult<Declared>;

/** A guard with any types. */
export type AnyGuard = (input: object, runtime: object) => unknown;
