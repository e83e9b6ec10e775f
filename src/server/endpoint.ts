import { type Awaitable, isPromise } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { parameterNames } from "../path.ts";
import { type RouteInfo, type SignalSource, type Slots } from "./handler.ts";
import { isResult, toCreateResult } from "./result.ts";

/** Makes the context of a request out of what the adapter gives. */
export type ContextFactory = (input: object) => Awaitable<object>;

/** One route with the handler that answers it and the context that handler works in. */
export interface Endpoint {
  /** The route in its place. */
  readonly node: RouteNode;
  /** Makes the context; absent where the server has none. */
  readonly createContext: ContextFactory | undefined;
  /** Answers a call with a result, returned or thrown. */
  readonly handle: (input: object) => unknown;
}

/** Which route an endpoint answers, as handlers and hooks are told. */
export function toRouteInfo({ key, method, path }: RouteNode): RouteInfo {
  return Object.freeze({ key, method, path });
}

/** What runs an endpoint's handler on one call: the input is laid out as declared, a thrown result is a result. */
export function toRun(
  { node, handle }: Endpoint,
): (slots: Slots, context: object, source: SignalSource) => unknown {
  const route = toRouteInfo(node);
  const response = toCreateResult(node);
  const declared = {
    params: node.params !== undefined || parameterNames(node.path).length > 0,
    query: node.query !== undefined,
    headers: node.headers !== undefined,
    body: node.body !== undefined,
  };
  return (slots, context, source) => {
    const input: Record<string, unknown> = new Input(source);
    input.context = context;
    input.route = route;
    input.response = response;
    if (declared.params) input.params = slots.params;
    if (declared.query) input.query = slots.query;
    if (declared.headers) input.headers = slots.headers;
    if (declared.body) input.body = slots.body;
    return catchResult(handle, input);
  };
}

/** A handler's input. The signal is a getter, for a request whose signal nobody reads is served in half the time by Deno. */
class Input {
  readonly #source: SignalSource;
  [slot: string]: unknown;

  constructor(source: SignalSource) {
    this.#source = source;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }
}

function catchResult(handle: (input: object) => unknown, input: object): unknown {
  try {
    const result = handle(input);
    return isPromise(result) ? result.then(undefined, returnThrown) : result;
  } catch (thrown) {
    return returnThrown(thrown);
  }
}

function returnThrown(thrown: unknown): unknown {
  if (isResult(thrown)) return thrown;
  throw thrown;
}
