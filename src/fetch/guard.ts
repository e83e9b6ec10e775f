/** Guards, which run before the body of a request is read. */
import { attempt, whenReady } from "../awaitable.ts";
import { closeSource } from "../producer.ts";
import { type RouteInfo } from "../server/call.ts";
import { type PlacedGuard } from "../server/endpoint.ts";
import { isResult, notAResultError, type Outcome, Stop, toCreateResult } from "../server/result.ts";
import { EarlyResult, recoverEarlyResult, unlessDisconnected } from "./refusal.ts";

/** A request, as guards receive it. */
interface GuardedRequest {
  readonly request: Request;
  /** The caller that a verifier returned. */
  readonly caller: object | undefined;
  /** The return value of `contextInput`. */
  readonly added: object;
}

/** Runs guards. A result of one of them answers the request. */
export type RunGuards = (guarded: GuardedRequest) => Outcome<undefined>;

/** Plans how to run the guards of a route: one after another, as long as each lets the request pass. */
export function planGuards(guards: readonly PlacedGuard[], route: RouteInfo): RunGuards {
  const [first, ...others] = guards.map((guard) => planGuard(guard, route));
  if (!first) return () => undefined;
  return others.reduce(
    (run, next): RunGuards => (guarded) =>
      whenReady(run(guarded), (stop) => stop instanceof Stop ? stop : next(guarded)),
    first,
  );
}

function planGuard({ run, shared }: PlacedGuard, route: RouteInfo): RunGuards {
  const response = toCreateResult(route, shared);
  const toStop = (result: unknown, { caller }: GuardedRequest): Stop | undefined => {
    if (result === undefined) return undefined;
    if (isResult(result)) return new EarlyResult(result, caller === undefined);
    closeSource(result);
    throw notAResultError(route, "a guard", result);
  };
  const recover = (thrown: unknown, { caller }: GuardedRequest): Stop =>
    recoverEarlyResult("guard", thrown, caller === undefined);
  return (guarded) => {
    const { request, caller, added } = guarded;
    const input = Object.assign(new RequestArgument(request, route), { caller, response });
    return unlessDisconnected(attempt(() => run(input, added), recover, toStop, guarded), request);
  };
}

/** The argument of functions that read the head of a request. The signal is a getter, as in a handler's input. */
export class RequestArgument {
  constructor(readonly request: Request, readonly route: RouteInfo) {}

  get signal(): AbortSignal {
    return this.request.signal;
  }
}
