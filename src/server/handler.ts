import { type Awaitable } from "../awaitable.ts";
import { type HandlerResponses, type RouteNode, type RouterMark } from "../contract/node.ts";
import { type HandlerSlots } from "../contract/slots.ts";
import { type Spread } from "../contract/infer.ts";
import { type RouteInfo } from "./call.ts";
import { type CreateResult, type ResultOf } from "./result.ts";
import { type CallerOf } from "./security.ts";

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
  readonly response: CreateResult<HandlerResponses<Route>>;
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
) => Awaitable<ResultOf<HandlerResponses<Route>>>;

/**
 * The handlers of a tree of routes, by the same keys.
 *
 * @internal
 */
export type Handlers<Routes, Context, Callers> = Routes extends RouteNode ? Handler<Routes, Context, Callers>
  : Exclude<keyof Routes, keyof RouterMark> extends infer Keys extends keyof Routes
    ? { readonly [Key in Keys]: Handlers<Routes[Key], Context, Callers> }
  : never;
