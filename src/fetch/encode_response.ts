import { type Awaitable } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { closeSource } from "../producer.ts";
import { routeLabel } from "../route_label.ts";
import { isResult, noResult, undeclaredStatus } from "../server/result.ts";
import { type TellOfStream } from "./plan_result.ts";
import { resultPlans } from "./representations.ts";
import { type Exchange } from "./respond.ts";

/** Checks and encodes what a handler gave; throws if it is not what the route declares. */
export type EncodeResponse = (result: unknown, exchange: Exchange) => Awaitable<Response>;

/** What encodes the results of a route, by status. */
export function planEncode(node: RouteNode, tell: TellOfStream): EncodeResponse {
  const where = routeLabel(node);
  const encoders = new Map(
    Object.entries(node.responses).map(([key, declared]: [string, ResponseDeclaration]) => {
      const status = Number(key);
      return [status, resultPlans[declared.kind]({ status, declared, name: `${status} from ${where}`, tell })] as const;
    }),
  );
  return (result, exchange) => {
    if (!isResult(result)) {
      closeSource(result);
      throw noResult(node, "the handler", result);
    }
    const encode = encoders.get(result.status);
    if (encode) return encode(result, exchange);
    closeSource(result.body);
    throw undeclaredStatus(node, result.status, encoders.keys());
  };
}
