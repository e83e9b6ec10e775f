import { attempt, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type RouteInfo, type ServerCall } from "../server/call.ts";
import { type Endpoint, planRun, recoverResult } from "../server/endpoint.ts";
import { type Implementation } from "../server/implementation.ts";
import { type AnswerCall } from "../server/middleware.ts";
import { type PlacedRefuse } from "../server/refuse.ts";
import { type Outcome, Stop, toFailure } from "../server/stop.ts";
import { type Admission, type AdmittedRequest, planAdmission, planSecuredPipeline } from "./admission.ts";
import { answerStop, type StopSettings } from "./answer_stop.ts";
import { EarlyResult } from "./early_result.ts";
import { type DecodedRequest, hasBodyFailed, preferBodyStop } from "./body_stream.ts";
import { type CreateContext, planContext, planRuntime, type ToContextInput } from "./context.ts";
import { type CorsOptions } from "./check_cors.ts";
import { type CorsTarget, planCors } from "./cors.ts";
import { type BodySettings } from "./decode_body.ts";
import { type AddDeprecation, planDeprecation } from "./deprecation.ts";
import { checkDecode, type DecodeRequest, planDecode, type RawParams } from "./decode_request.ts";
import { type EncodeResponse, planEncode } from "./encode_response.ts";

import { type OnError, reportOnly } from "./on_error.ts";
import { type AllowsOrigin } from "./origins.ts";
import { type AnsweredRequest, type ReportFailure } from "./plan_result.ts";
import { Refusal } from "./refusal.ts";
import { createRouteTable, listMethods, matchRoute, type RouteTable } from "./route_table.ts";
import { planShapedRefusal } from "./shape_refusal.ts";
import { planPipeline } from "./pipeline.ts";

/** The settings of a handler. */
export interface HandlerSettings extends BodySettings {
  /** The option `cors`. */
  readonly cors: CorsOptions | undefined;
  /** Whether the option `cors` allows an origin. */
  readonly allowsOrigin: AllowsOrigin;
  /** Receives every 5xx. */
  readonly onError: OnError;
  /** Adds to the input of context factories. */
  readonly contextInput: ToContextInput | undefined;
}

/** Answers a request. The runtime's further arguments are for `contextInput`. */
export type AnswerRequest = (request: Request, runtime: readonly unknown[]) => Response | Promise<Response>;

/** Plans how to answer the requests to an implementation: the steps of every request. */
export function createAnswer({ endpoints, refuse }: Implementation<never>, settings: HandlerSettings): AnswerRequest {
  const table = createRouteTable(endpoints.map(toEntry));
  const answerMatched = planPipeline([
    { phase: "decode", take: decode },
    { phase: "context", take: createContext },
    { phase: "handler", take: run },
    { phase: "encode", take: encode },
  ], stop);
  const answerAdmitted = planSecuredPipeline(answerMatched, stop);
  const outside = planOutside(refuse, settings);
  const answer: AnswerRequest = (request, runtime) => {
    const { method, url } = request;
    const isHead = method === "HEAD";
    const match = matchRoute(table, method, url);
    if (match instanceof Refusal) return answerStop(match, { request, isHead, isPrivate: false }, outside);
    const { target, params } = match;
    const route = target.mounted ??= planRoute(target.endpoint, settings);
    const matched = { route, request, runtime, isHead, isPrivate: false, caller: undefined, added: undefined };
    const answered = route.admission ? answerAdmitted(params, matched) : answerMatched(params, matched);
    return route.addDeprecation ? whenReady(answered, route.addDeprecation) : answered;
  };
  return settings.cors
    ? planCors(settings.cors, { answer, nodes: endpoints.map(({ node }) => node), ...toCorsTarget(table, settings) })
    : answer;
}

function toCorsTarget(
  table: RouteTable<Target>,
  { allowsOrigin, onError }: HandlerSettings,
): Omit<CorsTarget<never>, "answer" | "nodes"> {
  return {
    allowsOrigin,
    listMethods: (url) => listMethods(table, url),
    findRoute(method, url): RouteNode | undefined {
      const match = matchRoute(table, method, url);
      return match instanceof Refusal ? undefined : match.target.endpoint.node;
    },
    report: (error, request, response) => reportOnly(onError, { error, phase: "cors", request, response }),
  };
}

/** A request whose route was found. */
interface MatchedRequest extends AdmittedRequest {
  readonly route: MountedRoute;
  readonly isHead: boolean;
}

