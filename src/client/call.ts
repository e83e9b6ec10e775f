import { isPromise } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { mark } from "../mark.ts";
import { type Upload } from "../representation/representation.ts";
import { untilAborted } from "../signals.ts";
import { discardBody } from "../wire/discard_body.ts";
import { callAround } from "./call_around.ts";
import { type CallPlan, explain, planCall, toInvalidInput } from "./call_plan.ts";
import { type DecodedResponse, decodeResponse } from "./decode_response.ts";
import { encodeRequest, type Outgoing, startBodyUpload } from "./encode_request.ts";
import { type CalledRoute } from "./error.ts";
import { type AnyArguments, type ReadCall, readCall, readInput, type SlotValues } from "./read_call.ts";
import { isSuccessful, rememberRoute } from "./result.ts";
import { type ClientSettings } from "./settings.ts";

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
    if (isThen) refuseAwait(plan.route, args);
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
function refuseAwait({ key }: CalledRoute, [resolve]: AnyArguments): void {
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
  return plan.settings.around.length > 0
    ? callAround(plan, call, (release) => startAttempt(plan, { ...call, release }))
    : startAttempt(plan, call);
}

/** Makes one attempt: encodes, sends and decodes. An abort or the timeout ends it at any step. */
async function startAttempt(plan: CallPlan, call: ReadCall): Promise<DecodedResponse> {
  const { responses, fail } = plan;
  const { signal, release } = call;
  let upload: Upload | undefined;
  let outgoing: Outgoing | undefined;
  let response: Response | undefined; // what the server sent before the call failed
  const explainFailure = (cause: unknown): Error => explain(plan, call, cause, response);
  try {
    upload = startBodyUpload(plan, call);
    signal?.throwIfAborted();
    outgoing = await untilAborted(signal, encodeRequest(plan, call, upload));
    response = await untilAborted(signal, exchange(plan, call, outgoing, upload));
    const reading = { ...call, request: outgoing.request, response, fail, explain: explainFailure };
    const result = await untilAborted(signal, decodeResponse(responses, reading));
    if (!isSuccessful(result)) rememberRoute(result, plan.route);
    if (responses.get(result.status)?.representation.readLater) return result; // the response may still need the upload, as an echo does
    release();
    upload?.end();
    return result;
  } catch (cause) {
    release();
    upload?.end();
    throw outgoing || signal?.aborted ? explainFailure(cause) : toInvalidInput(plan, cause);
  }
}

/** Sends a request. A response that arrives after an abort is discarded. */
async function exchange(
  { settings }: CallPlan,
  { signal }: ReadCall,
  { request, redirect }: Outgoing,
  upload: Upload | undefined,
): Promise<Response> {
  signal?.throwIfAborted();
  const sent = settings.fetch(request, redirect);
  const response = await (upload ? upload.untilAnswered(sent) : sent);
  if (signal?.aborted) discardBody(response);
  return response;
}

async function buildRequest(plan: CallPlan, args: AnyArguments): Promise<Request> {
  let upload: Upload | undefined;
  try {
    const call = readCall(plan.slots, args, false, plan.settings);
    upload = startBodyUpload(plan, call);
    return (await encodeRequest(plan, call, upload)).request;
  } catch (cause) {
    upload?.end();
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
