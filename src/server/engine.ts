/** The engine: it finds the route of a request, runs the steps of that route, and answers with data. */
import { whenReady } from "../awaitable.ts";
import { handlerResponses, type RouteNode } from "../contract/node.ts";
import { formatProblem, isCount, isMarked, isObject } from "../mark.ts";
import { describeValue } from "../messages.ts";
import {
  answerStop,
  askOnResponse,
  type ErrorReport,
  type OnError,
  type OnResponse,
  planReports,
  planShapedRefusal,
  reportOnly,
  type StopSettings,
} from "./answer/answer_stop.ts";
import {
  type AllowsOrigin,
  checkCors,
  type CorsOptions,
  isPreflight,
  methodField,
  planCors,
  planOrigins,
} from "./answer/cors.ts";
import { closeResult, type EncodeResponse, planEncode } from "./answer/encode_result.ts";
import type { RequestHeaders, RouteInfo } from "./define/call.ts";
import type { Endpoint, Implementation } from "./define/implementation.ts";
import type { Refusing } from "./define/refuse.ts";
import { labelOf, type Stop, toFailure } from "./define/result.ts";
import { type EditableFields, editAnswer, type Finish, Refusal, refuse, type Sent, toHead } from "./http/answer.ts";
import {
  type Conclude,
  type Exchange,
  isEarlyResult,
  originEnd,
  planSteps,
  runSteps,
  type Step,
  type Walk,
} from "./http/exchange.ts";
import { checkSockets, planSocket, type Sockets } from "./http/sockets.ts";
import { createRouteTable, isSpelledAs, matchRoute, type RouteQuestion, type RouteTable } from "./http/route_table.ts";
import type { planSecurity } from "./steps/authenticate.ts";
import { planContext, planContextInput, planGuard, planHandler, type ToContextInput } from "./steps/callbacks.ts";
import { checkDecode, planDecode } from "./steps/decode.ts";
import { aFunction, checkSettings, failAt, isPositive, type OptionRules } from "../options.ts";

/** A mounted implementation, without the messages of any platform. */
export interface Engine<Own extends Exchange = Exchange, Out = Sent> {
  /** Answers a request. It never throws or rejects, and is synchronous if all steps of the request are. */
  readonly answer: (exchange: Own) => Out | Promise<Out>;
  /** The routes. */
  readonly table: RouteTable<LazyRoute>;
  /** The hook for errors, for what fails while an answer is sent: see `reportOnly()`. */
  readonly onError: OnError;
  /** Whether it answers preflights. */
  readonly hasCors: boolean;
}

/** Plans how to answer the requests to an implementation. Throws a `TypeError` if it is not one. */
export function createEngine<Own extends Exchange, Out = Sent>(
  implementation: unknown,
  options: EngineSettings<Own, Out>,
  where: string,
): Engine<Own, Out> {
  if (!isMarked(implementation, "implementation")) {
    const state = "the implementation must be made by defineServer(contract).implement(…)";
    failAt(where, formatProblem(implementation) ?? `${state}, got ${describeValue(implementation)}`);
  }
  const { onError = logError, cors, maxBodyBytes = Infinity, maxDepth = 100 } = options;
  const allowsOrigin = planOrigins(cors?.origins);
  const settings = { ...options, onError, maxBodyBytes, maxDepth, allowsOrigin } as PlanSettings; // an adapter passes exchanges of its own
  const { "~endpoints": endpoints, "~refusing": refusing } = implementation as Implementation<never>;
  const table = createRouteTable(endpoints.map((endpoint) => {
    const { node } = endpoint;
    checkDecode(node);
    checkSockets(node, options.sockets);
    findSecurityPlan(endpoint);
    return { node, target: { endpoint, mounted: undefined } };
  }));
  const answer = planAnswer(table, refusing, settings, planOut(settings)) as Engine<Own, Out>["answer"]; // `finish` returns the type
  return { answer, table, onError, hasCors: cors !== undefined };
}

