import { type Awaitable } from "../awaitable.ts";
import { type RouteInfo } from "../server/call.ts";
import { type ContextFactory } from "../server/endpoint.ts";
import { describeResult } from "../server/result.ts";
import { setOwn } from "../wire/text_fields.ts";
import { type Exchange, RequestArgument, type Step, toStep } from "./exchange.ts";

/** The option `contextInput`: returns additions to the input of a context factory from the runtime's arguments. */
export type ToContextInput = (request: Request, ...runtime: unknown[]) => Awaitable<object>;

/** Plans the step that runs `contextInput`. */
export function planRuntime(contextInput: ToContextInput): Step {
  return toStep({
    phase: "context",
    canAnswer: false,
    call: ({ request, runtimeArguments }) => contextInput(request, ...runtimeArguments),
    accept: (made, exchange) => void (exchange.runtime = toObject(made, "contextInput()")),
  });
}

/** Plans the step that creates the context of a route's requests with the server's factory. */
export function planContext(route: RouteInfo, createContext: ContextFactory): Step {
  return toStep({
    phase: "context",
    canAnswer: false,
    call: (exchange) => createContext(toArgument(exchange, route), exchange.runtime),
    accept: (made, exchange) => void (exchange.context = toObject(made, 'defineServer(): "context"')),
  });
}

/** The argument of a context factory. `contextInput` cannot replace `request`, `signal`, `route` and `caller`. */
function toArgument({ request, runtime, caller }: Exchange, route: RouteInfo): object {
  const argument: object = new RequestArgument(request, route);
  for (const [key, value] of Object.entries(runtime)) {
    if (!reserved.includes(key)) setOwn(argument as Record<string, unknown>, key, value);
  }
  return Object.assign(argument, { caller });
}

const reserved: readonly string[] = ["request", "signal", "route", "caller"];

function toObject(made: unknown, maker: string): object {
  if (typeof made === "object" && made !== null) return made;
  throw new TypeError(`${maker} must return an object, got ${describeResult(made)}`);
}
