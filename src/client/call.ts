import { type Awaitable, isPromise, whenReady, whenSettled } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseKind } from "../contract/response.ts";
import { parameterNames } from "../path.ts";
import { type DecodedResponse, type DecodeResponse, planResponses } from "./decode_response.ts";
import { type Call, chooseRedirect, type Input, planRequest, type RequestEncoder } from "./encode_request.ts";
import { type CalledRoute, ClientError, type Fail } from "./error.ts";
import { orThrow } from "./or_throw.ts";
import { discard } from "./read_whole.ts";
import { isSuccessful, rememberRoute } from "./result.ts";
import { type CallOptions, type ClientSettings, joinLimits, refuseLimits } from "./settings.ts";
import { createEnding, type Ending, untilAborted } from "./signals.ts";
import { endUpload, failUpload, unlessBroken } from "./upload.ts";

/** What a caller gave: an input where the route declares slots, then options. */
type Given = readonly unknown[];

/** Calls a route, in the form that all routes share. */
export interface RouteCall {
  (...given: Given): Promise<DecodedResponse>;
  url(input?: Input): string;
  request(...given: Given): Promise<Request>;
}

/** What follows from a route and a client alone. */
interface CallPlan extends RequestEncoder {
  readonly route: CalledRoute;
  readonly settings: ClientSettings;
  readonly slots: readonly string[];
  /** Whether a body is sent as it comes. */
  readonly isUpload: boolean;
  readonly decode: DecodeResponse;
  /** The statuses whose body a caller reads, or leaves, when the call has given its result. */
  readonly openStatuses: ReadonlySet<number>;
  /** Whether a caller may get the native response, the end of whose reading is not seen. */
  readonly mayBeRaw: boolean;
  readonly fail: Fail;
}

/** The function that calls a route, with its `url` and `request`. */
export function createCall(node: RouteNode, nodes: readonly RouteNode[], settings: ClientSettings): RouteCall {
  const route = Object.freeze({ key: node.key, method: node.method, path: node.path });
  const plan = {
    ...planRequest(node, nodes),
    decode: planResponses(node),
    openStatuses: new Set(findStatuses(node, ["stream", "ndjson", "sse", "raw"])),
    mayBeRaw: findStatuses(node, ["raw"]).length > 0,
    slots: declaredSlots(node),
    isUpload: node.body?.kind === "stream",
    fail: planErrors(route),
    route,
    settings,
  };
  const refuse = /(?:^|\.)then$/.test(node.key) ? refuseAwait : undefined;
  const call = (...given: Given): Promise<DecodedResponse> => {
    refuse?.(route, given);
    return send(plan, given);
  };
  Object.defineProperty(call, "name", { value: node.key }); // what a console shows
  return Object.assign(call, {
    url: (input?: Input) => formatUrl(plan, input),
    request: (...given: Given) => buildRequest(plan, given),
  });
}

/** Throws where `await` calls a route `then` with its callbacks, for it takes the group of the route for a promise, and rejects with that. */
function refuseAwait({ key }: CalledRoute, [resolve]: Given): void {
  if (typeof resolve !== "function") return;
  throw new TypeError(
    `Cannot await an object with the route "${key}": await takes it for a promise; await a call instead`,
  );
}

/** A call with everything that may end it early. It waits for nothing that is at hand: each `await` costs 100 ns or more. */
async function send(plan: CallPlan, given: Given): Promise<DecodedResponse> {
  const { call, ending } = readCall(plan, given, !plan.mayBeRaw);
  const { decode, fail, isUpload, openStatuses, route, settings } = plan;
  const { signal } = call;
  const { release } = ending;
  const explain = planExplain(plan, ending);
  const limits = joinLimits(call.options, settings.limits);
  let response: Response | undefined; // what came before the call failed
  try {
    signal?.throwIfAborted();
    const answer = untilAborted(signal, exchange({ plan, call }));
    response = isPromise(answer) ? await answer : answer;
    const decoded = untilAborted(signal, decode(response, { signal, fail, explain, release, ...limits }));
    const result = isPromise(decoded) ? await decoded : decoded;
    if (!isSuccessful(result)) rememberRoute(result, route);
    if (openStatuses.has(result.status)) return result; // its body is still to be read
    release();
    if (isUpload) endUpload(response);
    return result;
  } catch (cause) {
    release();
    if (isUpload) failUpload(call, cause);
    throw explain(cause, response);
  }
}

