/** Functions of the caller's that run around the attempts of a call. */
import { type RouteNode } from "../contract/node.ts";
import { cannotCreate } from "./check_options.ts";
import { type CalledRoute } from "./error.ts";

/** A declared result of any route, as a function around calls sees it. */
export interface AnyOutcome {
  /** The status. */
  readonly status: number;
  /** The decoded body. */
  readonly body: unknown;
  /** The declared headers, or the native `Headers`. */
  readonly headers: unknown;
  /** The native response. */
  readonly response: Response;
}

/** What a function around calls knows of a call. */
export interface AroundCall {
  /** The route that is called. */
  readonly route: CalledRoute;
  /** Aborts when the caller does, or when the time of the whole call is up. */
  readonly signal: AbortSignal | undefined;
  /** Whether to send the request twice has the effect of sending it once: by its method, or by an `idempotency-key` among its `headers`. */
  readonly idempotent: boolean;
  /** Whether a second attempt can be made: a body that is a stream can be sent once. */
  readonly replayable: boolean;
}

/**
 * Runs around the attempts of a call. `attempt()` encodes, sends and decodes; it resolves to a declared result or rejects with a
 * `ClientError`. So must the function: it returns what an attempt came to, the first or another one.
 */
export interface Around<Key extends string = never> {
  /** Runs around one call. */
  <Outcome extends AnyOutcome>(attempt: () => Promise<Outcome>, call: AroundCall): Promise<Outcome>;
  /** The keys of routes that it treats in its own way; `createClient` throws for one that the contract does not have. */
  readonly routes?: readonly Key[] | undefined;
}

/** Checks the option `around` of a client of `nodes`; throws a `TypeError` where it is invalid. */
export function checkAround(around: unknown, nodes: readonly RouteNode[]): readonly Around<string>[] {
  const list: readonly unknown[] = around === undefined ? [] : [around].flat();
  for (const each of list) {
    if (typeof each !== "function") cannotCreate("around must be a function, or a list of functions");
    const unknown = (each as Around<string>).routes?.find((key) => !nodes.some((node) => node.key === key));
    if (unknown !== undefined) {
      cannotCreate(`around names the route ${JSON.stringify(unknown)}, which the contract does not have`);
    }
  }
  return list as readonly Around<string>[];
}
