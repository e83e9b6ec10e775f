import { type Awaitable } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type Responses } from "../contract/response.ts";
import { parameterNames } from "../path.ts";
import { type RouteInfo, type SignalSource } from "./call.ts";
import { type AnswerCall, type AnyMiddleware, foldMiddleware } from "./middleware.ts";
import { type CreateResult, isResult, toCreateResult } from "./result.ts";
import { guard } from "./stop.ts";

/** Makes the context of a request out of what the adapter gives. */
export type ContextFactory = (input: object) => Awaitable<object>;

/** One route with the handler that answers it, and the context and the middleware that handler works in. */
export interface Endpoint {
  /** The route in its place. */
  readonly node: RouteNode;
  /** The same as its handler and hooks are told. */
  readonly route: RouteInfo;
  /** Makes the context; absent where the server has none. */
  readonly createContext: ContextFactory | undefined;
  /** What stands before the handler, the first outermost. */
  readonly middleware: readonly AnyMiddleware[];
  /** The responses that the contract declares for all routes, which middleware may give. */
  readonly shared: Responses;
  /** Answers a call with a result, returned or thrown. */
  readonly handle: (input: object) => unknown;
}

/** What answers an endpoint's calls: its middleware, then its handler. A thrown result is a result. */
export function planRun(endpoint: Endpoint): AnswerCall {
  const { route, middleware, shared } = endpoint;
  const handle = planHandle(endpoint);
  if (middleware.length === 0) return guard("handler", handle, isResult);
  return guard("handler", foldMiddleware(middleware, handle, route, toCreateResult(route, shared)));
}

/** What runs an endpoint's handler: its input is laid out as declared. */
function planHandle({ node, route, handle }: Endpoint): AnswerCall {
  const response = toCreateResult(node, node.responses);
  const hasParams = node.params !== undefined || parameterNames(node.path).length > 0;
  const hasQuery = node.query !== undefined;
  const hasHeaders = node.headers !== undefined;
  const hasBody = node.body !== undefined;
  return (slots, context, source) => {
    const input = new Input(source, context, route, response);
    if (hasParams) input.params = slots.params;
    if (hasQuery) input.query = slots.query;
    if (hasHeaders) input.headers = slots.headers;
    if (hasBody) input.body = slots.body;
    return handle(input);
  };
}

/** A handler's input. The signal is a getter, for a request whose signal nobody reads is served in half the time by Deno. */
class Input {
  readonly #source: SignalSource;
  declare params?: unknown;
  declare query?: unknown;
  declare headers?: unknown;
  declare body?: unknown;

  constructor(
    source: SignalSource,
    readonly context: object,
    readonly route: RouteInfo,
    readonly response: CreateResult<Responses>,
  ) {
    this.#source = source;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }
}
