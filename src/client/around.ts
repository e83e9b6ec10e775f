/** A call: one attempt, or several inside the functions of the option `around`. */
import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import type { RouteNode } from "../contract/node.ts";
import { declaredSlots } from "../contract/slots.ts";
import { isMarked, mark } from "../mark.ts";
import type { ResultTracker } from "../representation/representation.ts";
import { messageOf, routeLabel, toOneLine } from "../messages.ts";
import { untilAborted } from "../signals.ts";
import { discardBody } from "../wire/read_bytes.ts";
import {
  Attempt,
  type CallPlan,
  type DecodedResponse,
  explain,
  isOwnError,
  type ReadCall,
  runSteps,
  type SlotValues,
  toInvalidInput,
} from "./attempt.ts";
import type { Around, AroundCall, ClientSettings } from "./settings.ts";
import { decodeResponse, planResponses } from "./decode_response.ts";
import { type AnyArguments, planRequest, readCall, readInput } from "./encode_request.ts";
import { planUrl } from "./encode_url.ts";
import { type CalledRoute, ClientError } from "./error.ts";
import { isSuccessful, rememberRoute } from "./result.ts";

/** A call of any route, without the types of that route. */
export interface RouteCall {
  (...args: AnyArguments): Promise<DecodedResponse>;
  url(input?: SlotValues): string;
  request(...args: AnyArguments): Promise<Request>;
}

/** Creates the function that calls a route, with its `url` and `request`. */
export function createCall(node: RouteNode, nodes: readonly RouteNode[], settings: ClientSettings): RouteCall {
  const plan = planCall(node, nodes, settings);
  const isThen = /(?:^|\.)then$/.test(node.key);
  const call = (...args: AnyArguments): Promise<DecodedResponse> => {
    if (isThen) checkNotAwaited(plan.route, args);
    return send(plan, args);
  };
  Object.defineProperty(call, "name", { value: node.key }); // shown by consoles
  Object.defineProperty(call, mark, { value: node }); // read by follow()
  return Object.assign(call, {
    url: (input?: SlotValues) => formatUrl(plan, input),
    request: (...args: AnyArguments) => buildRequest(plan, args),
  });
}

/**
 * Throws if `await` calls a route named `then`. `await` treats the group of that route as a promise, passes its
 * callbacks, and rejects with the error.
 */
function checkNotAwaited({ key }: CalledRoute, [resolve]: AnyArguments): void {
  if (typeof resolve !== "function") return;
  throw new TypeError(
    `Cannot await an object with the route "${key}": await treats it as a promise; await a call instead`,
  );
}

/** Makes a call: one attempt, or several if functions in `around` ask for them. */
function send(plan: CallPlan, args: AnyArguments): Promise<DecodedResponse> {
  let call: ReadCall;
  try {
    call = readCall(plan.slots, args, !plan.mayBeNative, plan.settings);
  } catch (cause) {
    return Promise.reject(toInvalidInput(plan, cause));
  }
  return plan.settings.around.length > 0 ? callAround(plan, call) : startAttempt(plan, call, call.release);
}

/**
 * Makes one attempt: runs the steps of its route. An abort or the timeout ends it at any step. It calls `release` once
 * nothing of its response is left to read.
 */
async function startAttempt(plan: CallPlan, call: ReadCall, release: () => void): Promise<DecodedResponse> {
  const attempt = new Attempt(plan, call, release);
  try {
    await runSteps(plan.steps, attempt);
  } catch (cause) {
    release();
    attempt.upload?.end();
    throw attempt.request || call.signal?.aborted ? attempt.explain(cause) : toInvalidInput(plan, cause);
  }
  const { result, declared: { representation }, upload } = attempt;
  if (!isSuccessful(result)) rememberRoute(result, plan.route);
  if (representation.readLater) return result; // the response may still need the upload, as an echo does
  release();
  upload?.end();
  return result;
}

/** Sends the request. A response that arrives after an abort is discarded. */
function exchange(attempt: Attempt): Awaitable<void> {
  const { plan: { settings }, request, init, upload } = attempt;
  const sent = settings.fetch(request, init);
  return whenReady(upload ? upload.untilAnswered(sent) : sent, (response) => {
    if (attempt.call.signal?.aborted) discardBody(response);
    attempt.response = response;
  });
}