/** Plans how to turn answers into what the adapter needs. */
function planOut({ onError, finish = (sent, isHead) => isHead ? toHead(sent) : sent }: PlanSettings): Finish {
  const { dropUnfit } = planReports(onError);
  // it is a function of its own, because what all answers share must be small: V8 inlines it, which takes 5 % of a text
  const refuseContent = (error: unknown, exchange: Exchange, isHead: boolean): unknown => {
    const { answer } = refuse("internal-error");
    reportOnly(onError, { error, phase: "encode" }, exchange, answer);
    return finish(answer, isHead);
  };
  return (sent, exchange) => {
    const isHead = exchange.method === "HEAD";
    try { // the fields of data are checked where they are added
      return finish("head" in sent ? sent : dropUnfit(sent, exchange), isHead);
    } catch (error) { // the platform refuses the content, such as bytes of shared memory or of a detached buffer
      return refuseContent(error, exchange, isHead);
    }
  };
}

/** The part of an engine that decides whether it has a route. */
type Routed = Pick<Engine, "table" | "hasCors">;

/** The part of a request that decides which route it has. */
type Asked = Pick<Exchange, "method" | "target" | "pathStart" | "headers">;

/**
 * Returns whether a request is one for the engine, if other code can answer it, too: whether a route has its method, and
 * its path as it was sent. A preflight is for the engine if the request that it asks about is.
 */
export function isOurs({ table, hasCors }: Routed, { method, target, pathStart, headers }: Asked): boolean {
  const isAsking = hasCors && isPreflight({ method, headers });
  const match = matchRoute(table, isAsking ? headers.get(methodField)! : method, target, pathStart);
  return !(match instanceof Refusal) && isSpelledAs(match.target.endpoint.node, target, pathStart);
}

/** Returns whether the routes of an engine answer a request. Throws a `TypeError` if it has no method or no URL. */
export function hasRouteFor(engine: Routed, question: RouteQuestion): boolean {
  const { method, url, headers }: Partial<RouteQuestion> = Object(question);
  if (typeof method !== "string" || typeof url !== "string") {
    failAt("handler.has()", `pass a request, or { method, url }, got ${describeValue(question)}`);
  }
  const fields = typeof headers?.get === "function" ? headers : toFields(Object(headers));
  const pathStart = url.startsWith("/") ? 0 : originEnd(url);
  return isOurs(engine, { method, target: url, pathStart, headers: fields as RequestHeaders }); // only their `get` and `has` are read
}

function toFields(headers: Readonly<Record<string, unknown>>): Pick<RequestHeaders, "get" | "has"> {
  return { get: (name) => String(headers[name]), has: (name) => headers[name] !== undefined };
}

/** Settings that are complete. */
interface PlanSettings extends EngineSettings<Exchange, unknown> {
  readonly onError: OnError;
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
  /** Whether the option `cors` allows an origin. */
  readonly allowsOrigin: AllowsOrigin;
}

/** Plans how to answer requests: by their routes, then for pages of other origins and for the hook, if there are any. */
function planAnswer(
  table: RouteTable<LazyRoute>,
  refusing: Refusing | undefined,
  settings: PlanSettings,
  finish: Finish,
): (exchange: Exchange) => unknown {
  const { cors, onError, onResponse, allowsOrigin } = settings;
  if (!cors && !onResponse) return planWalks(table, refusing, settings, finish); // one promise less
  const answer = planWalks(table, refusing, settings, (sent) => sent);
  const shared = cors ? planCors(answer, table, { cors, allowsOrigin, onError }) : answer;
  if (!onResponse) return (exchange) => whenReady(shared(exchange), finish, exchange);
  return (exchange) => {
    const started = performance.now();
    return whenReady(
      shared(exchange),
      (sent) => whenReady(askOnResponse({ onResponse, onError }, exchange, sent, started), finish, exchange),
    );
  };
}

/** Plans how to run the steps of the route that a request has. */
function planWalks<Out>(
  table: RouteTable<LazyRoute>,
  refusing: Refusing | undefined,
  settings: PlanSettings,
  finish: Finish<Out>,
): (exchange: Exchange) => Out | Promise<Out> {
  const { onError } = settings;
  const shape = refusing && planShapedRefusal(undefined, refusing.outside, refusing.run, onError);
  return (exchange) => {
    const match = matchRoute(table, exchange.method, exchange.target, exchange.pathStart);
    if (match instanceof Refusal) {
      return shape
        ? whenReady(shape(match, exchange), finish, exchange) as Promise<Out>
        : finish(match.answer, exchange);
    }
    const mounted = match.target.mounted ??= planRoute(match.target.endpoint, settings, finish);
    exchange.params = match.params;
    exchange.route = mounted.route;
    exchange.isPrivate = mounted.isSecured;
    return runSteps(mounted, exchange) as Out | Promise<Out>; // it was planned with the same `finish`
  };
}

