/** What the server layer knows of one call. */
import { type RouteNode } from "../contract/node.ts";

/** Which route a call is of. */
export interface RouteInfo<Route extends RouteNode = RouteNode> {
  /** The keys that lead to it, joined by dots: `users.byId`. */
  readonly key: Route["key"];
  /** The declared method. */
  readonly method: Route["method"];
  /** The full path as declared, with its parameters' names. */
  readonly path: Route["path"];
}

/** What a slot holds after its schema. */
export interface Slots {
  /** The path parameters. */
  readonly params: unknown;
  /** The query. */
  readonly query: unknown;
  /** The header fields. */
  readonly headers: unknown;
  /** The body. */
  readonly body: unknown;
}

/** Whoever knows whether a client is still there: a `Request`. */
export interface SignalSource {
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}
