import { type Awaitable, whenReady } from "../awaitable.ts";
import { type ContextFactory } from "../server/endpoint.ts";
import { type RouteInfo } from "../server/call.ts";
import { describeResult, type Outcome, Stop } from "../server/result.ts";
import { setOwn } from "../wire/text_fields.ts";
import { unlessDisconnected } from "./refusal.ts";
import { RequestArgument } from "./guard.ts";

/** The option `contextInput`: returns additions to the input of a context factory from the runtime's arguments. */
export type ToContextInput = (request: Request, ...runtime: unknown[]) => Awaitable<object>;

/** A request, with the runtime's further arguments. */
export interface RuntimeRequest {
  readonly request: Request;
  readonly runtime: readonly unknown[];
}

/** Runs `contextInput` for a request. */
export type ReadRuntime = (source: RuntimeRequest) => Outcome<object>;

/** Plans how to run `contextInput`. Without one, the result is an empty object. */
export function planRuntime(contextInput: ToContextInput | undefined): ReadRuntime {
  if (!contextInput) return () => noInput;
  return ({ request, runtime }) => {
    const input = whenReady(contextInput(request, ...runtime), (added) => toObject(added, "contextInput()"));
    return unlessDisconnected(input, request);
  };
}

const noInput: object = Object.freeze({});

/** A request for which a context is created. */
export interface ContextSource extends RuntimeRequest {
  /** The caller that a verifier returned. */
  readonly caller: object | undefined;
  /** The return value of `contextInput`, if it has run already. */
  readonly added: object | undefined;
}

/** Creates the context of one request. */
export type CreateContext = (source: ContextSource) => Outcome<object>;

/** Plans how to create the context of a route's requests: `contextInput` first, then the server's factory. */
export function planContext(route: RouteInfo, createContext: ContextFactory, readRuntime: ReadRuntime): CreateContext {
  const create = (added: object | Stop, source: ContextSource): Outcome<object> => {
    if (added instanceof Stop) return added;
    const context = createContext(toArgument(source, route, added), added);
    return unlessDisconnected(
      whenReady(context, (context) => toObject(context, 'defineServer(): "context"')),
      source.request,
    );
  };
  return (source) => whenReady(source.added ?? readRuntime(source), create, source);
}

/** The argument of a context factory. `contextInput` cannot replace `request`, `signal`, `route` and `caller`. */
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
  throw new TypeError(`${maker} must return an object, got ${describeResult(made)}`);
}
