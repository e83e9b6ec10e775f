/** What the server layer knows of one call. */
import { type Method } from "../contract/route.ts";

/** Which route a call is of. */
export interface RouteInfo<
  Key extends string = string,
  Verb extends Method = Method,
  Path extends string = string,
> {
  /** The keys that lead to it, joined by dots: `users.byId`. */
  readonly key: Key;
  /** The declared method. */
  readonly method: Verb;
  /** The full path as declared, with its parameters' names. */
  readonly path: Path;
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
  /** Which media type the body came as, where a range or a list is declared. */
  readonly contentType?: string | undefined;
}

/** Whoever knows whether a client is still there: a `Request`. */
export interface SignalSource {
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/** One call of a route. */
export interface ServerCall {
  /** What its slots hold. */
  readonly slots: Slots;
  /** What the context factory made, with what middleware added. */
  readonly context: object;
  /** Who knows whether the client is still there. */
  readonly request: SignalSource;
  /** The caller that a verifier returned. */
  readonly caller: object | undefined;
}
