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

/** What context factories receive of every request, and verifiers and guards, too. */
export interface ContextInput {
  /** The request. Its body is read as the contract declares. */
  readonly request: Request;
  /** The header fields of the request. */
  readonly headers: RequestHeaders;
  /** Aborts when the client disconnects. Read it only where you use it. */
  readonly signal: AbortSignal;
  /** The method, path and key of the matched route. */
  readonly route: RouteInfo;
}

/** One call of a route. */
export interface ServerCall {
  /** Aborts when the client disconnects. Deno serves a request twice as fast if nothing reads it. */
  readonly signal: AbortSignal;
  readonly slots: Slots;
  /** The value of the context factory, with the additions of middleware. */
  readonly context: object;
  /** The caller that a verifier returned. */
  readonly caller: object | undefined;
}
