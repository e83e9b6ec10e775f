/** Calls whose attempts run inside the functions of the option `around`. */
import { isMarked } from "../mark.ts";
import { messageOf } from "../messages.ts";
import type { ResultTracker } from "../representation/representation.ts";
import { untilAborted } from "../awaitable.ts";
import { type CallPlan, explain, isOwnError, type ReadCall } from "./plan.ts";
import type { ClientError } from "./error.ts";
import type { AnyOutcome, Around, AroundCall } from "./settings.ts";

/** Makes one attempt of a call. It calls `release` once nothing of its response is left to read. */
type MakeAttempt = (release: () => void) => Promise<AnyOutcome>;

/** The state of a call whose attempts run inside functions of `around`. */
interface AttemptedCall {
  readonly plan: CallPlan;
  readonly call: ReadCall;
  readonly attempt: MakeAttempt;
  /** The part that the functions in `around` see. */
  readonly described: AroundCall;
  /** Whether its body is a stream, so that it cannot be sent again. */
  readonly isSentOnce: boolean;
  /**
   * Closes the results that the caller does not receive. Absent if the contract declares no content that is read later.
   */
  readonly results: ResultTracker | undefined;
  /** The number of attempts so far. */
  made: number;
  /** The result or the error of the last attempt. */
  last: AnyOutcome | ClientError | undefined;
  isOver: boolean;
}

/**
 * Runs the functions of the option `around`, the first outermost, and checks what they return and throw. An abort or
 * the timeout ends the call and all its attempts.
 */
export async function callAround(plan: CallPlan, call: ReadCall, attempt: MakeAttempt): Promise<AnyOutcome> {
  const { route, settings, readLater } = plan;
  const { input, options, signal, release } = call;
  const body = plan.declared.body?.representation;
  const isSentOnce = body?.isSentOnce?.(input.body) === true;
  const isFollowed = isMarked(options, "follow"); // follow() repeats this call itself
  const described = {
    route,
    signal,
    idempotent: !isFollowed && isIdempotent(plan, call),
    replayable: !isFollowed && !isSentOnce,
  };
  const results = readLater?.(release);
  const attempted: AttemptedCall = {
    plan,
    call,
    attempt,
    described,
    isSentOnce,
    results,
    made: 0,
    last: undefined,
    isOver: false,
  };
  let outcome: AnyOutcome | undefined;
  try {
    const run = settings.around.reduceRight(
      (inner, each) => () => runAround(attempted, each, inner),
      () => attemptInBackground(attempted),
    );
    return outcome = await untilAborted(signal, run());
  } catch (cause) {
    if (isOwnError(route, cause)) throw cause;
    throw explain(plan, call, isOwnError(route, attempted.last) ? attempted.last : cause, attempted.last?.response);
  } finally {
    attempted.isOver = true;
    if (!results?.end(outcome?.response)) release();
    if (attempted.made === 0) body?.leave?.(input.body);
  }
}

/** Returns whether a request can safely be sent twice (RFC 9110, section 9.2.2; RFC 10008 for QUERY). */
function isIdempotent({ declared: { method } }: CallPlan, { input }: ReadCall): boolean {
  const headers = input.headers as { readonly "idempotency-key"?: unknown } | undefined;
  return (method !== "POST" && method !== "PATCH") || headers?.["idempotency-key"] !== undefined;
}

/** Runs one function of `around`. It must return the result of an attempt, or throw a `ClientError` of this route. */
async function runAround(
  { plan, call, described }: AttemptedCall,
  around: Around<string>,
  inner: () => Promise<AnyOutcome>,
): Promise<AnyOutcome> {
  const { route, declared: { responses }, fail } = plan;
  try {
    const outcome: AnyOutcome | undefined = await around(inner, described);
    if (outcome && responses.has(outcome.status)) return outcome;
  } catch (cause) {
    if (isOwnError(route, cause)) throw cause;
    if (call.signal?.aborted) throw explain(plan, call, cause, undefined);
    throw fail("invalid-outcome", `a function of "around" threw: ${messageOf(cause)}`, { cause });
  }
  throw fail("invalid-outcome", 'a function of "around" must return the outcome of attempt()', {});
}

/** Makes an attempt. If the function no longer awaits it, its rejection is ignored. */
function attemptInBackground(attempted: AttemptedCall): Promise<AnyOutcome> {
  const made = makeAttempt(attempted);
  made.catch(() => {});
  return made;
}

async function makeAttempt(attempted: AttemptedCall): Promise<AnyOutcome> {
  const { plan: { fail }, call, attempt, results } = attempted;
  if (attempted.isOver) throw fail("invalid-input", "attempt() was called after the call had ended", {});
  if (attempted.made++ > 0 && attempted.isSentOnce) {
    throw fail("invalid-input", "its body is a stream, which can be sent only once", {});
  }
  try {
    return attempted.last = await (results ? results.track(attempt) : attempt(() => {}));
  } catch (error) {
    if (!call.signal?.aborted) attempted.last = error as ClientError; // attempts reject only with a ClientError
    throw error;
  }
}