/** A route, with its planned steps. */
interface MountedRoute extends Walk<unknown> {
  readonly route: RouteInfo;
  /** Whether a caller may need a credential. Until the caller is known, responses are private. */
  readonly isSecured: boolean;
}

/** Plans a route. The steps of its requests run in the order in which this function lists them. */
function planRoute(endpoint: Endpoint, settings: PlanSettings, finish: Finish): MountedRoute {
  const { node, route, ownRoute, guards, createContext, refusing, handle } = endpoint;
  const { contextInput, allowsOrigin, onError, sockets } = settings;
  const plan = findSecurityPlan(endpoint);
  const done = planDeprecation(node, finish);
  const security = plan?.({ ...endpoint, route: endpoint.securityRoute }, allowsOrigin, done);
  const isAdmitted = security !== undefined || guards.length > 0;
  const addContextInput = contextInput && planContextInput(contextInput);
  const socket = sockets && planSocket(endpoint, sockets, {
    allowsOrigin,
    report: (error, exchange, toResponse) => reportOnly(onError, { error, phase: "socket" }, exchange, toResponse),
  });
  const steps = [
    socket?.admit,
    isAdmitted ? addContextInput : undefined,
    security?.step,
    ...guards.map((guard) => planGuard(guard, guard.route ?? ownRoute)),
    ...(handle ? planDecode(node, settings) : [notImplemented]),
    createContext && !isAdmitted ? addContextInput : undefined,
    createContext && planContext(ownRoute, createContext),
    planHandler({ ...endpoint, route: ownRoute }),
    socket?.upgrade,
  ];
  const encode = planEncode(route, handlerResponses(node), planReports(onError));
  const shape = refusing && planShapedRefusal(route, node.refusals, refusing.run, onError);
  const conclude = planConclude(encode, { shape, onError }, security?.finish ?? done);
  return { route, steps: planSteps(steps), conclude, isSecured: security !== undefined };
}

/** The step of a route without a handler that answers 501. */
const notImplemented: Step = { phase: "handler", take: () => refuse("not-implemented") };

/**
 * Returns how `verify()` plans the security of a route; `undefined` for a public one. Throws a `TypeError` if a verifier
 * cannot do that: a route that needs a credential is never served without the step that asks for it.
 */
function findSecurityPlan({ node, route, verifiers }: Endpoint): typeof planSecurity | undefined {
  if (!node.security?.length) return undefined;
  const plan: unknown = verifiers[0]?.plan; // every verifier has the same
  if (typeof plan === "function") return plan as typeof planSecurity;
  const state =
    "its verifiers are of another version of this package; import verify() and the adapter from one version";
  failAt(`Cannot mount ${labelOf(route)}`, state);
}

/** Plans how to conclude a request: with the result of the handler or of an earlier function, or with a stop. */
function planConclude(encode: EncodeResponse, settings: StopSettings, done: Finish): Conclude<unknown> {
  const stop = (end: Stop, exchange: Exchange): unknown =>
    whenReady(answerStop(end, exchange, settings), done, exchange);
  const fail = (error: unknown, exchange: Exchange): unknown => {
    closeResult(exchange.result);
    return stop(toFailure("encode", error), exchange);
  };
  // it is a function of its own, because one that contains a closure allocates for it
  const finishLater = (pending: Promise<Sent>, exchange: Exchange): Promise<unknown> =>
    pending.then((sent) => done(sent, exchange), (error) => fail(error, exchange));
  return (end, exchange) => {
    if (end && isEarlyResult(end)) exchange.result = end.result;
    else if (end) return stop(end, exchange);
    try {
      const sent = encode(exchange.result, exchange);
      return sent instanceof Promise ? finishLater(sent, exchange) : done(sent, exchange);
    } catch (error) {
      return fail(error, exchange);
    }
  };
}

/**
 * An endpoint, and after its first request its planned route. Planning 2,048 routes at mount took 30 ms of 45, and most
 * programs receive requests for few of their routes. {@linkcode checkDecode} therefore looks for mistakes at mount.
 */
interface LazyRoute {
  readonly endpoint: Endpoint;
  mounted: MountedRoute | undefined;
}

/**
 * Plans the headers `deprecation` (RFC 9745), `sunset` (RFC 8594) and `link` of a route's answers. There are none for a
 * route without dates.
 */
