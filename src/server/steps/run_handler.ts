/** The step that runs middleware and handler, without HTTP. */
import { isPromise } from "../../awaitable.ts";
import { handlerResponses } from "../../contract/node.ts";
import type { Responses } from "../../contract/response.ts";
import { parameterNames } from "../../path.ts";
import { CallbackArgument, type RouteInfo, type ServerCall, type Slots } from "../define/call.ts";
import type { Endpoint } from "../define/implementation.ts";
import { type AnswerCall, foldMiddleware } from "../define/middleware.ts";
import { type CreateResult, isResult, type Outcome, type Stop, toCreateResult, toFailure } from "../define/result.ts";
import type { Exchange, Step } from "../http/exchange.ts";

/** Plans the step that runs the middleware and the handler. A result that they throw is a result. */
export function planHandler(endpoint: Endpoint): Step {
  const run = planRun(endpoint);
  return {
    phase: "handler",
    take(exchange): Outcome<void> {
      try {
        const result = run(exchange);
        if (isPromise(result)) return addResultLater(result, exchange);
        exchange.result = result;
      } catch (thrown) {
        return recover(thrown, exchange);
      }
    },
  };
}

function addResultLater(result: PromiseLike<unknown>, exchange: Exchange): Promise<Stop | void> {
  return Promise.resolve(result).then(
    (result) => void (exchange.result = result),
    (thrown) => recover(thrown, exchange),
  );
}

/** Adds a result that was thrown. If the body's stream had stopped, that was the cause of any other error. */
function recover(thrown: unknown, exchange: Exchange): Stop | void {
  if (!isResult(thrown)) {
    const failure = toFailure("handler", thrown);
    return failure.phase === "handler" ? exchange.bodyStop?.()?.stop ?? failure : failure;
  }
  exchange.result = thrown;
}

/** Plans how to answer a call: with the middleware, then the handler. Each can return or throw a result. */
function planRun(endpoint: Endpoint): AnswerCall {
  const { node, route, middleware, handle } = endpoint;
  const shape = planInput(endpoint);
  const callHandler: AnswerCall = (call) => handle(new HandlerArgument(shape, call));
  return middleware.length === 0 ? callHandler : foldMiddleware(middleware, callHandler, route, handlerResponses(node));
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
    super(call);
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
