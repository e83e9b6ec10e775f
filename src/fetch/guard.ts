import { closeSource } from "../producer.ts";
import { type RouteInfo } from "../server/call.ts";
import { type GuardWithResponses } from "../server/endpoint.ts";
import { isResult, notAResultError, type Stop } from "../server/result.ts";
import { EarlyResult, RequestArgument, type Step, toCreateEarlyResult, toStep } from "./exchange.ts";

/** Plans the step of a guard, which runs before the body is read. A result that it returns or throws is the answer. */
export function planGuard({ run, shared }: GuardWithResponses, route: RouteInfo): Step {
  const response = toCreateEarlyResult(route, shared);
  return toStep({
    phase: "guard",
    canAnswer: true,
    call: ({ request, caller, runtime }) =>
      run(Object.assign(new RequestArgument(request, route), { caller, response }), runtime),
    accept(result): Stop | void {
      if (result === undefined) return;
      if (isResult(result)) return new EarlyResult(result);
      closeSource(result);
      throw notAResultError(route, "a guard", result);
    },
  });
}
