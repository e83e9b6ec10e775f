/** The steps that call the application: `contextInput`, guards, the context factory, and the handler with its middleware. */
import type { Awaitable } from "../../awaitable.ts";
import { handlerResponses } from "../../contract/node.ts";
import type { Responses } from "../../contract/response.ts";
import { hasParameters } from "../../path.ts";
import { setOwn } from "../../wire/text_fields.ts";
import type { RouteInfo } from "../define/call.ts";
import type { ContextFactory, Endpoint, GuardWithResponses } from "../define/implementation.ts";
import { type AnswerCall, foldMiddleware } from "../define/middleware.ts";
import {
  type ArgumentShape,
  CallArgument,
  checkResult,
  describeResult,
  type ErrorPhase,
  isResult,
  type Result,
  type Stop,
  toCreateResult,
  toFailure,
} from "../define/result.ts";
import { EarlyResult, type Exchange, RequestArgument, type Step } from "../http/exchange.ts";

/** The option `contextInput`: returns the second argument of verifiers, guards and the context factory. */
export type ToContextInput<Own extends Exchange = Exchange> = (exchange: Own) => Awaitable<object>;

/** Plans the step that runs `contextInput`. */
export function planContextInput(contextInput: ToContextInput): Step {
  return {
    phase: "context",
    take: contextInput,
    accept: (made: unknown, exchange) => void (exchange.added = toObject(made, "contextInput()")),
    needsClient: true,
  };
}

/** Plans the step that creates the context of a route's requests with the server's factory. */
export function planContext(route: RouteInfo, createContext: ContextFactory): Step {
  return {
    phase: "context",
    take: (exchange) => createContext(toArgument(exchange, route), exchange.added),
    accept: (made: unknown, exchange) => void (exchange.context = toObject(made, 'defineServer(): "context"')),
    needsClient: true,
  };
}

/** Returns the argument of a context factory. `contextInput` cannot replace what every adapter passes. */
function toArgument(exchange: Exchange, route: RouteInfo): object {
  const argument: object = new RequestArgument(exchange, route);
  for (const [key, value] of Object.entries(exchange.added)) {
    if (!reserved.includes(key)) setOwn(argument as Record<string, unknown>, key, value);
  }
  return Object.assign(argument, { caller: exchange.caller });
}

const reserved: readonly string[] = ["request", "headers", "signal", "route"]; // the caller replaces another one

function toObject(made: unknown, maker: string): object {
  if (typeof made === "object" && made !== null) return made;
  throw new TypeError(`${maker} must return an object, got ${describeResult(made)}`);
}

/** Plans the step of a guard, which runs before the body is read. A result that it returns or throws is the answer. */
export function planGuard({ run, shared }: GuardWithResponses, route: RouteInfo): Step {
  const response = toCreateEarlyResult(route, shared);
  return {
    phase: "guard",
    take(exchange): unknown {
      const { params, caller, added } = exchange;
      return run(Object.assign(new RequestArgument(exchange, route), { params, caller, response }), added);
    },
    accept(result: unknown): Stop | void {
      if (result !== undefined) return new EarlyResult(checkResult(result, "a guard", route));
    },
    recover: (thrown) => recoverEarly("guard", thrown),
    needsClient: true,
  };
}

/** Returns the end of a request after what a verifier or guard threw, which may be a result. */
export function recoverEarly(phase: ErrorPhase, thrown: unknown): Stop {
  return earlyResults.has(thrown as Result) ? new EarlyResult(thrown as Result) : toFailure(phase, thrown); // it may be anything
}

/** The results that verifiers and guards built. What they throw may also be an error of another library. */
const earlyResults = new WeakSet<Result>();

/** Creates the `response` function of a verifier or guard. Only its results are answers if they are thrown. */
export function toCreateEarlyResult(route: RouteInfo, responses: Responses): object {
  const createResult = toCreateResult(route, responses);
  return (...args: Parameters<typeof createResult>) => {
    const result = createResult(...args);
    earlyResults.add(result);
    return result;
  };
}

/** Plans the step that runs the middleware and the handler. A result that they throw is a result. */
export function planHandler({ node, route, middleware, handle }: Endpoint): Step {
  const responses = handlerResponses(node);
  const shape: ArgumentShape = {
    route,
    response: toCreateResult(node, responses),
    has: {
      params: node.params !== undefined || hasParameters(node.path),
      query: node.query !== undefined,
      headers: node.headers !== undefined,
      body: node.body !== undefined,
      contentType: typeof node.body?.contentType === "object",
      caller: node.security !== undefined && node.security.length > 0,
    },
  };
  const callHandler: AnswerCall = (call) => handle!(new CallArgument(shape, call)); // without one, no request comes here
  const run = middleware.length === 0 ? callHandler : foldMiddleware(middleware, callHandler, route, responses);
  return {
    phase: "handler",
    take: run,
    accept: (result: unknown, exchange) => void (exchange.result = result),
    recover: recoverHandler,
  };
}

/** Adds a result that was thrown. If the body's stream had stopped, that was the cause of any other error. */
function recoverHandler(thrown: unknown, exchange: Exchange): Stop | void {
  if (!isResult(thrown)) {
    const failure = toFailure("handler", thrown);
    return failure.phase === "handler" ? exchange.bodyStop?.()?.stop ?? failure : failure;
  }
  exchange.result = thrown;
}
