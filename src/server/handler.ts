import { type Awaitable } from "../awaitable.ts";
import { type RouteNode, type RouterMark } from "../contract/node.ts";
import { type HandlerSlots } from "../contract/slots.ts";
import { type Spread } from "../spread.ts";
import { type RouteInfo } from "./call.ts";
import { type CreateResult, type ResultOf } from "./result.ts";
import { type CallerOf } from "./security.ts";

/**
 * What every handler is given beside the declared slots.
 *
 * @internal
 */
export interface HandlerTools<Route extends RouteNode, Context> {
  /** What the server's context factory made for this request. */
  readonly context: Context;
  /**
   * Aborts when the client goes away. It is a getter, read from the request when it is asked for, so that a spread of the input
   * leaves it out: Deno serves a request whose signal nobody reads in half the time, unless `--unstable-no-legacy-abort` is set.
   */
  readonly signal: AbortSignal;
  /** Which route this is. */
  readonly route: RouteInfo<Route["key"], Route["method"], Route["path"]>;
  /** Builds a result: `response(status, body?, headers?)`, typed by status. The equal plain object does as well. */
  readonly response: CreateResult<Route["responses"]>;
}

/**
 * What a handler of a route with security is given further.
 *
 * @internal
 */
export interface SecuredTools<Route extends RouteNode, Callers> {
  /** The caller that a verifier returned; `undefined` for a request without a credential, where the route has `security.none`. */
  readonly caller: CallerOf<Route["security"], Callers>;
}

/**
 * What a route's handler is given: the slots that the contract declares, and {@linkcode HandlerTools}; of a route with security, its
 * `caller` too. `Callers` are those of the server, by the names of the schemes.
 */
export type HandlerInput<Route extends RouteNode, Context, Callers = UnknownCallers> = Route["security"] extends
  readonly never[] | undefined ? Spread<HandlerSlots<Route> & HandlerTools<Route, Context>>
  : Spread<HandlerSlots<Route> & HandlerTools<Route, Context> & SecuredTools<Route, Callers>>;

/**
 * The callers of a server that is not known.
 *
 * @internal
 */
export type UnknownCallers = Readonly<Record<string, object | undefined>>;

/** A route's handler. A result may be returned or thrown. */
export type Handler<Route extends RouteNode, Context, Callers = UnknownCallers> = (
  input: HandlerInput<Route, Context, Callers>,
) => Awaitable<ResultOf<Route["responses"]>>;

/**
 * The handlers of a tree of routes, by the same keys.
 *
 * @internal
 */
export type Handlers<Routes, Context, Callers> = Routes extends RouteNode ? Handler<Routes, Context, Callers>
  : Exclude<keyof Routes, keyof RouterMark> extends infer Keys extends keyof Routes
    ? { readonly [Key in Keys]: Handlers<Routes[Key], Context, Callers> }
  : never;
