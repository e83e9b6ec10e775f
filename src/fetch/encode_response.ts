import { type Ready } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { closeSource } from "../producer.ts";
import { routeLabel } from "../route_label.ts";
import { isResult, noResult, undeclaredStatus } from "../server/result.ts";
import { type Exchange, type ReportFailure } from "./plan_result.ts";
import { resultPlans } from "./representations.ts";

/** Checks and encodes what a handler gave; throws if it is not what the route declares. */
export type EncodeResponse = (result: unknown, exchange: Exchange) => Ready<Response>;

/** Plans how the results of a route are encoded, by status. */
export function planEncode(node: RouteNode, reportFailure: ReportFailure): EncodeResponse {
  const where = routeLabel(node);
  const reads = node.method === "GET" || node.method === "HEAD";
  const encoders = new Map(
    Object.entries(node.responses).map(([key, declared]: [string, ResponseDeclaration]) => {
      const status = Number(key);
      const place = { status, declared, name: `${status} from ${where}`, mayRevalidate: reads && status === 200 };
      return [status, resultPlans[declared.kind]({ ...place, reportFailure })] as const;
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
