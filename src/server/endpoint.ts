import { type Awaitable, isPromise } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type Responses } from "../contract/response.ts";
import { parameterNames } from "../path.ts";
import { type RouteInfo, type SignalSource, type Slots } from "./call.ts";
import { type AnswerCall, type AnyMiddleware, foldMiddleware } from "./middleware.ts";
import { type CreateResult, isResult, toCreateResult } from "./result.ts";
import { guard, toTake } from "./stop.ts";

/**
 * Makes the context of a request out of what the adapter gives.
 *
 * @internal
 */
export type ContextFactory = (input: object) => Awaitable<object>;

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
  /** What stands before the handler, the first outermost. */
  readonly middleware: readonly AnyMiddleware[];
  /** The responses that the contract declares for all routes, which middleware may give. */
  readonly shared: Responses;
  /** Answers a call with a result, returned or thrown. */
  readonly handle: (input: object) => unknown;
}

/** What answers an endpoint's calls: its middleware, then its handler. A thrown result is a result. */
export function planRun(endpoint: Endpoint): AnswerCall {
  const { node, route, middleware, shared, handle } = endpoint;
  const layout = planInput(endpoint);
  if (middleware.length > 0) {
    const call: AnswerCall = (slots, context, source) => handle(new Input(layout, slots, context, source));
    const folding = { route, responses: node.responses, response: toCreateResult(route, shared) };
    return guard("handler", foldMiddleware(middleware, call, folding));
  }
  const take = toTake("handler", isResult);
  return (slots, context, source) => { // guard() would take a call more, and 30 ns
    try {
      const result = handle(new Input(layout, slots, context, source));
      return isPromise(result) ? Promise.resolve(result).then(undefined, take) : result;
    } catch (thrown) {
      return take(thrown);
    }
  };
}

/** What of a handler's input is the same for all calls. */
interface Layout {
  readonly route: RouteInfo;
  readonly response: CreateResult<Responses>;
  /** Which slots the route declares. */
  readonly has: Readonly<Record<keyof Slots, boolean>>;
}

function planInput({ node, route }: Endpoint): Layout {
  return {
    route,
    response: toCreateResult(node, node.responses),
    has: {
      params: node.params !== undefined || parameterNames(node.path).length > 0,
      query: node.query !== undefined,
      headers: node.headers !== undefined,
      body: node.body !== undefined,
      contentType: typeof node.body?.contentType === "object",
    },
  };
}

/**
 * A handler's input, with the slots that are declared and no others. The signal is a getter, for a request whose signal nobody reads
 * is served in half the time by Deno.
 */
class Input {
  readonly #source: SignalSource;
  readonly route: RouteInfo;
  readonly response: CreateResult<Responses>;
  declare params?: unknown;
  declare query?: unknown;
  declare headers?: unknown;
  declare body?: unknown;
  declare contentType?: string | undefined;

  constructor({ route, response, has }: Layout, slots: Slots, readonly context: object, source: SignalSource) {
    this.#source = source;
    this.route = route;
    this.response = response;
    if (has.params) this.params = slots.params;
    if (has.query) this.query = slots.query;
    if (has.headers) this.headers = slots.headers;
    if (has.body) this.body = slots.body;
    if (has.contentType) this.contentType = slots.contentType;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }
}
