/** The handler of an implementation: it finds the route of a request and runs the steps of that route. */
import { isPromise, whenReady } from "../awaitable.ts";
import { handlerResponses, type RouteNode } from "../contract/node.ts";
import { declaredRefusals, type Refusals } from "../contract/refusals.ts";
import type { RouteInfo } from "./define/call.ts";
import { type Endpoint, planRun, recoverResult } from "./define/endpoint.ts";
import type { Implementation } from "./define/implementation.ts";
import type { Refusing } from "./define/refuse.ts";
import { type Outcome, Stop, toFailure } from "./define/result.ts";
import { answerStop, type OnError, planShapedRefusal, reportOnly, type StopSettings } from "./answer/answer_stop.ts";
import { type BodySettings, hasBodyFailed, preferBodyStop } from "./steps/decode_body.ts";
import { planContext, planContextInput, planGuard, type ToContextInput } from "./steps/callbacks.ts";
import { type AllowsOrigin, type CorsOptions, type CorsTarget, planCors } from "./answer/cors.ts";
import { checkDecode, hasInputs, planDecode } from "./steps/decode_head.ts";
import { type EncodeResponse, planEncode } from "./answer/representations.ts";
import type { ReportFailure } from "./answer/encode_result.ts";
import {
  type AnswerRequest,
  type Conclude,
  EarlyResult,
  Exchange,
  type FinishResponse,
  runSteps,
  type Step,
  type Walk,
} from "./http/exchange.ts";
import { type OnResponse, planObserved } from "./answer/reports.ts";
import { editHeaders, finishHead, isDeno, Refusal, refuse } from "./http/native_answer.ts";
import { createRouteTable, listMethods, matchRoute, type RouteTable } from "./http/route_table.ts";
import { planAuthenticate, planSecurityFields } from "./steps/authenticate.ts";

/** The settings of a handler. */
interface HandlerSettings extends BodySettings {
  /** The option `cors`. */
  readonly cors: CorsOptions | undefined;
  /** Whether the option `cors` allows an origin. */
  readonly allowsOrigin: AllowsOrigin;
  /** Receives every 5xx. */
  readonly onError: OnError;
  /** Returns the second argument of verifiers, guards and the context factory. */
  readonly contextInput: ToContextInput | undefined;
  /** Sees every response. */
  readonly onResponse: OnResponse | undefined;
}

/** Plans how to answer the requests to an implementation. */
export function createAnswer(implementation: Implementation<never>, settings: HandlerSettings): AnswerRequest {
  const { "~endpoints": endpoints, "~refusing": refusing } = implementation;
  const table = createRouteTable(endpoints.map(toEntry));
  const outside = planOutside(refusing, settings);
  const { onResponse, onError } = settings;
  const found = onResponse && new WeakMap<Request, RouteInfo>();
  const answer: AnswerRequest = (request, runtimeArguments) => {
    const { method, url } = request;
    const exchange = new Exchange(request, runtimeArguments, method === "HEAD");
    const match = isHostInPath(request) ? refuse("invalid-path") : matchRoute(table, method, url);
    if (match instanceof Refusal) return finish(answerStop(match, exchange, outside), exchange);
    exchange.params = match.params;
    const mounted = match.target.mounted ??= planRoute(match.target.endpoint, settings);
    exchange.isPrivate = mounted.isSecured;
    found?.set(request, mounted.route);
    return finish(runSteps(mounted, exchange), exchange);
  };
  const shared = settings.cors
    ? planCors(settings.cors, { answer, nodes: endpoints.map(({ node }) => node), ...toCorsTarget(table, settings) })
    : answer;
  return onResponse && found ? planObserved(shared, { onResponse, onError, routes: found }) : shared;
}

/**
 * Returns whether the `Host` of a request could be a part of its path. Deno.serve puts it into the URL as it is. Node's
 * adapters and Bun refuse or replace such a host.
 */
