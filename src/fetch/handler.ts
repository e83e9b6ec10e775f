import { type Endpoint, planRun } from "../server/endpoint.ts";
import { type RouteInfo, type SignalSource, type Slots } from "../server/call.ts";
import { guard, proceed, Stop } from "../server/stop.ts";
import { answerStop, type OnError } from "./answer_stop.ts";
import { planContext, type ToContextInput } from "./context.ts";
import { planDecode, type RawParams } from "./decode_request.ts";
import { planEncode } from "./encode_response.ts";
import { Refusal, respondRefused } from "./refusal.ts";
import { type Respond, toRespond } from "./respond.ts";
import { createRouteTable, matchRoute } from "./route_table.ts";
import { pathnameOf } from "./url.ts";

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
  readonly createContext: Step<[request: Request, runtime: readonly unknown[]], object> | undefined;
  readonly run: Step<[slots: Slots, context: object, source: SignalSource], unknown>;
  readonly encode: Step<[result: unknown, respond: Respond], Response>;
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
    const finish = (end: Response | Stop): Response | Promise<Response> =>
      end instanceof Stop ? answerStop(end, target.info, request, settings.onError) : end;
    const end = walk(target, params, request, runtime);
    return end instanceof Promise ? end.then(finish) : finish(end);
  };
}

function mountRoute(endpoint: Endpoint, { maxBodyBytes, contextInput }: HandlerSettings): MountedRoute {
  const { node, route, createContext } = endpoint;
  return {
    info: route,
    decode: guard("decode", planDecode(node, maxBodyBytes)),
    createContext: createContext && guard("context", planContext(route, createContext, contextInput)),
    run: planRun(endpoint),
    encode: guard("encode", planEncode(node)),
  };
}

/** The context of a server that makes none. */
const noContext: object = Object.freeze({});

/** The walk of one request, from its route to its response or to what stops it. */
function walk(
  route: MountedRoute,
  params: RawParams,
  request: Request,
  runtime: readonly unknown[],
): Response | Stop | Promise<Response | Stop> {
  const respond = toRespond(request.method);
  return proceed(
    route.decode(request, params),
    (slots) =>
      proceed(
        route.createContext ? route.createContext(request, runtime) : noContext,
        (context) => proceed(route.run(slots, context, request), (result) => route.encode(result, respond)),
      ),
  );
}
