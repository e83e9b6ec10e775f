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

/** What follows from a route and a client alone. */
export interface CallPlan extends RequestPlan {
  readonly route: CalledRoute;
  readonly slots: readonly string[];
  readonly responses: ResponsePlans;
  /** How results are tracked of which the caller may read the content later. */
  readonly readLater: ResponseRepresentation["readLater"];
  /** Whether a caller may get the native response, the end of whose reading is not seen. */
  readonly mayBeNative: boolean;
  readonly fail: Fail;
}

/** Plans the calls of a route; `nodes` are all routes of the contract. */
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

/** What a caller is told of a call that failed, or of a stream whose reading did. */
export function explain(
  { fail, route }: CallPlan,
  { signal, timeout }: Ending,
  cause: unknown,
  response: Response | undefined,
): ClientError {
  if (signal?.aborted) {
    return timeout?.aborted
      ? fail("timeout", "its time was up", { response, cause })
      : fail("aborted", "its signal aborted", { response, cause });
  }
  if (isOwnError(route, cause)) return cause;
  return fail("network", "no response came, or it broke off", { response, cause });
}

/** Whether something that was thrown is an error of a route's calls. */
export function isOwnError(route: CalledRoute, cause: unknown): cause is ClientError {
  return isInstance(cause, ClientError) && cause.route === route;
}

/** What a caller is told of a function of `around` that threw. */
export function toInvalidOutcome({ fail }: CallPlan, cause: unknown): ClientError {
  return fail("invalid-outcome", `a function of around threw: ${messageOf(cause)}`, { cause });
}

/** What a caller is told of an input that cannot be sent. */
export function toInvalidInput({ fail }: CallPlan, cause: unknown): ClientError {
  return fail("invalid-input", messageOf(cause), { cause });
}
