import type { Awaitable } from "../../awaitable.ts";
import { handlerResponses, type RouteNode } from "../../contract/node.ts";
import type { Responses } from "../../contract/response.ts";
import { parameterNames } from "../../path.ts";
import { CallbackArgument, type RouteInfo, type ServerCall, type Slots } from "./call.ts";
import type { AnyGuard } from "./handler.ts";
import { type AnswerCall, foldMiddleware, type MiddlewareWithResponses } from "./middleware.ts";
import type { Refusing } from "./refuse.ts";
import { type CreateResult, type Failure, isResult, type Result, toCreateResult, toFailure } from "./result.ts";
import type { Verifier } from "./verifier.ts";

/**
 * Creates the context of a request from the adapter's input.
 *
 * @internal
 */
export type ContextFactory = (input: object, runtime: object) => Awaitable<object>;

/**
 * A guard, with the responses that it can return.
 *
 * @internal
 */
export interface GuardWithResponses {
  readonly run: AnyGuard;
  readonly shared: Responses;
}

/**
 * One route with its handler, and with everything that runs before and around the handler.
 *
 * @internal
 */
export interface Endpoint {
  readonly node: RouteNode;
  /** The route as handlers and hooks receive it. */
  readonly route: RouteInfo;
  /** Creates the context. `undefined` if the server has no `context` option. */
  readonly createContext: ContextFactory | undefined;
  /** The verifiers of the contract's security schemes. */
  readonly verifiers: readonly Verifier[];
  /** The guards, in the order in which they run. */
  readonly guards: readonly GuardWithResponses[];
  /** The middleware, outermost first. */
  readonly middleware: readonly MiddlewareWithResponses[];
  /** The responses that the contract declares for all routes. A verifier can throw them. */
  readonly shared: Responses;
  /** How refusals are answered. `undefined` if all are problem documents that nothing observes. */
  readonly refusing: Refusing | undefined;
  /** Runs the handler, which returns or throws a result. */
  readonly handle: (input: object) => unknown;
}

/** Plans how to answer a call: with the middleware, then the handler. Each can return or throw a result. */
export function planRun(endpoint: Endpoint): AnswerCall {
  const { node, route, middleware, handle } = endpoint;
  const shape = planInput(endpoint);
  const callHandler: AnswerCall = (call) => handle(new HandlerArgument(shape, call));
  return middleware.length === 0 ? callHandler : foldMiddleware(middleware, callHandler, route, handlerResponses(node));
}

/** Returns what was thrown, if it is a result, or else a failure. */
export function recoverResult(thrown: unknown): Result | Failure {
  return isResult(thrown) ? thrown : toFailure("handler", thrown);
}

/** The parts of a handler's input that are the same for all calls. */
interface InputShape {
  readonly route: RouteInfo;
  readonly response: CreateResult<Responses>;
  /** The inputs that the route declares. */
  readonly has: Readonly<Record<keyof Slots | "caller", boolean>>;
}

function planInput({ node, route }: Endpoint): InputShape {
  return {
    route,
    response: toCreateResult(node, handlerResponses(node)),
    has: {
      params: node.params !== undefined || parameterNames(node.path).length > 0,
      query: node.query !== undefined,
      headers: node.headers !== undefined,
      body: node.body !== undefined,
      contentType: typeof node.body?.contentType === "object",
      caller: node.security !== undefined && node.security.length > 0,
    },
  };
}

/** The argument of a handler, with the declared inputs and no others. */
class HandlerArgument extends CallbackArgument {
  readonly context: object;
  readonly route: RouteInfo;
  readonly response: CreateResult<Responses>;
  declare params?: unknown;
  declare query?: unknown;
  declare headers?: unknown;
  declare body?: unknown;
  declare contentType?: string | undefined;
  declare caller?: object | undefined;

  constructor({ route, response, has }: InputShape, call: ServerCall) {
    super(call.request);
    const { slots } = call;
    this.context = call.context;
    this.route = route;
    this.response = response;
    if (has.params) this.params = slots.params;
    if (has.query) this.query = slots.query;
    if (has.headers) this.headers = slots.headers;
    if (has.body) this.body = slots.body;
    if (has.contentType) this.contentType = slots.contentType;
    if (has.caller) this.caller = call.caller;
  }
}