async function buildRequest(plan: CallPlan, args: AnyArguments): Promise<Request> {
  let attempt: Attempt | undefined;
  try {
    const call = readCall(plan.slots, args, false, plan.settings);
    attempt = new Attempt(plan, call, call.release);
    await runSteps(plan.encoding, attempt);
    return attempt.request;
  } catch (cause) {
    attempt?.upload?.end();
    throw toInvalidInput(plan, cause);
  }
}

function formatUrl(plan: CallPlan, input: SlotValues = {}): string {
  try {
    const url = plan.toUrl(plan.settings.base, readInput(plan.slots, input));
    if (!isPromise(url)) return url;
    Promise.resolve(url).then(undefined, () => {}); // the error below replaces its rejection
    throw new TypeError("a codec of its params or query is asynchronous; call request() instead of url()");
  } catch (cause) {
    throw toInvalidInput(plan, cause);
  }
}

/**
 * Plans the calls of a route. The steps of an attempt run in the order in which this function and `planRequest()` list
 * them. `nodes` are all routes of the contract.
 */
function planCall(node: RouteNode, nodes: readonly RouteNode[], settings: ClientSettings): CallPlan {
  const route = Object.freeze({ key: node.key, method: node.method, path: node.path });
  const responses = planResponses(node, settings);
  const received = [...responses.values()].map(({ representation }) => representation);
  const toUrl = planUrl(node, nodes);
  const encoding = planRequest(node, settings, toUrl);
  return {
    node,
    route,
    settings,
    toUrl,
    encoding,
    steps: [...encoding, exchange, decodeResponse],
    slots: declaredSlots(node),
    responses,
    readLater: received.find(({ readLater }) => readLater)?.readLater,
    mayBeNative: received.some(({ isNative }) => isNative),
    fail: (code, state, details) =>
      new ClientError(code, `Cannot call ${routeLabel(route)}: ${toOneLine(state)}`, {
        status: details.response?.status,
        ...details,
        route,
      }),
  };
}

/** The state of a call whose attempts run inside functions of `around`. */
interface AttemptedCall {
  readonly plan: CallPlan;
  readonly call: ReadCall;
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
  last: DecodedResponse | ClientError | undefined;
  isOver: boolean;
}

/**
 * Runs the functions of the option `around`, the first outermost, and checks what they return and throw. An abort or
 * the timeout ends the call and all its attempts.
 */
async function callAround(plan: CallPlan, call: ReadCall): Promise<DecodedResponse> {
  const { route, settings, readLater } = plan;
  const { input, options, signal, release } = call;
  const body = plan.node.body?.representation;
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
    described,
    isSentOnce,
    results,
    made: 0,
    last: undefined,
    isOver: false,
  };
  let outcome: DecodedResponse | undefined;
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
function isIdempotent({ node: { method } }: CallPlan, { input }: ReadCall): boolean {
  const headers = input.headers as { readonly "idempotency-key"?: unknown } | undefined;
  return (method !== "POST" && method !== "PATCH") || headers?.["idempotency-key"] !== undefined;
}

/** Runs one function of `around`. It must return the result of an attempt, or throw a `ClientError` of this route. */
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
    if (call.signal?.aborted) throw explain(plan, call, cause, undefined);
    throw fail("invalid-outcome", `a function of "around" threw: ${messageOf(cause)}`, { cause });
  }
  throw fail("invalid-outcome", 'a function of "around" must return the outcome of attempt()', {});
}

/** Makes an attempt. If the function no longer awaits it, its rejection is ignored. */
function attemptInBackground(attempted: AttemptedCall): Promise<DecodedResponse> {
  const made = makeAttempt(attempted);
  made.catch(() => {});
  return made;
}

async function makeAttempt(attempted: AttemptedCall): Promise<DecodedResponse> {
  const { plan, plan: { fail }, call, results } = attempted;
  if (attempted.isOver) throw fail("invalid-input", "attempt() was called after the call had ended", {});
  if (attempted.made++ > 0 && attempted.isSentOnce) {
    throw fail("invalid-input", "its body is a stream, which can be sent only once", {});
  }
  try {
    const start = (release: () => void): Promise<DecodedResponse> => startAttempt(plan, call, release);
    return attempted.last = await (results ? results.track(start) : start(() => {}));
  } catch (error) {
    if (!call.signal?.aborted) attempted.last = error as ClientError; // attempts reject only with a ClientError
    throw error;
  }
}
