/** One call, as the server layer sees it. */
import type { Method } from "../../contract/route.ts";

/** The route of a request: its key, method and path. */
export interface RouteInfo<
  Key extends string = string,
  Verb extends Method = Method,
  Path extends string = string,
> {
  /** The dotted key: `users.byId`. */
  readonly key: Key;
  /** The declared method. For a HEAD request that a GET route answers, it is `GET`. */
  readonly method: Verb;
  /** The full declared path, with parameter names: `/users/:id`. */
  readonly path: Path;
}

/** The validated inputs of a call. */
export interface Slots {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  /** Validated last, when the other inputs are valid. */
  body: unknown;
  /** The media type of the body, if the declared one is a range or a list. */
  readonly contentType?: string | undefined;
}

/** An object with the signal of a client: a `Request`. */
export interface SignalSource {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** One call of a route. */
export interface ServerCall {
  readonly slots: Slots;
  /** The value of the context factory, with the additions of middleware. */
  readonly context: object;
  /** The request, for its signal. */
  readonly request: SignalSource;
  /** The caller that a verifier returned. */
  readonly caller: object | undefined;
}

/**
 * What the arguments of the application's functions have in common. The signal is a getter: Deno serves a request twice
 * as fast if nothing reads its signal.
 */
export class CallbackArgument {
  readonly #source: SignalSource;

  constructor(source: SignalSource) {
    this.#source = source;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }
}
