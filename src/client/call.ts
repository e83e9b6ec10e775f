import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { parameterNames } from "../path.ts";
import { type DecodedResponse, type DecodeResponse, discard, planResponses } from "./decode_response.ts";
import { type Call, type Input, planRequest, type RequestEncoder } from "./encode_request.ts";
import { type CalledRoute, ClientError, type Fail } from "./error.ts";
import { orThrow } from "./or_throw.ts";
import { isSuccessful, rememberRoute } from "./result.ts";
import { type CallOptions, type ClientSettings, refuseLimit } from "./settings.ts";
import { createTimeout, joinSignals, untilAborted } from "./signals.ts";
import { endUpload, unlessBroken } from "./upload.ts";

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
  readonly fail: Fail;
}

/** The function that calls a route, with its `url` and `request`. */
export function createCall(node: RouteNode, nodes: readonly RouteNode[], settings: ClientSettings): RouteCall {
  const route = Object.freeze({ key: node.key, method: node.method, path: node.path });
  const plan = {
    ...planRequest(node, nodes),
    decode: planResponses(node),
    slots: declaredSlots(node),
    isUpload: node.body?.kind === "stream",
    fail: planErrors(route),
    route,
    settings,
  };
  const call = (...given: Given): Promise<DecodedResponse> => send(plan, given);
  Object.defineProperty(call, "name", { value: node.key }); // what a console shows
  return Object.assign(call, {
    url: (input?: Input) => formatUrl(plan, input),
    request: (...given: Given) => buildRequest(plan, given),
  });
}

/** A call with everything that may end it early. It waits for nothing that is at hand: each `await` costs 100 ns or more. */
async function send(plan: CallPlan, given: Given): Promise<DecodedResponse> {
  const { call, timeout } = readCall(plan, given);
  const { decode, fail, isUpload, route, settings } = plan;
  const { signal } = call;
  const maxRecordBytes = call.options.maxRecordBytes ?? settings.maxRecordBytes;
  const explain = planExplain(plan, signal, timeout);
  let response: Response | undefined; // what came before the call failed
  try {
    signal?.throwIfAborted();
    const answer = untilAborted(signal, exchange(plan, call));
    response = isPromise(answer) ? await answer : answer;
    const decoded = untilAborted(signal, decode(response, { signal, fail, explain, maxRecordBytes }));
    const result = isPromise(decoded) ? await decoded : decoded;
    if (!isSuccessful(result)) rememberRoute(result, route);
    if (isUpload) endUpload(response, result.body);
    return result;
  } catch (cause) {
    if (isUpload) endUpload(response);
    throw explain(cause, response);
  }
}

/** What tells the caller why a call has failed, or the reading of its stream. */
function planExplain(
  { fail, route }: CallPlan,
  signal: AbortSignal | undefined,
  timeout: AbortSignal | undefined,
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

/** Sends a call, from its input to the response. */
function exchange(plan: CallPlan, call: Call): Awaitable<Response> {
  const { signal } = call;
  return whenReady(encode(plan, call), (request) => {
    signal?.throwIfAborted();
    const { fetch } = plan.settings; // as a method of another object, a browser's own throws
    const sent = fetch(request);
    const answer = plan.isUpload ? unlessBroken(request, sent) : sent;
    if (!signal) return answer;
    return whenReady(answer, (response) => {
      if (signal.aborted) discard(response);
      return response;
    });
  });
}

function encode({ toRequest, settings, fail }: CallPlan, call: Call): Awaitable<Request> {
  return orThrow(() => toRequest(settings, call), (cause) => toInvalidInput(fail, cause));
}

async function buildRequest(plan: CallPlan, given: Given): Promise<Request> {
  return await encode(plan, readCall(plan, given).call);
}

function formatUrl({ toUrl, settings, slots, fail }: CallPlan, input: Input = {}): string {
  try {
    const url = toUrl(settings.base, checkKeys(input, slots, "slot"));
    if (!isPromise(url)) return url;
    url.then(undefined, () => {}); // how it fails is told below
    throw new TypeError("a codec of its params or query is asynchronous; use request() instead of url()");
  } catch (cause) {
    throw toInvalidInput(fail, cause);
  }
}

function readCall(
  { slots, fail }: CallPlan,
  given: Given,
): { readonly call: Call; readonly timeout: AbortSignal | undefined } {
  try {
    const input = slots.length > 0 ? given[0] : undefined;
    const checked: CallOptions = checkKeys(given[slots.length > 0 ? 1 : 0], optionNames, "option");
    const limit = refuseLimit(checked.maxRecordBytes);
    if (limit !== undefined) throw new TypeError(limit);
    const timeout = createTimeout(checked.timeout);
    const signal = joinSignals(checked.signal, timeout);
    return { call: { input: checkKeys(input, slots, "slot"), options: checked, signal }, timeout };
  } catch (cause) {
    throw toInvalidInput(fail, cause);
  }
}

const optionNames = ["signal", "timeout", "headers", "init", "maxRecordBytes"] satisfies (keyof CallOptions)[];

/** The object that was given, or none; a `TypeError` where it is none or has a key that nobody reads. */
function checkKeys(given: unknown, allowed: readonly string[], what: string): object {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null) throw new TypeError(`the ${what}s are no object`);
  for (const key of Object.keys(given)) {
    if (allowed.includes(key)) continue;
    throw new TypeError(
      `${JSON.stringify(key)} is no ${what} of it${allowed.length > 0 ? ` (${what}s: ${allowed.join(", ")})` : ""}`,
    );
  }
  return given;
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

function toInvalidInput(fail: Fail, cause: unknown): Error {
  return fail("invalid-input", cause instanceof Error ? cause.message : "a function of the caller's threw", { cause });
}
