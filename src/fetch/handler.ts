import { type Endpoint, planRun } from "../server/endpoint.ts";
import { type RouteInfo, type SignalSource, type Slots } from "../server/call.ts";
import { type Phase, Stop, toFailure } from "../server/stop.ts";
import { answerStop, type OnError, tellOfStream } from "./answer_stop.ts";
import { endWithBody, hasBrokenOff } from "./body_stream.ts";
import { planContext, type ToContextInput } from "./context.ts";
import { type BodySettings } from "./decode_body.ts";
import { checkDecode, planDecode, type RawParams } from "./decode_request.ts";
import { planEncode } from "./encode_response.ts";
import { Refusal } from "./refusal.ts";
import { type Exchange } from "./respond.ts";
import { createRouteTable, matchRoute } from "./route_table.ts";

/** What a handler is built with. */
export interface HandlerSettings extends BodySettings {
  /** Hears of every 5xx. */
  readonly onError: OnError;
  /** What is added to the input of context factories. */
  readonly contextInput: ToContextInput | undefined;
}

/** A route with its steps, each worked out once. */
interface MountedRoute {
  readonly info: RouteInfo;
  readonly decode: Step<[request: Request, params: RawParams], Slots>;
  readonly createContext: Step<[request: Request, runtime: readonly unknown[]], object> | undefined;
  readonly run: Step<[slots: Slots, context: object, source: SignalSource], unknown>;
  readonly encode: Step<[result: unknown, exchange: Exchange], Response>;
  readonly onError: OnError;
}

/** One step of the walk: gives its value, or what stops the walk. */
type Step<Arguments extends readonly unknown[], Value> = (...given: Arguments) => Value | Stop | Promise<Value | Stop>;

/** Answers a request; what else the runtime passes is for `contextInput`. */
export type Answer = (request: Request, runtime: readonly unknown[]) => Response | Promise<Response>;

/** What answers the requests of an implementation. */
export function createAnswer(endpoints: readonly Endpoint[], settings: HandlerSettings): Answer {
  const table = createRouteTable(endpoints.map((endpoint) => {
    checkDecode(endpoint.node);
    return { node: endpoint.node, target: { endpoint, mounted: undefined } as Target };
  }));
  return (request, runtime) => {
    const { method, url } = request;
    const match = matchRoute(table, method, url);
    const isHead = method === "HEAD";
    if (match instanceof Refusal) return match.respond(isHead);
    const { target, params } = match;
    return decode({
      route: target.mounted ??= mountRoute(target.endpoint, settings),
      params,
      request,
      runtime,
      isHead,
    });
  };
}

/**
 * An endpoint, and its steps as soon as it has been asked for: to work out those of 2,048 routes at mount took 30 ms of 45, and
 * most programs are asked for few of theirs. What can be wrong with a route is therefore looked for by itself, at mount.
 */
interface Target {
  readonly endpoint: Endpoint;
  mounted: MountedRoute | undefined;
}

function mountRoute(endpoint: Endpoint, settings: HandlerSettings): MountedRoute {
  const { node, route, createContext } = endpoint;
  const { onError, contextInput } = settings;
  return {
    info: route,
    decode: planDecode(node, settings),
    createContext: createContext && planContext(route, createContext, contextInput),
    run: node.body?.representation.describes === "nothing" ? endWithBody(planRun(endpoint)) : planRun(endpoint),
    encode: planEncode(node, (error, request, response) => {
      if (!hasBrokenOff(request)) tellOfStream(onError, { error, phase: "stream", route, request, response });
    }),
    onError,
  };
}

/** The context of a server that makes none. */
const noContext: object = Object.freeze({});

/**
 * A request on its walk: decode, context, run, encode. Each step takes what the one before came to and hands over to the next;
 * none throws or rejects. No closure is made for what is at hand, and what waits waits for one promise.
 */
interface Call extends Exchange {
  readonly route: MountedRoute;
  readonly params: RawParams;
  readonly runtime: readonly unknown[];
}

type Answered = Response | Promise<Response>;

function decode(call: Call): Answered {
  try {
    const slots = call.route.decode(call.request, call.params);
    return slots instanceof Promise ? later("decode", slots, enter, call) : enter(slots, call);
  } catch (error) {
    return stop(toFailure("decode", error), call);
  }
}

function enter(slots: Slots | Stop, call: Call): Answered {
  if (slots instanceof Stop) return stop(slots, call);
  const { createContext } = call.route;
  if (!createContext) return run(noContext, slots, call);
  try {
    const context = createContext(call.request, call.runtime);
    if (!(context instanceof Promise)) return run(context, slots, call);
    return later("context", context, (context, call) => run(context, slots, call), call);
  } catch (error) {
    return stop(toFailure("context", error), call);
  }
}

function run(context: object | Stop, slots: Slots, call: Call): Answered {
  if (context instanceof Stop) return stop(context, call);
  const result = call.route.run(slots, context, call.request);
  return result instanceof Promise ? later("handler", result, encode, call) : encode(result, call);
}

function encode(result: unknown, call: Call): Answered {
  if (result instanceof Stop) return stop(result, call);
  try {
    const response = call.route.encode(result, call);
    return response instanceof Promise ? later("encode", response, send, call) : send(response, call);
  } catch (error) {
    return stop(toFailure("encode", error), call);
  }
}

function send(response: Response | Stop, call: Call): Answered {
  return response instanceof Stop ? stop(response, call) : response;
}

function later<Value>(
  phase: Phase,
  value: Promise<Value>,
  next: (value: Value, call: Call) => Answered,
  call: Call,
): Promise<Response> {
  return value.then((value) => next(value, call), (error) => stop(toFailure(phase, error), call));
}

function stop(why: Stop, { route, request }: Call): Answered {
  return answerStop(why, route.info, request, route.onError);
}
