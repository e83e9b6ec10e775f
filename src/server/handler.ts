import { type Awaitable } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type SeenSlots } from "../contract/slots.ts";
import { type Marked } from "../mark.ts";
import { type Spread } from "../spread.ts";
import { type RouteInfo } from "./call.ts";
import { type CreateResult, type ResultOf } from "./result.ts";

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

/** What a route's handler is given: the slots that the contract declares, and {@linkcode HandlerTools}. */
export type HandlerInput<Route extends RouteNode, Context> = Spread<SeenSlots<Route> & HandlerTools<Route, Context>>;

/** A route's handler. A result may be returned or thrown. */
export type Handler<Route extends RouteNode, Context> = (
  input: HandlerInput<Route, Context>,
) => Awaitable<ResultOf<Route["responses"]>>;

/**
 * The handlers of a tree of routes, by the same keys.
 *
 * @internal
 */
export type Handlers<Routes, Context> = Routes extends RouteNode ? Handler<Routes, Context>
  : Exclude<keyof Routes, keyof Marked> extends infer Keys extends keyof Routes
    ? { readonly [Key in Keys]: Handlers<Routes[Key], Context> }
  : never;
