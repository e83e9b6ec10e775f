/** The call of a route: its functions, and the walk of one attempt. */
import { type Awaitable, ignore, isPromise, untilAborted } from "../awaitable.ts";
import type { RouteCall } from "../contract/call.ts";
import { mark } from "../mark.ts";
import { describeConfidential, routeLabel, toOneLine } from "../messages.ts";
import { holdsContent } from "../native_response.ts";
import { discardBody } from "../wire/read_bytes.ts";
import { callAround } from "./around.ts";
import { Attempt, decodeHeaders, findDeclared, receiveWhole, toUnexpected } from "./attempt.ts";
import { type AnyArguments, encoding, findRivals, readCall, toUrl } from "./encode_request.ts";
import { type CalledRoute, ClientError } from "./error.ts";
import { type CallPlan, type ReadCall, type SlotValues, toInvalidInput } from "./plan.ts";
import { calledRoute } from "./result.ts";
import type { AnyOutcome, ClientSettings } from "./settings.ts";
import { checkKeys } from "../options.ts";

/** The function that calls a route, without the types of that route. */
export interface AnyClientCall {
  (...args: AnyArguments): Promise<AnyOutcome>;
  url(input?: SlotValues): string;
  request(...args: AnyArguments): Promise<Request>;
}

/** Creates the function that calls a route, with its `url` and `request`. `calls` are those of all routes. */
export function createCall(
  declared: RouteCall,
  calls: readonly RouteCall[],
  settings: ClientSettings,
): AnyClientCall {
  const plan = planCall(declared, calls, settings);
  const isThen = /(?:^|\.)then$/.test(declared.key);
  const call = (...args: AnyArguments): Promise<AnyOutcome> => {
    if (isThen) checkNotAwaited(plan.route, args);
    return send(plan, args);
  };
  Object.defineProperties(call, {
    name: { value: declared.key }, // shown by consoles
    [mark]: { value: declared }, // read by follow()
  });
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
function send(plan: CallPlan, args: AnyArguments): Promise<AnyOutcome> {
  let call: ReadCall;
  try {
    call = readCall(plan, args, !plan.mayBeNative);
  } catch (cause) {
    return Promise.reject(toInvalidInput(plan, cause));
  }
  if (plan.settings.around.length === 0) return makeAttempt(plan, call, call.release);
  return callAround(plan, call, (release) => makeAttempt(plan, call, release));
}

/**
 * Makes one attempt, from its input to its result. An abort or the timeout ends it at any step. It calls `release` once
 * nothing of its response is left to read.
 */
async function makeAttempt(plan: CallPlan, call: ReadCall, release: () => void): Promise<AnyOutcome> {
  const attempt = new Attempt(plan, call, release);
  const { signal } = call;
  let sent: Awaitable<Response> | undefined;
  try {
    for (const step of encoding) { // the first closes the stream of a call that was aborted before
      const pending = step(attempt);
      if (pending) await untilAborted(signal, pending);
      signal?.throwIfAborted();
    }
    sent = exchange(attempt);
    const response = attempt.response = await (signal ? untilAborted(signal, sent) : sent);
    attempt.isHere = holdsContent(Object(response)); // before its headers are read
    if (Object(response).status === undefined || !response.headers?.get) { // a stand-in may have an object as headers
      throw plan.fail("network", `"fetch" must return a Response, got ${describeConfidential(response)}`);
    }
    signal?.throwIfAborted();
    const declared = findDeclared(attempt);
    if (!declared) throw await toUnexpected(attempt);
    attempt.declared = declared;
    const headers = declared.fields ? await decodeHeaders(attempt, declared.fields) : response.headers;
    const { receive = receiveWhole } = declared.representation;
    const body = await receive(attempt); // always consumed or cancelled, unless it is read later
    signal?.throwIfAborted();
    const result = { status: response.status, body, headers, response };
    if (!response.ok) Object.defineProperty(result, calledRoute, { value: plan.route });
    if (declared.representation.readLater) return result; // the response may still need the upload, as an echo does
    release();
    attempt.upload?.end();
    return result;
  } catch (cause) {
    release();
    attempt.upload?.end();
    if (signal?.aborted && sent) Promise.resolve(sent).then(discardBody).catch(ignore); // also one that arrives late
    throw attempt.request || signal?.aborted ? attempt.explain(cause) : toInvalidInput(plan, cause);
  }
}

/** Sends the request. */
function exchange({ plan: { settings: { fetch } }, request, init, upload }: Attempt): Awaitable<Response> {
  const sent = init ? fetch(request, init) : fetch(request);
  return upload ? upload.untilAnswered(sent) : sent;
}

async function buildRequest(plan: CallPlan, args: AnyArguments): Promise<Request> {
  let attempt: Attempt | undefined;
  try {
    const call = readCall(plan, args, false);
    attempt = new Attempt(plan, call, call.release);
    for (const step of encoding) {
      await untilAborted(call.signal, step(attempt));
      call.signal?.throwIfAborted();
    }
    return attempt.request;
  } catch (cause) {
    attempt?.upload?.end();
    throw toInvalidInput(plan, cause);
  }
}

function formatUrl(plan: CallPlan, input: SlotValues = {}): string {
  try {
    const url = toUrl(plan, checkKeys(input, plan.declared.slots, "slot", ""));
    if (!isPromise(url)) return url;
    Promise.resolve(url).catch(ignore); // the error below replaces its rejection
    throw new TypeError("a codec of its params or query is asynchronous; call request() instead of url()");
  } catch (cause) {
    throw toInvalidInput(plan, cause);
  }
}

/** Plans the calls of a route. `calls` are those of all routes. */
function planCall(declared: RouteCall, calls: readonly RouteCall[], settings: ClientSettings): CallPlan {
  const { key, method, path, segments, responses, security } = declared;
  const route = Object.freeze({ key, method, path });
  const received = [...responses.values()].map(({ representation }) => representation);
  const [place] = security.flat().flatMap(({ scheme }) => scheme.credential ?? []);
  let rivals: readonly RouteCall[] | undefined; // most clients call few of a contract's routes
  return {
    declared,
    route,
    settings,
    segments: segments.map((segment) => "literal" in segment ? encodeURI(segment.literal) : segment),
    rivals: () => rivals ??= findRivals(declared, calls),
    showCredential: place?.plan(security, settings.credentials),
    readLater: received.find(({ readLater }) => readLater)?.readLater,
    mayBeNative: received.some(({ isNative }) => isNative),
    fail: (code, state, details) =>
      new ClientError(code, `Cannot call ${routeLabel(route)}: ${toOneLine(state)}`, {
        status: details?.response?.status,
        ...details,
        route,
      }),
  };
}
