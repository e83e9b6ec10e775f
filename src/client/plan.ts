/** What is known about the calls of a route before they are made, the arguments of one, and its errors. */
import type { RouteCall } from "../contract/call.ts";
import { isInstance } from "../mark.ts";
import { messageOf } from "../messages.ts";
import type { ResponseRepresentation } from "../representation/representation.ts";
import type { ShowCredential } from "../wire/credentials.ts";
import { type CalledRoute, ClientError, type CreateFailure } from "./error.ts";
import type { CallOptions, ClientSettings, Limits } from "./settings.ts";

/** Everything about the calls of a route that depends only on the route and the client. */
export interface CallPlan {
  readonly declared: RouteCall;
  readonly route: CalledRoute;
  readonly settings: ClientSettings;
  /** The encoded literals and the names of the path's parameters. */
  readonly segments: readonly (string | { readonly parameter: string })[];
  /** Returns the routes that a call could reach instead. They are found at the first call of the route. */
  readonly rivals: () => readonly RouteCall[];
  /** Adds the credential of a call. `undefined` if the client cannot send one. */
  readonly showCredential: ShowCredential | undefined;
  /** Tracks the results whose content the caller may read later. */
  readonly readLater: ResponseRepresentation["readLater"];
  /** Whether a caller may receive the native response. The client does not see when its body has been read. */
  readonly mayBeNative: boolean;
  readonly fail: CreateFailure;
}

/** The ways in which a call can end early. */
export interface Ending {
  /** Aborts with the caller's signal or the timeout, whichever is first. */
  readonly signal: AbortSignal | undefined;
  /** Aborts when the time is up. */
  readonly timeout: AbortSignal | undefined;
  /** Releases the timer of a call that is over. */
  readonly release: () => void;
}

/** The values of the declared slots. */
export interface SlotValues {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** The arguments of a call with the defaults applied, and the signals that may end it early. */
export interface ReadCall extends Limits, Ending {
  readonly input: SlotValues;
  readonly options: CallOptions;
  /** The options as they were passed. */
  readonly given: unknown;
  /** The most milliseconds that a stream may stay silent. */
  readonly silence: number;
}

/** Returns the error for a call that failed, or for a stream that could not be read. */
export function explain(
  { fail, route }: CallPlan,
  { signal, timeout }: Ending,
  cause: unknown,
  response: Response | undefined,
): ClientError {
  const details = { response, cause };
  if (timeout?.aborted) return fail("timeout", "it timed out", details);
  if (signal?.aborted) return fail("aborted", "its signal was aborted", details);
  if (isOwnError(route, cause)) return cause;
  return fail("network", "no response arrived, or it was interrupted", details);
}

/** Returns whether a thrown value is an error of this route's calls. */
export function isOwnError(route: CalledRoute, cause: unknown): cause is ClientError {
  return isInstance(cause, ClientError) && cause.route === route;
}

/** Returns the error for an input that cannot be sent. */
export function toInvalidInput({ fail }: CallPlan, cause: unknown): ClientError {
  return fail("invalid-input", messageOf(cause), { cause });
}