function planDeprecation({ deprecated }: RouteNode, finish: Finish): Finish {
  if (typeof deprecated !== "object") return finish;
  const { since, sunset, link } = deprecated;
  const deprecation = `@${Math.floor(Date.parse(since) / 1000)}`;
  const end = sunset === undefined ? undefined : new Date(sunset).toUTCString();
  const target = link === undefined ? undefined : `<${link}>; rel="deprecation"`;
  const edit = (headers: EditableFields): void => {
    headers.set("deprecation", deprecation);
    if (end !== undefined) headers.set("sunset", end);
    // a native response that a handler returns several times has it already
    if (target !== undefined && !headers.get("link")?.includes(target)) headers.append("link", target);
  };
  return (sent, exchange) => finish(editAnswer(sent, edit), exchange);
}

/**
 * The options of a mounted handler, whatever the adapter.
 *
 * @internal
 */
export interface EngineOptions {
  /**
   * The maximum size of a request body in bytes: an integer, 0 or more. It applies to bodies without a `maxBytes` of
   * their own. The server answers 413 to a longer one. Default: no limit.
   */
  readonly maxBodyBytes?: number;
  /**
   * The maximum number of levels of arrays and objects in a request body: an integer, 1 or more. It applies to JSON, also
   * in a field that is `styled()`, and to custom representations. The server answers 400 to a deeper one, because schemas
   * that refer to themselves may take seconds for it. `[]` has one level. Default: 100.
   */
  readonly maxDepth?: number;
  /**
   * Which other origins may call, and which headers their pages may send and read. Default: none, and a preflight is an
   * ordinary OPTIONS request.
   */
  readonly cors?: CorsOptions;
  /**
   * Opens the connections of routes that declare `response.socket()`, which need it: the value of `denoSockets()`, or of
   * another function of `@scope/api/socket`. Default: none.
   */
  readonly sockets?: Sockets;
  /**
   * Called for every 5xx response that the adapter produces, for every stream that fails, and when `cors.origins` or the
   * server's `refuse` fails, once each. It can return a response to send instead of a 5xx. Errors that it throws are
   * ignored. Default: writes the error to `console.error`.
   */
  readonly onError?: OnError;
  /**
   * Called for every response before it is returned, also for those that the adapter sends itself, with the route and
   * the duration: for logs, metrics and traces. It can return a response to send instead, such as that of
   * {@linkcode watchBody}, which tells when a stream ends. Errors that it throws are ignored, unless it has read the
   * body: the response is then a 500, and `onError` is called. Default: none.
   */
  readonly onResponse?: OnResponse;
}

/** What an adapter passes to the engine: the options, and its own functions. */
export interface EngineSettings<Own extends Exchange, Out = Sent> extends EngineOptions {
  /** Returns the second argument of verifiers, guards and the context factory. */
  readonly contextInput?: ToContextInput<Own> | undefined;
  /** Turns an answer into what `answer()` returns, without a body for HEAD. Default: into such an answer. */
  readonly finish?: (sent: Sent, isHead: boolean) => Out;
}

const rules: OptionRules = {
  maxBodyBytes: ["a non-negative integer or omitted", isCount],
  maxDepth: ["a positive integer or omitted", isPositive],
  sockets: ["made by denoSockets() or its like", (value) => isMarked(value, "sockets")],
};

/**
 * Returns the options that are set. Throws a `TypeError` if one is unknown or invalid. `own` are the rules of options
 * that only one adapter has, and `functions` the names of those that are functions.
 */
export function readEngineOptions<Options extends EngineOptions>(
  options: Options,
  where: string,
  own: OptionRules,
  ...functions: readonly string[]
): Options {
  const set = isObject(options) && !Array.isArray(options)
    ? Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    : options;
  const hooks = Object.fromEntries(["onError", "onResponse", ...functions].map((name) => [name, aFunction]));
  const all: OptionRules = { ...rules, ...own, cors: undefined, ...hooks };
  checkSettings(set, all, where);
  if (set.cors !== undefined) checkCors(set.cors, where);
  return set as Options; // without those that are undefined
}

/** The default of `onError`. */
export function logError({ error, phase, route, request }: ErrorReport): void {
  const place = route ? `${route.path} (${route.key})` : new URL(request.url).pathname;
  console.error(`${request.method} ${place} failed in phase ${phase}:`, error);
}
