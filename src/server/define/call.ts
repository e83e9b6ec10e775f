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

/**
 * The header fields of a request: a `Headers`, or what else the adapter has. Names are case-insensitive, and repeated
 * fields are joined.
 */
export interface RequestHeaders extends Iterable<readonly [name: string, value: string]> {
  /** Returns the value of a field, or `null`. */
  get(name: string): string | null;
  /** Returns whether there is a field. */
  has(name: string): boolean;
  /** Calls a function for each field, with its name in lowercase. */
  forEach(callback: (value: string, name: string) => void): void;
}

/** An object with the signal of a client. */
export interface SignalSource {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A request as the application reads it. */
export interface RequestSource extends SignalSource {
  readonly request: Request;
  readonly headers: RequestHeaders;
}

/** One call of a route. */
export interface ServerCall extends SignalSource {
  readonly slots: Slots;
  /** The value of the context factory, with the additions of middleware. */
  readonly context: object;
  /** The caller that a verifier returned. */
  readonly caller: object | undefined;
}

/**
 * What the arguments of handlers and middleware have in common. The signal is a getter: Deno serves a request twice as
 * fast if nothing reads its signal.
 */
export class CallbackArgument {
  readonly #source: SignalSource;
  declare readonly context: object;
  declare readonly route: RouteInfo;
  /** The function `response`. */
  declare readonly response: object;

  constructor(call: ServerCall, route: RouteInfo, response: object) {
    this.#source = call;
    this.context = call.context;
    this.route = route;
    this.response = response;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }
}

/** The argument of functions that read the head of a request. Its members are getters: adapters create them on demand. */
export class RequestArgument {
  readonly #source: RequestSource;
  declare readonly route: RouteInfo | undefined;

  constructor(source: RequestSource, route: RouteInfo | undefined) {
    this.#source = source;
    this.route = route;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }

  get request(): Request {
    return this.#source.request;
  }

  get headers(): RequestHeaders {
    return this.#source.headers;
  }
}
