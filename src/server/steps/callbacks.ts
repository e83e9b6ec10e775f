/** The steps that call the application before the handler: `contextInput`, guards and the context factory. */
import type { Awaitable } from "../../awaitable.ts";
import { closeSource } from "../../producer.ts";
import type { RouteInfo } from "../define/call.ts";
import type { ContextFactory, GuardWithResponses } from "../define/endpoint.ts";
import { describeResult, isResult, notAResultError, type Stop } from "../define/result.ts";
import { setOwn } from "../../wire/text_fields.ts";
import {
  EarlyResult,
  type Exchange,
  RequestArgument,
  type Step,
  toCreateEarlyResult,
  toStep,
} from "../http/exchange.ts";

/**
 * The option `contextInput`: returns the second argument of verifiers, guards and the context factory, from the runtime's
 * arguments.
 */
export type ToContextInput = (request: Request, ...runtime: unknown[]) => Awaitable<object>;

/** Plans the step that runs `contextInput`. */
export function planContextInput(contextInput: ToContextInput): Step {
  return toStep({
    phase: "context",
    canAnswer: false,
    call: ({ request, runtimeArguments }) => contextInput(request, ...runtimeArguments),
    accept: (made, exchange) => void (exchange.added = toObject(made, "contextInput()")),
  });
}

/** Plans the step that creates the context of a route's requests with the server's factory. */
export function planContext(route: RouteInfo, createContext: ContextFactory): Step {
  return toStep({
    phase: "context",
    canAnswer: false,
    call: (exchange) => createContext(toArgument(exchange, route), exchange.added),
    accept: (made, exchange) => void (exchange.context = toObject(made, 'defineServer(): "context"')),
  });
}

/**
 * Returns the argument of a context factory. `contextInput` cannot replace `request`, `signal`, `route` and `caller`.
 */
function toArgument({ request, added, caller }: Exchange, route: RouteInfo): object {
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

/** Plans the step of a guard, which runs before the body is read. A result that it returns or throws is the answer. */
export function planGuard({ run, shared }: GuardWithResponses, route: RouteInfo): Step {
  const response = toCreateEarlyResult(route, shared);
  return toStep({
    phase: "guard",
    canAnswer: true,
    call: ({ request, caller, added }) =>
      run(Object.assign(new RequestArgument(request, route), { caller, response }), added),
    accept(result): Stop | void {
      if (result === undefined) return;
      if (isResult(result)) return new EarlyResult(result);
      closeSource(result);
      throw notAResultError(route, "a guard", result);
    },
  });
}
