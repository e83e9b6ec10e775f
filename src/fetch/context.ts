import { type Awaitable, whenReady } from "../awaitable.ts";
import { type ContextFactory } from "../server/endpoint.ts";
import { type RouteInfo } from "../server/call.ts";
import { type Outcome, Stop } from "../server/stop.ts";
import { setOwn } from "../wire/text_fields.ts";
import { unlessGone } from "./refusal.ts";
import { RequestArgument } from "./request_argument.ts";

/** Makes what an adapter adds to the input of a context factory, from the runtime's own arguments. */
export type ToContextInput = (request: Request, ...runtime: unknown[]) => Awaitable<object>;

/** A request, and what the runtime passed beside it. */
export interface RuntimeRequest {
  readonly request: Request;
  readonly runtime: readonly unknown[];
}

/** Runs `contextInput` for a request. */
export type ReadRuntime = (source: RuntimeRequest) => Outcome<object>;

/** Plans how `contextInput` is run; without one its result is an empty object. */
export function planRuntime(contextInput: ToContextInput | undefined): ReadRuntime {
  if (!contextInput) return () => noInput;
  return ({ request, runtime }) => {
    const input = whenReady(contextInput(request, ...runtime), (added) => toObject(added, "contextInput"));
    return unlessGone(input, request);
  };
}

const noInput: object = Object.freeze({});

/** A request whose context is to be made. */
export interface ContextSource extends RuntimeRequest {
  /** The caller that a verifier returned. */
  readonly caller: object | undefined;
  /** What `contextInput` returned, where it was run before. */
  readonly added: object | undefined;
}

/** Makes the context of one request. */
export type CreateContext = (source: ContextSource) => Outcome<object>;

/** Plans how the context of a route's requests is made: by `contextInput` first, then by the server's factory. */
export function planContext(route: RouteInfo, createContext: ContextFactory, readRuntime: ReadRuntime): CreateContext {
  const create = (added: object | Stop, source: ContextSource): Outcome<object> => {
    if (added instanceof Stop) return added;
    const context = createContext(toArgument(source, route, added), added);
    return unlessGone(whenReady(context, (context) => toObject(context, "the context factory")), source.request);
  };
  return (source) => whenReady(source.added ?? readRuntime(source), create, source);
}

/** What a context factory is called with: `request`, `signal`, `route` and `caller` are never those of `contextInput`. */
function toArgument({ request, caller }: ContextSource, route: RouteInfo, added: object): object {
  const argument: object = new RequestArgument(request, route);
  for (const [key, value] of Object.entries(added)) {
    if (!reserved.includes(key)) setOwn(argument as Record<string, unknown>, key, value);
  }
  return Object.assign(argument, { caller });
}

const reserved: readonly string[] = ["request", "signal", "route", "caller"];

function toObject(made: unknown, maker: string): object {
  if (typeof made === "object" && made !== null) return made;
  throw new TypeError(`Cannot make a context: ${maker} gave ${made === null ? "null" : typeof made}; return an object`);
}
