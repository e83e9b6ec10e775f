import { type RouteNode } from "../contract/node.ts";
import { declaredSlots } from "../contract/slots.ts";
import { isInstance } from "../is_instance.ts";
import { type ResponseRepresentation } from "../representation/representation.ts";
import { routeLabel } from "../route_label.ts";
import { type Ending } from "../signals.ts";
import { planResponses, type ResponsePlans } from "./decode_response.ts";
import { planRequest, type RequestPlan } from "./encode_request.ts";
import { type CalledRoute, ClientError, type Fail, messageOf } from "./error.ts";
import { type ClientSettings } from "./settings.ts";

/** Everything about the calls of a route that depends only on the route and the client. */
export interface CallPlan extends RequestPlan {
  readonly route: CalledRoute;
  readonly slots: readonly string[];
  readonly responses: ResponsePlans;
  /** Tracks the results whose content the caller may read later. */
  readonly readLater: ResponseRepresentation["readLater"];
  /** Whether a caller may receive the native response. The client does not see when its body has been read. */
  readonly mayBeNative: boolean;
  readonly fail: Fail;
}

/** Plans the calls of a route. `nodes` are all routes of the contract. */
export function planCall(node: RouteNode, nodes: readonly RouteNode[], settings: ClientSettings): CallPlan {
  const route = Object.freeze({ key: node.key, method: node.method, path: node.path });
  const responses = planResponses(node);
  const received = [...responses.values()].map(({ representation }) => representation);
  return {
    ...planRequest(node, nodes, settings),
    route,
    slots: declaredSlots(node),
    responses,
    readLater: received.find(({ readLater }) => readLater)?.readLater,
    mayBeNative: received.some(({ isNative }) => isNative),
    fail: (code, state, details) =>
      new ClientError(code, `Cannot call ${routeLabel(route)}: ${state}`, {
        status: details.response?.status,
        ...details,
        route,
      }),
  };
}

/** Returns the error for a call that failed, or for a stream that could not be read. */
export function explain(
  { fail, route }: CallPlan,
  { signal, timeout }: Ending,
  cause: unknown,
  response: Response | undefined,
): ClientError {
  if (signal?.aborted) {
    return timeout?.aborted
      ? fail("timeout", "it timed out", { response, cause })
      : fail("aborted", "its signal was aborted", { response, cause });
  }
  if (isOwnError(route, cause)) return cause;
  return fail("network", "no response arrived, or it was interrupted", { response, cause });
}

/** Whether a thrown value is an error of this route's calls. */
export function isOwnError(route: CalledRoute, cause: unknown): cause is ClientError {
  return isInstance(cause, ClientError) && cause.route === route;
}

/** Returns the error for a function of `around` that threw. */
export function toInvalidOutcome({ fail }: CallPlan, cause: unknown): ClientError {
  return fail("invalid-outcome", `a function of "around" threw: ${messageOf(cause)}`, { cause });
}

/** Returns the error for an input that cannot be sent. */
export function toInvalidInput({ fail }: CallPlan, cause: unknown): ClientError {
  return fail("invalid-input", messageOf(cause), { cause });
}
