import type { AnyOutcome, Around, AroundCall } from "../../client/settings.ts";
import type { CalledRoute, ClientError } from "../../client/error.ts";
import { attempt as attemptTo, ignore, longestTimeout, wait } from "../../awaitable.ts";
import { backOff, readRetryAfter, statusOfFailure } from "./wait.ts";
import { closeSource } from "../../wire/producer.ts";
import {
  aDuration,
  aFunction,
  aPositiveCount,
  isListOfTexts,
  type OptionRules,
  readPlainOptions,
  type ValueRule,
} from "../../options.ts";

/** The options of {@linkcode retry}. `Key` is the union of the route keys in `also` and `except`. */
export interface RetryOptions<Key extends string = string> {
  /** The most attempts of a call, including the first: an integer from 1. Default: 3. */
  readonly attempts?: number | undefined;
  /**
   * The most milliseconds to wait before an attempt. If a response asks for a longer wait, the call returns that
   * response. Default: 30,000.
   */
  readonly maxWait?: number | undefined;
  /** The keys of further routes whose requests may be sent twice, such as `orders.quote`. Default: none. */
  readonly also?: readonly Key[] | undefined;
  /**
   * The keys of routes that are never retried, such as `session.login`, whose 429 the user should see. Default: none.
   */
  readonly except?: readonly Key[] | undefined;
  /** Called before each wait. Errors thrown by it are ignored. */
  readonly onRetry?: ((retried: RetriedAttempt) => unknown) | undefined;
}

/** An attempt that is followed by another one. */
export interface RetriedAttempt {
  /** The route of the call. */
  readonly route: CalledRoute;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The milliseconds until the next attempt. */
  readonly wait: number;
  /**
   * The error or the declared result of the attempt. If the result's body is a stream, it is closed and cannot be read.
   */
  readonly outcome: AnyOutcome | ClientError;
}

/** Failures that are usually temporary, after which the request may have had an effect. */
const passing: readonly unknown[] = ["network", 408, 502, 503, 504];

/** Statuses of requests that had no effect: 425 (too early) and 429 (too many). */
const refusing: readonly unknown[] = [425, 429];

/** The cost of a retry. Each success returns 1 to the budget. */
const price = 10;
const fullBudget = 200; // 20 retries

/**
 * Retries calls that fail temporarily, as a value for the client option `around`. It retries network errors and the
 * statuses 408, 502, 503 and 504 of a call that can safely be repeated: its method is idempotent, it passes an
 * `idempotency-key`, or `also` names its route. It retries 425 and 429 for every route. It never retries the routes in
 * `except`, nor a body that is a stream.
 *
 * Before each retry it waits as long as `Retry-After` asks, or else a random time whose maximum doubles up to `maxWait`.
 * The returned function allows 20 retries at once, and one more for every ten calls that succeed. Clients that share the
 * function share this budget.
 *
 * @example A server that is down for a moment
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient, unwrap } from "@scope/api/client";
 * import { retry } from "@scope/api/retry";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({ routes: { news: route.get("/news", { responses: { 200: response.text() } }) } });
 * const answers = [new Response(null, { status: 503, headers: { "retry-after": "0" } }), new Response("Hello")];
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   around: retry({ attempts: 3 }),
 *   fetch: () => answers.shift()!,
 * });
 *
 * assertEquals(unwrap(await client.news()), "Hello");
 * ```
 *
 * @throws {TypeError} If an option is invalid.
 */
export function retry<const Key extends string = never>(options: RetryOptions<Key> = {}): Around<Key> {
  const read: RetryOptions<Key> = readPlainOptions(options, rules, "retry()");
  const { attempts = 3, also = [], except = [], onRetry } = read;
  const maxWait = Math.min(read.maxWait ?? 30_000, longestTimeout);
  let budget = fullBudget;
  const planWait = (outcome: AnyOutcome | ClientError, call: AroundCall, made: number): number | undefined => {
    const status = statusOfFailure(outcome);
    if (isListed(except, call) || !mayRetry(status, call, isListed(also, call))) {
      if (typeof status === "number" && status < 500) budget = Math.min(fullBudget, budget + 1);
      return undefined;
    }
    const asked = readRetryAfter(outcome.response);
    if (made >= attempts || budget < price || (asked !== undefined && asked > maxWait)) return undefined;
    budget -= price;
    return asked ?? Math.min(backOff(made - 1), maxWait);
  };
  const around = async <Outcome extends AnyOutcome>(
    attempt: () => Promise<Outcome>,
    call: AroundCall,
  ): Promise<Outcome> => {
    for (let made = 1;; made++) {
      const [isResult, outcome] = await settle(attempt());
      const delay = planWait(outcome, call, made);
      if (delay === undefined) {
        if (isResult) return outcome;
        throw outcome;
      }
      if (isResult) closeSource(outcome.body);
      attemptTo(() => onRetry?.({ route: call.route, attempt: made, wait: delay, outcome }), ignore);
      await wait(delay, call.signal);
    }
  };
  return Object.assign(around, { routes: [...also, ...except] });
}

function isListed(keys: readonly string[], { route }: AroundCall): boolean {
  return keys.includes(route.key);
}

/** Tests whether another attempt of a call is allowed and may succeed. */
function mayRetry(status: unknown, { idempotent, replayable }: AroundCall, isNamed: boolean): boolean {
  return replayable && (refusing.includes(status) || ((idempotent || isNamed) && passing.includes(status)));
}

/** Returns the outcome of an attempt, and whether it is a result. */
async function settle<Outcome>(
  attempt: Promise<Outcome>,
): Promise<readonly [isResult: true, outcome: Outcome] | readonly [isResult: false, error: ClientError]> {
  try {
    return [true, await attempt];
  } catch (error) {
    return [false, error as ClientError]; // attempts reject only with a ClientError
  }
}

const keys: ValueRule = ["an array of keys", isListOfTexts];

const rules: OptionRules = {
  attempts: aPositiveCount,
  maxWait: aDuration,
  also: keys,
  except: keys,
  onRetry: aFunction,
};
