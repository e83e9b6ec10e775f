/** Functions from the option `around`, which run around the attempts of a call. */
import { type RouteNode } from "../contract/node.ts";
import { describeConfidential } from "../describe_value.ts";
import { cannotCreate } from "./check_options.ts";
import { type CalledRoute } from "./error.ts";

/** A declared result of any route, as a function in `around` receives it. */
export interface AnyOutcome {
  /** The status code of the response, from 200 to 599. */
  readonly status: number;
  /** The body, decoded and validated by its declared response; `undefined` if it declares none. */
  readonly body: unknown;
  /** The declared headers, or the native `Headers`. */
  readonly headers: unknown;
  /** The native response. Its body has been read, or belongs to `body`. */
  readonly response: Response;
}

/** The call that a function in `around` runs for. */
export interface AroundCall {
  /** The route of the call. */
  readonly route: CalledRoute;
  /** Aborts when the caller's signal aborts, or when the `timeout` of the whole call is over. */
  readonly signal: AbortSignal | undefined;
  /**
   * Whether the request can safely be sent twice: its method is idempotent (neither POST nor PATCH), or its `headers`
   * include `idempotency-key`. RFC 9110, section 9.2.2.
   */
  readonly idempotent: boolean;
  /** Whether a second attempt is possible. It is `false` if the body is a stream, which can be sent only once. */
  readonly replayable: boolean;
}

/**
 * Runs around the attempts of a call. `attempt()` encodes and sends the request and decodes the response. It resolves
 * to a declared result or rejects with a `ClientError`. The function must do the same: it returns the result of the
 * first attempt, or of another one.
 */
export interface Around<Key extends string = never> {
  /** Runs around one call. */
  <Outcome extends AnyOutcome>(attempt: () => Promise<Outcome>, call: AroundCall): Promise<Outcome>;
  /**
   * The keys of the routes that the function handles differently. `createClient` throws a `TypeError` for a key that
   * the contract does not have.
   */
  readonly routes?: readonly Key[] | undefined;
}

/**
 * Checks the option `around` for a contract with the routes `nodes`.
 *
 * @throws {TypeError} If it is invalid.
 */
export function checkAround(around: unknown, nodes: readonly RouteNode[]): readonly Around<string>[] {
  const list: readonly unknown[] = around === undefined ? [] : [around].flat();
  for (const each of list) {
    if (typeof each !== "function") {
      cannotCreate(`"around" must be a function or an array of functions, got ${describeConfidential(each)}`);
    }
    const unknown = (each as Around<string>).routes?.find((key) => !nodes.some((node) => node.key === key));
    if (unknown !== undefined) {
      cannotCreate(`"around" names the unknown route ${JSON.stringify(unknown)}`);
    }
  }
  return list as readonly Around<string>[];
}
