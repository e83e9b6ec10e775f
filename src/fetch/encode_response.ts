import { type Ready } from "../awaitable.ts";
import { type ResponseDeclaration, type Responses } from "../contract/response.ts";
import { closeSource } from "../producer.ts";
import { type RouteInfo } from "../server/call.ts";
import { isResult, labelOf, notAResultError, undeclaredStatusError } from "../server/result.ts";
import { type ReportFailure } from "./encode_result.ts";
import { type Exchange } from "./exchange.ts";
import { resultPlans } from "./representations.ts";

/** Validates and encodes the result of a handler. Throws if it is not what the route declares. */
export type EncodeResponse = (result: unknown, exchange: Exchange) => Ready<Response>;

/** Plans how to encode the results of a route, by status. Without a route, those of requests that match none. */
export function planEncode(
  route: RouteInfo | undefined,
  responses: Responses,
  reportFailure: ReportFailure,
): EncodeResponse {
  const where = labelOf(route);
  const reads = route?.method === "GET" || route?.method === "HEAD";
  const encoders = new Map(
    Object.entries(responses).map(([key, declared]: [string, ResponseDeclaration]) => {
      const status = Number(key);
      const place = { status, declared, name: `${status} from ${where}`, mayRevalidate: reads && status === 200 };
      return [status, resultPlans[declared.kind]({ ...place, reportFailure })] as const;
    }),
  );
  return (result, exchange) => {
    if (!isResult(result)) {
      closeSource(result);
      throw notAResultError(route, "the handler", result);
    }
    const encode = encoders.get(result.status);
    if (encode) return encode(result, exchange);
    closeSource(result.body);
    throw undeclaredStatusError(route, result.status, encoders.keys());
  };
}
