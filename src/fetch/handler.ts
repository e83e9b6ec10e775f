import { attempt, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type RouteInfo, type ServerCall } from "../server/call.ts";
import { type Endpoint, planRun, recoverResult } from "../server/endpoint.ts";
import { type Implementation } from "../server/implementation.ts";
import { type AnswerCall } from "../server/middleware.ts";
import { type PlacedRefuse } from "../server/refuse.ts";
import { type ErrorPhase, type Outcome, Stop, toFailure } from "../server/result.ts";
import { answerStop, type OnError, planShapedRefusal, reportOnly, type StopSettings } from "./answer_stop.ts";
import {
  type AddSecurityFields,
  anonymous,
  type Authenticate,
  type Authenticated,
  planAuthenticate,
  planSecurityFields,
} from "./security.ts";
import { type DecodedRequest, hasBodyFailed, preferBodyStop } from "./body_stream.ts";
import { type AllowsOrigin, type CorsOptions, type CorsTarget, planCors } from "./cors.ts";
import {
  type ContextSource,
  type CreateContext,
  planContext,
  planRuntime,
  type ReadRuntime,
  type ToContextInput,
} from "./context.ts";
import { type BodySettings } from "./decode_body.ts";
import { checkDecode, type DecodeRequest, planDecode, type RawParams } from "./decode_request.ts";
import { EarlyResult, Refusal } from "./refusal.ts";
import { editHeaders } from "./response.ts";
import { type EncodeResponse, planEncode } from "./encode_response.ts";
import { planGuards, type RunGuards } from "./guard.ts";
import { type AnsweredRequest, type ReportFailure } from "./encode_result.ts";
import { createRouteTable, listMethods, matchRoute, type RouteTable } from "./route_table.ts";

