import { isPromise } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { declaredSlots } from "../contract/slots.ts";
import { isInstance } from "../is_instance.ts";
import { type RequestRepresentation, type Upload } from "../representation/representation.ts";
import { routeLabel } from "../route_label.ts";
import { isMarked, mark } from "../mark.ts";
import { type Ending, untilAborted } from "../signals.ts";
import { discardBody } from "../wire/discard_body.ts";
import { type AroundCall, type AroundCalls, callAround } from "./around.ts";
import { type DecodedResponse, decodeResponse, planResponses, type ResponsePlans } from "./decode_response.ts";
import {
  type Call,
  encodeRequest,
  type Outgoing,
  planRequest,
  type RequestPlan,
  type SlotValues,
} from "./encode_request.ts";
import { type CalledRoute, ClientError, type Fail } from "./error.ts";
import { type Given, type ReadCall, readCall, readInput } from "./read_call.ts";
import { isSuccessful, rememberRoute } from "./result.ts";
import { type ClientSettings } from "./settings.ts";

/** Calls a route, in the form that all routes share. */
export interface RouteCall {
  (...given: Given): Promise<DecodedResponse>;
  url(input?: SlotValues): string;
  request(...given: Given): Promise<Request>;
}

/** What follows from a route and a client alone. */
interface CallPlan {
  readonly route: CalledRoute;
  readonly settings: ClientSettings;
  readonly slots: readonly string[];
  readonly request: RequestPlan;
  readonly responses: ResponsePlans;
  /** Whether a caller may get the native response, the end of whose reading is not seen. */
  readonly mayBeNative: boolean;
  readonly fail: Fail;
}