function decode(params: RawParams, { route, request }: MatchedRequest): Outcome<DecodedRequest> {
  return route.decode(request, params);
}

/** A call of a route's handler. */
interface HandlerCall extends ServerCall, AnsweredRequest {
  readonly route: MountedRoute;
  readonly request: Request;
}

function createContext(slots: DecodedRequest, matched: MatchedRequest): Outcome<HandlerCall> {
  const { route, request, isHead, caller } = matched;
  const call = { route, request, isHead, slots, context: noContext, caller, bodyStop: slots.bodyStop };
  return route.createContext ? whenReady(route.createContext(matched), withContext, call) : call;
}

function withContext(context: object | Stop, call: HandlerCall): HandlerCall | Stop {
  return context instanceof Stop ? context : { ...call, context };
}

/** The context of a server without a `context` option. */
const noContext: object = Object.freeze({});

/** The result of a handler, with the exchange that it answers. */
interface Handled {
  readonly result: unknown;
  readonly call: HandlerCall;
}

function run(call: HandlerCall): Outcome<Handled> {
  return attempt(callHandler, recoverHandled, toHandled, call);
}

function callHandler(call: HandlerCall): unknown {
  return call.route.run(call);
}

function toHandled(result: unknown, call: HandlerCall): Handled {
  return { result, call };
}

function recoverHandled(thrown: unknown, call: HandlerCall): Handled | Stop {
  const end = recoverResult(thrown);
  return end instanceof Stop ? preferBodyStop(end, call) : { result: end, call };
}

function encode({ result, call }: Handled): Outcome<Response> {
  return call.route.encode(result, call);
}

function stop(stop: Stop, matched: MatchedRequest): Response | Promise<Response> {
  const { route } = matched;
  if (!(stop instanceof EarlyResult)) return answerStop(stop, matched, route);
  const fail = (error: unknown): Response | Promise<Response> => answerStop(toFailure("encode", error), matched, route);
  return attempt(() => route.encode(stop.result, matched), fail);
}

/** A route, with its planned steps. */
interface MountedRoute extends StopSettings {
  readonly info: RouteInfo;
  /** The steps of security and guards. `undefined` for a route without them. */
  readonly admission: Admission | undefined;
  readonly decode: DecodeRequest;
  readonly createContext: CreateContext | undefined;
  readonly run: AnswerCall;
  readonly encode: EncodeResponse;
  /** Adds the deprecation headers to a response. `undefined` if no date is declared. */
  readonly addDeprecation: AddDeprecation | undefined;
}

/**
 * An endpoint, and after its first request its planned route. Planning 2,048 routes at mount took 30 ms of 45, and most
 * programs receive requests for few of their routes. {@linkcode checkDecode} therefore looks for mistakes at mount.
 */
interface Target {
  readonly endpoint: Endpoint;
  mounted: MountedRoute | undefined;
}

function toEntry(endpoint: Endpoint): { readonly node: RouteNode; readonly target: Target } {
  checkDecode(endpoint.node);
  return { node: endpoint.node, target: { endpoint, mounted: undefined } };
}

function planRoute(endpoint: Endpoint, settings: HandlerSettings): MountedRoute {
  const { node, route, createContext, refuse } = endpoint;
  const readRuntime = planRuntime(settings.contextInput);
  const { onError } = settings;
  const encode = planEncode(route, node.responses, toReportStream(route, onError));
  return {
    info: route,
    admission: planAdmission(endpoint, readRuntime, settings.allowsOrigin),
    decode: planDecode(node, settings),
    createContext: createContext && planContext(route, createContext, readRuntime),
    run: planRun(endpoint),
    encode,
    shape: refuse && planShapedRefusal(refuse, { route, encode, onError }),
    addDeprecation: planDeprecation(node),
    onError,
  };
}

/** Plans how to answer requests without a route. */
function planOutside(refuse: PlacedRefuse | undefined, { onError }: HandlerSettings): StopSettings {
  const route = undefined;
  const shape = refuse &&
    planShapedRefusal(refuse, {
      route,
      encode: planEncode(route, refuse.shared, toReportStream(route, onError)),
      onError,
    });
  return { info: route, shape, onError };
}

/** Reports a stream that failed, unless the client has disconnected. */
function toReportStream(route: RouteInfo | undefined, onError: OnError): ReportFailure {
  return (error, exchange, response) => {
    if (hasBodyFailed(exchange)) return;
    reportOnly(onError, { error, phase: "stream", ...(route && { route }), request: exchange.request, response });
  };
}
