import { type Awaitable } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type Responses } from "../contract/response.ts";
import { parameterNames } from "../path.ts";
import { type RouteInfo, type ServerCall, type Slots } from "./call.ts";
import { type AnyGuard } from "./guard.ts";
import { type AnswerCall, foldMiddleware, type PlacedMiddleware } from "./middleware.ts";
import { type PlacedRefuse } from "./refuse.ts";
import { type CreateResult, isResult, type Result, toCreateResult } from "./result.ts";
import { type Verifier } from "./security.ts";
import { type Failure, toFailure } from "./stop.ts";

/**
 * Makes the context of a request out of what the adapter gives.
 *
 * @internal
 */
export type ContextFactory = (input: object, runtime: object) => Awaitable<object>;

/**
 * A guard, and the responses that it may answer with.
 *
 * @internal
 */
export interface PlacedGuard {
  /** The guard. */
  readonly run: AnyGuard;
  /** The responses. */
  readonly shared: Responses;
}

/**
 * One route with the handler that answers it, and the context and the middleware that handler works in.
 *
 * @internal
 */
export interface Endpoint {
  /** The route in its place. */
  readonly node: RouteNode;
  /** The same as its handler and hooks are told. */
  readonly route: RouteInfo;
  /** Makes the context; absent where the server has none. */
  readonly createContext: ContextFactory | undefined;
  /** The verifiers of the contract's security schemes. */
  readonly verifiers: readonly Verifier[];
  /** What runs before the body is read, the first one first. */
  readonly guards: readonly PlacedGuard[];
  /** What runs round the handler, the first outermost. */
  readonly middleware: readonly PlacedMiddleware[];
  /** The responses that the contract declares for all routes, which verifiers may throw. */
  readonly shared: Responses;
  /** Shapes what the adapter answers by itself; absent where the server sends problem documents. */
  readonly refuse: PlacedRefuse | undefined;
  /** Answers a call with a result, returned or thrown. */
  readonly handle: (input: object) => unknown;
}

/** Plans how an endpoint's calls are answered with a result, returned or thrown: by its middleware, then its handler. */
export function planRun(endpoint: Endpoint): AnswerCall {
  const { node, route, middleware, handle } = endpoint;
  const shape = planInput(endpoint);
  const callHandler: AnswerCall = (call) => handle(new HandlerArgument(shape, call));
  return middleware.length === 0 ? callHandler : foldMiddleware(middleware, callHandler, route, node.responses);
}

/** A thrown result is a result; anything else is a failure. */
export function recoverResult(thrown: unknown): Result | Failure {
  try {
    if (isResult(thrown)) return thrown;
  } catch {
    // a revoked Proxy cannot be asked what it is
  }
  return toFailure("handler", thrown);
}

/** What of a handler's input is the same for all calls. */
interface InputShape {
  readonly route: RouteInfo;
  readonly response: CreateResult<Responses>;
  /** Which slots the route declares. */
  readonly has: Readonly<Record<keyof Slots | "caller", boolean>>;
}

function planInput({ node, route }: Endpoint): InputShape {
  return {
    route,
    response: toCreateResult(node, node.responses),
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

/**
 * What a handler is called with: the slots that are declared and no others. The signal is a getter, for a request whose signal nobody reads
 * is served in half the time by Deno.
 */
class HandlerArgument {
  readonly #call: ServerCall;
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
    const { slots } = call;
    this.#call = call;
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

  get signal(): AbortSignal {
    return this.#call.request.signal;
  }
}
