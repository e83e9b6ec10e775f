/** Calls whose attempts functions of the caller's run around. */
import { isMarked } from "../mark.ts";
import { type ResultTracker } from "../representation/representation.ts";
import { untilAborted } from "../signals.ts";
import { type Around, type AroundCall } from "./around.ts";
import { type CallPlan, explain, isOwnError, toInvalidOutcome } from "./call_plan.ts";
import { type DecodedResponse } from "./decode_response.ts";
import { type ClientError } from "./error.ts";
import { type ReadCall } from "./read_call.ts";

/** A call whose attempts functions run around. */
interface AttemptedCall {
  readonly plan: CallPlan;
  readonly call: ReadCall;
  /** What functions around the call know of it. */
  readonly described: AroundCall;
  /** Whether its body is a stream, which no second attempt can send. */
  readonly isSentOnce: boolean;
  /** Makes an attempt. What it releases is a body that is read later, or nothing. */
  readonly start: (release: () => void) => Promise<DecodedResponse>;
  /** Closes the results that the caller does not get; absent where nothing is read later. */
  readonly results: ResultTracker | undefined;
  /** How many attempts were made. */
  made: number;
  /** What the last attempt came to. */
  last: DecodedResponse | ClientError | undefined;
  isOver: boolean;
}

/** Runs the functions of a client around a call, the first outermost, and holds them to what they owe. An abort or the timeout ends all of it. */
export async function callAround(
  plan: CallPlan,
  call: ReadCall,
  start: AttemptedCall["start"],
): Promise<DecodedResponse> {
  const { route, settings, readLater } = plan;
  const { input, options, signal, release } = call;
  const body = plan.node.body?.representation;
  const isSentOnce = body?.isSentOnce?.(input.body) === true;
  const isFollowed = isMarked(options, "follow"); // a call that is for nobody else to repeat
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
    described,
    isSentOnce,
    start,
    results,
    made: 0,
    last: undefined,
    isOver: false,
  };
  let outcome: DecodedResponse | undefined;
  try {
    const run = settings.around.reduceRight(
      (inner, each) => () => runAround(attempted, each, inner),
      () => attempt(attempted),
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

/** Whether to send a request twice has the effect of sending it once (RFC 9110, section 9.2.2; RFC 10008 for QUERY). */
function isIdempotent({ node: { method } }: CallPlan, { input }: ReadCall): boolean {
  const headers = input.headers as { readonly "idempotency-key"?: unknown } | undefined;
  return (method !== "POST" && method !== "PATCH") || headers?.["idempotency-key"] !== undefined;
}

/** Runs one function; what it throws or returns must be of an attempt, or an error of the route. */
async function runAround(
  { plan, call, described }: AttemptedCall,
  around: Around<string>,
  inner: () => Promise<DecodedResponse>,
): Promise<DecodedResponse> {
  const { route, responses, fail } = plan;
  try {
    const outcome: DecodedResponse | undefined = await around(inner, described);
    if (outcome && responses.has(outcome.status)) return outcome;
  } catch (cause) {
    if (isOwnError(route, cause)) throw cause;
    throw call.signal?.aborted ? explain(plan, call, cause, undefined) : toInvalidOutcome(plan, cause);
  }
  throw fail("invalid-outcome", "a function of around returned no outcome; return what attempt() resolves to", {});
}

/** Makes an attempt. One that is no longer awaited fails unseen. */
function attempt(attempted: AttemptedCall): Promise<DecodedResponse> {
  const made = makeAttempt(attempted);
  made.catch(() => {});
  return made;
}

async function makeAttempt(attempted: AttemptedCall): Promise<DecodedResponse> {
  const { plan: { fail }, call, results, start } = attempted;
  if (attempted.isOver) throw fail("invalid-input", "attempt() was called after the call had ended", {});
  if (attempted.made++ > 0 && attempted.isSentOnce) {
    throw fail("invalid-input", "its body is a stream, which a second attempt cannot send again", {});
  }
  try {
    return attempted.last = await (results ? results.track(start) : start(() => {}));
  } catch (error) {
    if (!call.signal?.aborted) attempted.last = error as ClientError; // attempts reject with nothing else
    throw error;
  }
}
