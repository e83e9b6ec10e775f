/** A request with what the contract and the server said to it. */
import { type RouteNode } from "../contract/node.ts";
import { type Responses } from "../contract/response.ts";
import { type Answer } from "./answer.ts";
import { type Verdict } from "./reference.ts";
import { type RoutePlan } from "./route_plan.ts";
import { type WireRequest } from "./wire_request.ts";

/** An exchange. */
export interface Exchange {
  /** The request. */
  readonly request: WireRequest;
  /** What the contract says of it. */
  readonly verdict: Verdict;
  /** What the server answered. */
  readonly answer: Answer;
  /** The route that the request is for: the one that it reaches, or the one whose request was spoilt; `undefined` for none. */
  readonly plan: RoutePlan | undefined;
}

/** What rules depend on beside the exchange. */
export interface RuleSettings {
  /** Whether the server is not of this package: it may refuse a request in other words. */
  readonly isLenient: boolean;
  /** The responses that every route shares. */
  readonly shared: Responses;
}

/** Whether a status is declared for the route of a request. */
export function isDeclared({ plan }: Pick<Exchange, "plan">, status: number): boolean {
  return plan !== undefined && declares(plan.node, status);
}

function declares({ responses }: RouteNode, status: number): boolean {
  return Object.hasOwn(responses, status);
}