function isHostInPath({ headers }: Request): boolean {
  return isDeno && /[/?#@\\]/.test(headers.get("host") ?? "");
}

function finish(response: Response | Promise<Response>, { isHead }: Exchange): Response | Promise<Response> {
  return isHead ? whenReady(response, finishHead) : response;
}

/** A route, with its planned steps. */
interface MountedRoute extends Walk {
  readonly route: RouteInfo;
  /** Whether a caller may need a credential. Until the caller is known, responses are private. */
  readonly isSecured: boolean;
}

/** Plans a route. The steps of its requests run in the order in which this function lists them. */
function planRoute(endpoint: Endpoint, settings: HandlerSettings): MountedRoute {
  const { node, route, guards, createContext, refusing } = endpoint;
  const { contextInput, allowsOrigin, onError } = settings;
  const isSecured = node.security !== undefined && node.security.length > 0;
  const isAdmitted = isSecured || guards.length > 0;
  const addContextInput = contextInput ? [planContextInput(contextInput)] : [];
  const steps = [
    ...(isAdmitted ? addContextInput : []),
    ...(isSecured ? [planAuthenticate(endpoint, allowsOrigin)] : []),
    ...guards.map((guard) => planGuard(guard, route)),
    ...(hasInputs(node) ? [planDecode(node, settings)] : []),
    ...(createContext && !isAdmitted ? addContextInput : []),
    ...(createContext ? [planContext(route, createContext)] : []),
    planHandler(endpoint),
  ];
  const encode = planEncode(route, handlerResponses(node), toReportStream(route, onError));
  const shape = refusing && planShape(route, node.refusals, refusing.run, onError);
  const finish = [...(isSecured ? [planSecurityFields(node.security)] : []), ...planDeprecation(node)];
  const conclude = finish.reduce(addFinish, planConclude(encode, { route, shape, onError }));
  return { route, steps, conclude, isSecured };
}

/** Returns the step that runs the middleware and the handler. A result that they throw is a result. */
function planHandler(endpoint: Endpoint): Step {
  const run = planRun(endpoint);
  return {
    phase: "handler",
    take(exchange): Outcome<void> {
      try {
        const result = run(exchange);
        if (isPromise(result)) return addResultLater(result, exchange);
        exchange.result = result;
      } catch (thrown) {
        return recoverHandler(thrown, exchange);
      }
    },
  };
}

function addResultLater(result: PromiseLike<unknown>, exchange: Exchange): Promise<Stop | void> {
  return Promise.resolve(result).then(
    (result) => void (exchange.result = result),
    (thrown) => recoverHandler(thrown, exchange),
  );
}

function recoverHandler(thrown: unknown, exchange: Exchange): Stop | void {
  const end = recoverResult(thrown);
  if (end instanceof Stop) return preferBodyStop(end, exchange);
  exchange.result = end;
}

/** Plans how to conclude a request: with the result of the handler or of an earlier function, or with a stop. */
function planConclude(encode: EncodeResponse, settings: StopSettings): Conclude {
  const fail = (error: unknown, exchange: Exchange): Response | Promise<Response> =>
    answerStop(toFailure("encode", error), exchange, settings);
  return (end, exchange) => {
    if (end instanceof EarlyResult) exchange.result = end.result;
    else if (end) return answerStop(end, exchange, settings);
    try {
      const response = encode(exchange.result, exchange);
      return response instanceof Promise ? recoverLater(response, fail, exchange) : response;
    } catch (error) {
      return fail(error, exchange);
    }
  };
}

/** Recovers from a rejection. It is a function of its own, because one that contains a closure allocates for it. */
function recoverLater(
  response: Promise<Response>,
  recover: (error: unknown, exchange: Exchange) => Response | Promise<Response>,
  exchange: Exchange,
): Promise<Response> {
  return response.catch((error) => recover(error, exchange));
}

/** Adds the headers of every response of a route. */
function addFinish(conclude: Conclude, finish: FinishResponse): Conclude {
  return (end, exchange) => whenReady(conclude(end, exchange), finish, exchange);
}

/**
 * An endpoint, and after its first request its planned route. Planning 2,048 routes at mount took 30 ms of 45, and most
 * programs receive requests for few of their routes. {@linkcode checkDecode} therefore looks for mistakes at mount.
 */
interface LazyRoute {
  readonly endpoint: Endpoint;
  mounted: MountedRoute | undefined;
}

function toEntry(endpoint: Endpoint): { readonly node: RouteNode; readonly target: LazyRoute } {
  checkDecode(endpoint.node);
  return { node: endpoint.node, target: { endpoint, mounted: undefined } };
}

/** Plans how to answer requests without a route. */
function planOutside(refusing: Refusing | undefined, { onError }: HandlerSettings): StopSettings {
  const shape = refusing && planShape(undefined, refusing.outside, refusing.run, onError);
  return { route: undefined, shape, onError };
}

/** Plans how to answer the refusals of a route, or of requests without one. */
function planShape(
  route: RouteInfo | undefined,
  refusals: Refusals | undefined,
  run: Refusing["run"],
  onError: OnError,
): StopSettings["shape"] {
  const encode = planEncode(route, declaredRefusals(refusals), toReportStream(route, onError));
  return planShapedRefusal({ run, refusals, route, encode, onError });
}

/** Reports a stream that failed, unless the client has disconnected. */
function toReportStream(route: RouteInfo | undefined, onError: OnError): ReportFailure {
  return (error, exchange, response) => {
    if (hasBodyFailed(exchange)) return;
    reportOnly(onError, { error, phase: "stream", ...(route && { route }), request: exchange.request, response });
  };
}

function toCorsTarget(
  table: RouteTable<LazyRoute>,
  { allowsOrigin, onError }: HandlerSettings,
): Omit<CorsTarget, "answer" | "nodes"> {
  return {
    allowsOrigin,
    listMethods: (request) => isHostInPath(request) ? [] : listMethods(table, request.url),
    findRoute(method, url): RouteNode | undefined {
      const match = matchRoute(table, method, url);
      return match instanceof Refusal ? undefined : match.target.endpoint.node;
    },
    report: (error, request, response) => reportOnly(onError, { error, phase: "cors", request, response }),
  };
}

/**
 * Plans the headers `deprecation` (RFC 9745), `sunset` (RFC 8594) and `link`. There are none for a route without dates.
 */
function planDeprecation({ deprecated }: RouteNode): FinishResponse[] {
  if (typeof deprecated !== "object") return [];
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
  return [(response) => editHeaders(response, edit)];
}
