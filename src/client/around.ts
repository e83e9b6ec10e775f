/** Calls whose attempts run inside the functions of the option `around`. */
import { isMarked } from "../mark.ts";
import { messageOf } from "../messages.ts";
import { ignore, untilAborted } from "../awaitable.ts";
import { type CallPlan, explain, isOwnError, type ReadCall } from "./plan.ts";
import type { ClientError } from "./error.ts";
import type { AnyOutcome } from "./settings.ts";

/** Makes one attempt of a call. It calls `release` once nothing of its response is left to read. */
type MakeAttempt = (release: () => void) => Promise<AnyOutcome>;

/**
 * Runs the functions of the option `around`, the first outermost, and checks what they return and throw. An abort or
 * the timeout ends the call and all its attempts.
 */
export async function callAround(plan: CallPlan, call: ReadCall, attempt: MakeAttempt): Promise<AnyOutcome> {
  const { route, settings, readLater, declared, fail } = plan;
  const { input, given, signal, release } = call;
  const body = declared.body?.representation;
  const isSentOnce = body?.isSentOnce?.(input.body);
  const isFollowed = isMarked(given, "follow"); // follow() repeats this call itself
  const described = {
    route,
    signal,
    idempotent: !isFollowed && isIdempotent(plan, call),
    replayable: !isFollowed && !isSentOnce,
  };
  const results = readLater?.(release); // closes the results that the caller does not receive
  let made = 0;
  let isOver = false;
  let last = undefined as AnyOutcome | ClientError | undefined; // of the attempts
  let outcome: AnyOutcome | undefined;
  const makeAttempt = async (): Promise<AnyOutcome> => {
    if (isOver) throw fail("invalid-input", "attempt() was called after the call had ended");
    if (made++ > 0 && isSentOnce) throw fail("invalid-input", "its body is a stream, which can be sent only once");
    try {
      return last = await (results ? results.track(attempt) : attempt(ignore));
    } catch (error) {
      if (!signal?.aborted) last = error as ClientError; // attempts reject only with a ClientError
      throw error;
    }
  };
  try {
    const run = settings.around.reduceRight(
      (inner, each) => () => runAround(plan, call, () => each(inner, described)),
      (): Promise<AnyOutcome> => {
        const attempt = makeAttempt();
        attempt.catch(ignore); // a function that no longer awaits it ignores its rejection
        return attempt;
      },
    );
    return outcome = await untilAborted(signal, run());
  } catch (cause) {
    if (isOwnError(route, cause)) throw cause;
    throw explain(plan, call, isOwnError(route, last) ? last : cause, last?.response);
  } finally {
    isOver = true;
    if (!results?.end(outcome?.response)) release();
    if (made === 0) body?.leave?.(input.body);
  }
}

/** Returns whether a request can safely be sent twice (RFC 9110, section 9.2.2; RFC 10008 for QUERY). */
function isIdempotent({ declared: { method } }: CallPlan, { input }: ReadCall): boolean {
  const headers = input.headers as { readonly "idempotency-key"?: unknown } | undefined;
  return (method !== "POST" && method !== "PATCH") || headers?.["idempotency-key"] !== undefined;
}

/** Runs one function of `around`. It must return the result of an attempt, or throw a `ClientError` of this route. */
async function runAround(
  plan: CallPlan,
  call: ReadCall,
  run: () => Promise<AnyOutcome | undefined>,
): Promise<AnyOutcome> {
  const { declared: { responses }, fail } = plan;
  try {
    const outcome = await run();
    if (outcome && responses.has(outcome.status)) return outcome;
  } catch (cause) {
    if (isOwnError(plan.route, cause)) throw cause;
    if (call.signal?.aborted) throw explain(plan, call, cause, undefined);
    throw fail("invalid-outcome", `a function of "around" threw: ${messageOf(cause)}`, { cause });
  }
  throw fail("invalid-outcome", 'a function of "around" must return the outcome of attempt()');
}
