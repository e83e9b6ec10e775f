import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import { type ContextFactory } from "../server/endpoint.ts";
import { type RouteInfo } from "../server/call.ts";
import { Stop } from "../server/stop.ts";
import { setOwn } from "../wire/text_fields.ts";
import { unlessGone } from "./refusal.ts";

/** Makes what an adapter adds to the input of a context factory, from the runtime's own arguments. */
export type ToContextInput = (request: Request, ...runtime: unknown[]) => Awaitable<object>;

/** Makes the context of one request. */
export type CreateContext = (request: Request, runtime: readonly unknown[]) => Awaitable<object>;

/** What makes the context of a route's requests: `contextInput` first, then the server's factory. */
export function planContext(
  route: RouteInfo,
  createContext: ContextFactory,
  contextInput: ToContextInput | undefined,
): CreateContext {
  const create = (request: Request, added: object | undefined): Awaitable<object> =>
    whenReady(createContext(new Input(request, route, added)), (made) => checkObject(made, "the context factory"));
  return (request, runtime) => {
    const context = contextInput
      ? whenReady(
        addInput(contextInput, request, runtime),
        (added) => added instanceof Stop ? added : create(request, added),
      )
      : create(request, undefined);
    return isPromise(context) ? context.then((made) => unlessGone(request, made)) : context;
  };
}

/** What is added to the input, unless the client has gone while that was made. */
function addInput(
  toContextInput: ToContextInput,
  request: Request,
  runtime: readonly unknown[],
): Awaitable<object> {
  const added = toContextInput(request, ...runtime);
  const check = (added: object): object => checkObject(added, "contextInput");
  return isPromise(added) ? Promise.resolve(added).then((made) => unlessGone(request, check(made))) : check(added);
}

/** The input of a context factory. The signal is a getter, as a handler's is. */
class Input {
  readonly request: Request;
  readonly route: RouteInfo;

  constructor(request: Request, route: RouteInfo, added: object | undefined) {
    for (const [key, value] of Object.entries(added ?? {})) {
      if (key !== "signal") setOwn(this as object as Record<string, unknown>, key, value);
    }
    this.request = request;
    this.route = route;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }
}

function checkObject(made: unknown, maker: string): object {
  if (typeof made === "object" && made !== null) return made;
  throw new TypeError(`Cannot make a context: ${maker} gave ${made === null ? "null" : typeof made}; return an object`);
}