/** What tells the caller why a call has failed, or the reading of its stream. */
function planExplain(
  { fail, route }: CallPlan,
  { signal, timeout }: Ending,
): (cause: unknown, response: Response | undefined) => ClientError {
  return (cause, response) => {
    if (signal?.aborted) {
      return timeout?.aborted
        ? fail("timeout", "its time was up", { response, cause })
        : fail("aborted", "its signal aborted", { response, cause });
    }
    if (cause instanceof ClientError && cause.route === route) return cause;
    return fail("network", "no response came, or it broke off", { response, cause });
  };
}

/** A call of a route. */
interface Planned {
  readonly plan: CallPlan;
  readonly call: Call;
}

/** Sends a call, from its input to the response. */
function exchange(planned: Planned): Awaitable<Response> {
  return whenSettled(orThrow(encode, toInvalidInput, planned), sendRequest, planned);
}

function encode({ plan, call }: Planned): Request | Promise<Request> {
  return plan.toRequest(plan.settings, call);
}

function sendRequest(request: Request, { plan, call: { options, signal } }: Planned): Awaitable<Response> {
  signal?.throwIfAborted();
  const sent = plan.settings.fetch(request, chooseRedirect(plan.settings, options));
  const answer = plan.isUpload ? unlessBroken(request, sent) : sent;
  if (!signal) return answer;
  return whenReady(answer, (response) => {
    if (signal.aborted) discard(response);
    return response;
  });
}

async function buildRequest(plan: CallPlan, given: Given): Promise<Request> {
  return await orThrow(encode, toInvalidInput, { plan, call: readCall(plan, given, false).call });
}

function formatUrl(plan: CallPlan, input: Input = {}): string {
  try {
    const url = plan.toUrl(plan.settings.base, checkKeys(input, plan.slots, "slot"));
    if (!isPromise(url)) return url;
    url.then(undefined, () => {}); // how it fails is told below
    throw new TypeError("a codec of its params or query is asynchronous; use request() instead of url()");
  } catch (cause) {
    throw toInvalidInput(cause, { plan });
  }
}

/** A call as it was made, and what may end it early. */
function readCall(
  plan: CallPlan,
  given: Given,
  isEndSeen: boolean,
): { readonly call: Call; readonly ending: Ending } {
  const { slots } = plan;
  try {
    const input = slots.length > 0 ? checkKeys(given[0], slots, "slot") : nothing;
    const options: CallOptions = checkKeys(given[slots.length > 0 ? 1 : 0], optionNames, "option");
    const limit = refuseLimits(options);
    if (limit !== undefined) throw new TypeError(limit);
    const ending = createEnding(options.signal, options.timeout, isEndSeen);
    return { call: { input, options, signal: ending.signal }, ending };
  } catch (cause) {
    throw toInvalidInput(cause, { plan });
  }
}

const nothing = Object.freeze({});

const optionNames = [
  "signal",
  "timeout",
  "headers",
  "init",
  "maxBodyBytes",
  "maxRecordBytes",
] satisfies (keyof CallOptions)[];

/** The object that was given, or none; a `TypeError` where it is none or has a key that nobody reads. */
function checkKeys(given: unknown, allowed: readonly string[], what: string): object {
  if (given === undefined) return nothing;
  if (typeof given !== "object" || given === null) throw new TypeError(`the ${what}s are no object`);
  for (const key of Object.keys(given)) {
    if (allowed.includes(key)) continue;
    throw new TypeError(
      `${JSON.stringify(key)} is no ${what} of it${allowed.length > 0 ? ` (${what}s: ${allowed.join(", ")})` : ""}`,
    );
  }
  return given;
}

/** The statuses of a route whose response has a body of one of these kinds. */
function findStatuses({ method, responses }: RouteNode, kinds: readonly ResponseKind[]): number[] {
  if (method === "HEAD") return [];
  return Object.keys(responses).map(Number).filter((status) => kinds.includes(responses[status]!.kind));
}

function declaredSlots(node: RouteNode): string[] {
  return [
    ...(node.params || parameterNames(node.path).length > 0 ? ["params"] : []),
    ...(["query", "headers", "body"] as const).filter((slot) => node[slot] !== undefined),
  ];
}

/** What makes the errors of a route's calls. */
function planErrors(route: CalledRoute): Fail {
  const { key, method, path } = route;
  return (code, state, details) =>
    new ClientError(code, `Cannot call ${method} ${path} (${key}): ${state}`, {
      status: details.response?.status,
      ...details,
      route,
    });
}

function toInvalidInput(cause: unknown, { plan }: Pick<Planned, "plan">): Error {
  return plan.fail("invalid-input", cause instanceof Error ? cause.message : "a function of the caller's threw", {
    cause,
  });
}