/** The function that calls a route, with its `url` and `request`. */
export function createCall(node: RouteNode, nodes: readonly RouteNode[], settings: ClientSettings): RouteCall {
  const route = Object.freeze({ key: node.key, method: node.method, path: node.path });
  const responses = planResponses(node);
  const plan: CallPlan = {
    route,
    settings,
    slots: declaredSlots(node),
    request: planRequest(node, nodes, settings),
    responses,
    mayBeNative: [...responses.values()].some(({ representation }) => representation.isNative),
    fail: planErrors(route),
  };
  const refuse = /(?:^|\.)then$/.test(node.key) ? refuseAwait : undefined;
  const call = (...given: Given): Promise<DecodedResponse> => {
    refuse?.(route, given);
    return send(plan, given);
  };
  Object.defineProperty(call, "name", { value: node.key }); // what a console shows
  Object.defineProperty(call, mark, { value: node }); // what follow() asks for
  return Object.assign(call, {
    url: (input?: SlotValues) => formatUrl(plan, input),
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

/** A call: one attempt, or what the functions around it make of several. */
function send(plan: CallPlan, given: Given): Promise<DecodedResponse> {
  const { around } = plan.settings;
  let call: ReadCall;
  try {
    call = parseCall(plan, given, !plan.mayBeNative);
  } catch (error) {
    return Promise.reject(error);
  }
  return around ? sendAround(plan, call, around) : startAttempt(plan, call, call.ending.release);
}

/** A call whose attempts pass through functions of the caller's. */
async function sendAround(plan: CallPlan, call: ReadCall, around: AroundCalls): Promise<DecodedResponse> {
  const { ending, input } = call;
  const isUpload = planUpload(plan, input) !== undefined && input.body !== undefined;
  return await callAround(around, {
    call: describeCall(plan, call, !isUpload),
    leave: isUpload ? () => startCallUpload(plan, call)?.end() : undefined,
    attempt: (release) => startAttempt(plan, call, release),
    isDeclared: (status) => plan.responses.has(status),
    explain: planExplain(plan, ending),
    fail: plan.fail,
    release: ending.release,
  });
}

/** What functions around a call know of it. One that `follow()` makes is for nobody else to repeat. */
function describeCall(
  { route, request }: CallPlan,
  { input, options, signal }: ReadCall,
  isWhole: boolean,
): AroundCall {
  const isFollowed = isMarked(options, "follow");
  const headers = input.headers as { readonly "idempotency-key"?: unknown } | undefined;
  const isIdempotent = idempotentMethods.includes(request.node.method) || headers?.["idempotency-key"] !== undefined;
  return { route, signal, idempotent: isIdempotent && !isFollowed, replayable: isWhole && !isFollowed };
}

/** The methods whose request, sent twice, has the effect of one (RFC 9110, section 9.2.2; RFC 10008 for QUERY). */
const idempotentMethods: readonly string[] = ["GET", "HEAD", "OPTIONS", "QUERY", "PUT", "DELETE"];

/** One attempt: encode, send, decode. An abort or the timeout ends it at any step. */
async function startAttempt(plan: CallPlan, call: ReadCall, release: () => void): Promise<DecodedResponse> {
  const { settings, responses, fail } = plan;
  const { signal, options, ending } = call;
  const explain = planExplain(plan, ending);
  let upload: Upload | undefined;
  let response: Response | undefined; // what came before the call failed
  try {
    upload = startCallUpload(plan, call);
    signal?.throwIfAborted();
    const outgoing = await untilAborted(signal, encodeCall(plan, { ...call, upload }));
    response = await untilAborted(signal, exchange(settings, outgoing, { signal, upload }));
    const { request } = outgoing;
    const { silence, maxBodyBytes = settings.maxBodyBytes, maxRecordBytes = settings.maxRecordBytes } = options;
    const reading = { request, signal, silence, fail, explain, release, maxBodyBytes, maxRecordBytes };
    const result = await untilAborted(signal, decodeResponse(responses, response, reading));
    if (!isSuccessful(result)) rememberRoute(result, plan.route);
    if (responses.get(result.status)?.representation.isReadLater) return result; // an echo still needs its upload
    release();
    upload?.end();
    return result;
  } catch (cause) {
    release();
    upload?.end();
    throw explain(cause, response);
  }
}

/** What starts the upload of a call's body, if that is sent as it comes. */
function planUpload({ request: { node } }: CallPlan, { body }: SlotValues): RequestRepresentation["startUpload"] {
  const isWhole = isInstance(body, Blob) || (node.body?.optional && body === undefined);
  return isWhole ? undefined : node.body?.representation.startUpload;
}

/** Starts the upload of a call whose body is sent as it comes. */
function startCallUpload(plan: CallPlan, { input, signal }: Omit<Call, "upload">): Upload | undefined {
  try {
    return planUpload(plan, input)?.(input.body, signal);
  } catch (cause) {
    throw toInvalidInput(plan, cause);
  }
}

/** Sends a request. A response that comes after an abort is discarded. */
async function exchange(
  settings: ClientSettings,
  { request, redirect }: Outgoing,
  { signal, upload }: Pick<Call, "signal" | "upload">,
): Promise<Response> {
  signal?.throwIfAborted();
  const sent = settings.fetch(request, redirect);
  const response = await (upload ? upload.untilAnswered(sent) : sent);
  if (signal?.aborted) discardBody(response);
  return response;
}

async function encodeCall(plan: CallPlan, call: Call): Promise<Outgoing> {
  try {
    return await encodeRequest(plan.request, plan.settings, call);
  } catch (cause) {
    throw toInvalidInput(plan, cause);
  }
}

function parseCall(plan: CallPlan, given: Given, isEndSeen: boolean): ReadCall {
  try {
    return readCall(plan.slots, given, isEndSeen);
  } catch (cause) {
    throw toInvalidInput(plan, cause);
  }
}

async function buildRequest(plan: CallPlan, given: Given): Promise<Request> {
  const { ending: _, ...call } = parseCall(plan, given, false);
  const upload = startCallUpload(plan, call);
  try {
    return (await encodeCall(plan, { ...call, upload })).request;
  } catch (cause) {
    upload?.end();
    throw cause;
  }
}

function formatUrl(plan: CallPlan, input: SlotValues = {}): string {
  try {
    const url = plan.request.toUrl(plan.settings.base, readInput(plan.slots, input));
    if (!isPromise(url)) return url;
    Promise.resolve(url).then(undefined, () => {}); // how it fails is told below
    throw new TypeError("a codec of its params or query is asynchronous; use request() instead of url()");
  } catch (cause) {
    throw toInvalidInput(plan, cause);
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
    if (isInstance(cause, ClientError) && cause.route === route) return cause;
    return fail("network", "no response came, or it broke off", { response, cause });
  };
}

/** What makes the errors of a route's calls. */
function planErrors(route: CalledRoute): Fail {
  const where = routeLabel(route);
  return (code, state, details) =>
    new ClientError(code, `Cannot call ${where}: ${state}`, {
      status: details.response?.status,
      ...details,
      route,
    });
}

function toInvalidInput({ fail }: CallPlan, cause: unknown): Error {
  return fail("invalid-input", isInstance(cause, Error) ? cause.message : "a function of the caller's threw", {
    cause,
  });
}
