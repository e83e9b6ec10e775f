import { type Awaitable, whenReady } from "../awaitable.ts";
import { type ContextFactory } from "../server/endpoint.ts";
import { type RouteInfo } from "../server/call.ts";
import { type Outcome, Stop } from "../server/stop.ts";
import { setOwn } from "../wire/text_fields.ts";
import { unlessGone } from "./refusal.ts";

/** Makes what an adapter adds to the input of a context factory, from the runtime's own arguments. */
export type ToContextInput = (request: Request, ...runtime: unknown[]) => Awaitable<object>;

/** Makes the context of one request. */
export type CreateContext = (request: Request, runtime: readonly unknown[]) => Outcome<object>;

/** Plans how the context of a route's requests is made: by `contextInput` first, then by the server's factory. */
export function planContext(
  route: RouteInfo,
  createContext: ContextFactory,
  contextInput: ToContextInput | undefined,
): CreateContext {
  const create = (request: Request, added: object | undefined): Outcome<object> => {
    const context = createContext(new FactoryArgument(request, route, added));
    return unlessGone(whenReady(context, (context) => toObject(context, "the context factory")), request);
  };
  if (!contextInput) return (request) => create(request, undefined);
  return (request, runtime) => {
    const input = whenReady(contextInput(request, ...runtime), (added) => toObject(added, "contextInput"));
    return whenReady(unlessGone(input, request), (added) => added instanceof Stop ? added : create(request, added));
  };
}

/** What a context factory is called with. The signal is a getter, as a handler's is. */
class FactoryArgument {
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

function toObject(made: unknown, maker: string): object {
  if (typeof made === "object" && made !== null) return made;
  throw new TypeError(`Cannot make a context: ${maker} gave ${made === null ? "null" : typeof made}; return an object`);
}
