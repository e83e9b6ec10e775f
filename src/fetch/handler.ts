import { type Awaitable, isPromise } from "../awaitable.ts";
import { type Endpoint, toRouteInfo, toRun } from "../server/endpoint.ts";
import { type RouteInfo, type SignalSource, type Slots } from "../server/handler.ts";
import { Failure, guard, type Phase, proceed, Stop } from "../server/stop.ts";
import { planContext, type ToContextInput } from "./context.ts";
import { planDecode, type RawParams } from "./decode_request.ts";
import { planEncode } from "./encode_response.ts";
import { Refusal, refuse, respondDisconnected, respondRefused } from "./refusal.ts";
import { respond, respondToHead, toRespond } from "./respond.ts";
import { createRouteTable, matchRoute } from "./route_table.ts";
import { pathnameOf } from "./url.ts";

/** What an {@linkcode OnError} hook is told. */
export interface ErrorReport {
  /** What was thrown, or an error that says what is wrong with a result. */
  readonly error: unknown;
  /** What was being done. */
  readonly phase: Phase;
  /** The route, where one was matched. */
  readonly route?: RouteInfo;
  /** The request. */
  readonly request: Request;
  /** The response that is about to be sent. */
  readonly response: Response;
}

/** Hears of every 5xx that the adapter produced, once each; a response that it gives is sent instead. */
export type OnError = (report: ErrorReport) => Awaitable<Response | undefined | void>;

/** What a handler is built with. */
export interface HandlerSettings {
  /** The most bytes that a body may have; `Infinity` for no limit. */
  readonly maxBodyBytes: number;
  /** Hears of every 5xx. */
  readonly onError: OnError;
  /** What is added to the input of context factories. */
  readonly contextInput: ToContextInput | undefined;
}

/** A route with its steps, each worked out at mount. */
interface MountedRoute {
  readonly info: RouteInfo;
  readonly decode: Step<[request: Request, params: RawParams], Slots>;
  readonly createContext: Step<[request: Request, runtime: readonly unknown[]], object>;
  readonly run: Step<[slots: Slots, context: object, source: SignalSource], unknown>;
  readonly encode: Step<[result: unknown], Response>;
  readonly encodeToHead: Step<[result: unknown], Response>;
}

/** One step of the walk: gives its value, or what stops the walk. */
type Step<Arguments extends readonly unknown[], Value> = (...given: Arguments) => Value | Stop | Promise<Value | Stop>;

/** Answers a request; what else the runtime passes is for `contextInput`. */
export type Answer = (request: Request, runtime: readonly unknown[]) => Response | Promise<Response>;

/** What answers the requests of an implementation. */
export function createAnswer(endpoints: readonly Endpoint[], settings: HandlerSettings): Answer {
  const table = createRouteTable(
    endpoints.map((endpoint) => ({ node: endpoint.node, target: mountRoute(endpoint, settings) })),
  );
  return (request, runtime) => {
    const match = matchRoute(table, request.method, pathnameOf(request.url));
    if (match instanceof Refusal) return respondRefused(match, toRespond(request.method));
    const { target, params } = match;
    const end = walk(target, params, request, runtime);
    if (end instanceof Promise) {
      return end.then((settled) => settled instanceof Stop ? answerStop(settled, target, request, settings) : settled);
    }
    return end instanceof Stop ? answerStop(end, target, request, settings) : end;
  };
}

function mountRoute(endpoint: Endpoint, { maxBodyBytes, contextInput }: HandlerSettings): MountedRoute {
  const { node } = endpoint;
  return {
    info: toRouteInfo(node),
    decode: guard("decode", planDecode(node, maxBodyBytes)),
    createContext: guard("context", planContext(endpoint, contextInput)),
    run: guard("handler", toRun(endpoint)),
    encode: guard("encode", planEncode(node, respond)),
    encodeToHead: guard("encode", planEncode(node, respondToHead)),
  };
}

/** The walk of one request, from its route to its response or to what stops it. */
function walk(
  route: MountedRoute,
  params: RawParams,
  request: Request,
  runtime: readonly unknown[],
): Response | Stop | Promise<Response | Stop> {
  const encode = request.method === "HEAD" ? route.encodeToHead : route.encode;
  return proceed(
    route.decode(request, params),
    (slots) =>
      proceed(route.createContext(request, runtime), (context) => proceed(route.run(slots, context, request), encode)),
  );
}

/** The response to a request whose walk was stopped. */
function answerStop(
  stop: Stop,
  { info }: MountedRoute,
  request: Request,
  { onError }: HandlerSettings,
): Response | Promise<Response> {
  const respond = toRespond(request.method);
  if (stop instanceof Refusal) return respondRefused(stop, respond);
  if (!(stop instanceof Failure) || (stop.waited && request.signal.aborted)) return respondDisconnected();
  const response = respondRefused(refuse("internal-error"), respond);
  const { error, phase } = stop;
  return report(onError, { error, phase, route: info, request, response });
}

/** Tells the hook of a failure; what goes wrong in the hook changes nothing. */
function report(onError: OnError, told: ErrorReport): Response | Promise<Response> {
  const choose = (replacement: unknown): Response => replacement instanceof Response ? replacement : told.response;
  try {
    const replacement = onError(told);
    return isPromise(replacement)
      ? Promise.resolve(replacement).then(choose, () => told.response)
      : choose(replacement);
  } catch {
    return told.response;
  }
}