/** The settings of a handler. */
interface HandlerSettings extends BodySettings {
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

/** The steps of one route. */
interface Admission {
  readonly readRuntime: ReadRuntime;
  /** `undefined` on a public route. */
  readonly authenticate: Authenticate | undefined;
  readonly runGuards: RunGuards;
  readonly addFields: AddSecurityFields | undefined;
}

/** Plans the steps of a route. `undefined` for a route without security and guards. */
function planAdmission(
  endpoint: Endpoint,
  readRuntime: ReadRuntime,
  allowsOrigin: AllowsOrigin,
): Admission | undefined {
  const { node: { security = [] }, route, guards } = endpoint;
  const isSecured = security.length > 0;
  if (!isSecured && guards.length === 0) return undefined;
  return {
    readRuntime,
    authenticate: isSecured ? planAuthenticate(endpoint, allowsOrigin) : undefined,
    runGuards: planGuards(guards, route),
    addFields: isSecured ? planSecurityFields(security) : undefined,
  };
}

/** A matched request, with what these steps add to it. */
interface AdmittedRequest extends ContextSource {
  readonly route: { readonly admission: Admission | undefined };
  /** Whether the response may depend on the caller. */
  readonly isPrivate: boolean;
}

/** Answers a request whose parameters have been decoded. */
type RunPipeline<Matched> = (params: RawParams, matched: Matched) => Response | Promise<Response>;

/**
 * Plans the steps of a route with security or guards, followed by those of `run`. `stop` answers a request that a step
 * ends early.
 */
function planSecuredPipeline<Matched extends AdmittedRequest>(
  run: RunPipeline<Matched>,
  stop: (stop: Stop, matched: Matched) => Response | Promise<Response>,
): RunPipeline<Matched> {
  return planPipeline([
    { phase: "context", take: readRuntime },
    { phase: "security", take: authenticate },
    { phase: "guard", take: guard },
    {
      phase: "decode",
      take: ({ params, caller, added }: Admitted, matched: Matched) => {
        const admitted = { ...matched, caller, added, isPrivate: caller !== undefined };
        return finish(run(params, admitted), admitted);
      },
    },
  ], (end, matched) => {
    const isSecured = matched.route.admission!.addFields !== undefined;
    const stopped = { ...matched, isPrivate: isSecured && !(end instanceof EarlyResult && end.isAnonymous) };
    return finish(stop(end, stopped), stopped);
  });
}

/** A request before authentication. */
interface Arrival {
  readonly params: RawParams;
  /** The return value of `contextInput`. */
  readonly added: object;
}

/** A request that has passed all steps. */
interface Admitted extends Arrival, Authenticated {}

function readRuntime(params: RawParams, matched: AdmittedRequest): Outcome<Arrival> {
  return whenReady(
    matched.route.admission!.readRuntime(matched),
    (added) => added instanceof Stop ? added : { params, added },
  );
}

function authenticate(arrival: Arrival, { route, request }: AdmittedRequest): Outcome<Admitted> {
  const authenticated = route.admission!.authenticate?.(request, arrival.added) ?? anonymous;
  return whenReady(authenticated, (each) => each instanceof Stop ? each : { ...arrival, caller: each.caller });
}

function guard(admitted: Admitted, { route, request }: AdmittedRequest): Outcome<Admitted> {
  const stop = route.admission!.runGuards({ request, caller: admitted.caller, added: admitted.added });
  return whenReady(stop, (stop) => stop ?? admitted);
}

/** Adds the headers that follow from security. */
function finish(
  answer: Response | Promise<Response>,
  { route, isPrivate }: AdmittedRequest,
): Response | Promise<Response> {
  const { addFields } = route.admission!;
  return addFields ? whenReady(answer, (answer) => addFields(answer, isPrivate)) : answer;
}

/** One step of processing a request. */
export interface PipelineStep<Value, Next, Argument> {
  /** The phase of the error if the step throws or rejects. */
  readonly phase: ErrorPhase;
  /** Takes the value of the previous step, and the argument that all steps share. */
  readonly take: (value: Value, argument: Argument) => Outcome<Next>;
}

/** Four steps, each of which takes the value of the previous one. */
type PipelineSteps<First, Second, Third, Fourth, End, Argument> = readonly [
  PipelineStep<First, Second, Argument>,
  PipelineStep<Second, Third, Argument>,
  PipelineStep<Third, Fourth, Argument>,
  PipelineStep<Fourth, End, Argument>,
];

/**
 * Plans a sequence of steps. Each runs as soon as the value of the previous one is available. A {@linkcode Stop} ends
 * the sequence, and `stop` then returns its value. The sequence never throws or rejects. It is a loop, because nested
 * calls of {@linkcode whenReady} took 50 % longer for a text in memory.
 */
export function planPipeline<First, Second, Third, Fourth, End, Argument>(
  steps: PipelineSteps<First, Second, Third, Fourth, End, Argument>,
  stop: (stop: Stop, argument: Argument) => End | Promise<End>,
): (first: First, argument: Argument) => End | Promise<End> {
  const run = (from: number, first: unknown, argument: Argument): unknown => {
    let value = first;
    for (let at = from; at < steps.length; at++) {
      const step = steps[at] as PipelineStep<unknown, unknown, Argument>; // it takes the value of the previous step
      try {
        value = step.take(value, argument);
      } catch (error) {
        value = toFailure(step.phase, error);
      }
      if (value instanceof Promise) return runLater(at, value, argument);
      if (value instanceof Stop) return stop(value, argument);
    }
    return value;
  };
  const runLater = (at: number, value: Promise<unknown>, argument: Argument): Promise<unknown> =>
    value.then(
      (value) => value instanceof Stop ? stop(value, argument) : run(at + 1, value, argument),
      (error) => stop(toFailure(steps[at]!.phase, error), argument),
    );
  return (first, argument) => run(0, first, argument) as End | Promise<End>; // the value of the last step or of `stop`
}

/** Adds the headers of a deprecated route to a response. */
type AddDeprecation = (response: Response) => Response;

/**
 * Plans the headers `deprecation` (RFC 9745), `sunset` (RFC 8594) and `link`. `undefined` for a route without dates.
 */
function planDeprecation({ deprecated }: RouteNode): AddDeprecation | undefined {
  if (typeof deprecated !== "object") return undefined;
  const { since, sunset, link } = deprecated;
  const deprecation = `@${Math.floor(Date.parse(since) / 1000)}`;
  const end = sunset === undefined ? undefined : new Date(sunset).toUTCString();
  const target = link === undefined ? undefined : `<${link}>; rel="deprecation"`;
  const edit = (headers: Headers): void => {
    headers.set("deprecation", deprecation);
    if (end !== undefined) headers.set("sunset", end);
    // a native response that a handler returns several times has it already
    if (target !== undefined && !headers.get("link")?.includes(target)) headers.append("link", target);
  };
  return (response) => editHeaders(response, edit);
}
