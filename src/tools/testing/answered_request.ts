/** A request with its response and the verdict of the contract. */
import { handlerResponses } from "../../contract/node.ts";
import type { Responses } from "../../contract/response.ts";
import type { Show } from "./finding.ts";
import type { Verdict } from "./reference.ts";
import type { RoutePlan } from "./route_plan.ts";
import type { WireRequest } from "./wire_request.ts";
import type { Answer } from "./target.ts";

export interface AnsweredRequest {
  readonly request: WireRequest;
  /** What the contract requires of the response. */
  readonly verdict: Verdict;
  /** The response of the server. */
  readonly answer: Answer;
  /** The route that the request reaches. If it reaches none, the route whose request was modified, or `undefined`. */
  readonly plan: RoutePlan | undefined;
}

/** The settings that rules depend on, in addition to the exchange. */
export interface RuleSettings {
  /** Whether the server may be another implementation, which may refuse requests differently. */
  readonly isLenient: boolean;
  /** The responses that all routes share. */
  readonly shared: Responses;
  /** The declared refusals of requests that match no route. */
  readonly outside: RoutePlan;
  /** The plans of all routes, by key. */
  readonly plans: ReadonlyMap<string, RoutePlan>;
  /** Formats a text of the server for a message. */
  readonly show: Show;
}

/** Tests whether the handler of a request can return a status. */
export function isDeclared({ plan }: Pick<AnsweredRequest, "plan">, status: number): boolean {
  return plan !== undefined && Object.hasOwn(handlerResponses(plan.node), status);
}
