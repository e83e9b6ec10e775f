/** Answers to requests that were stopped: refusals, perhaps as the contract declares them, and failures. */
import { attempt, type Ready, whenReady } from "../../awaitable.ts";
import { declaredRefusals, type Refusals, sentStatus } from "../../contract/refusals.ts";
import { closeSource } from "../../producer.ts";
import { RequestArgument, type RouteInfo } from "../define/call.ts";
import { type AnyRefuse, fillerOf } from "../define/refuse.ts";
import {
  Failure,
  isResult,
  labelOf,
  notAResultError,
  type Result,
  ResultError,
  type Stop,
  toCreateResult,
} from "../define/result.ts";
import { disconnected, editAnswer, type Sent } from "../http/answer.ts";
import type { Exchange } from "../http/exchange.ts";
import { Refusal, refuse } from "../http/refusal.ts";
import { askOnError, type OnError, reportOnly } from "./reports.ts";
import type { EncodeResponse } from "./encode_result.ts";

/** The settings for answering requests that were stopped. */
export interface StopSettings {
  /** Builds declared refusals. `undefined` if all are problem documents that nothing observes. */
  readonly shape: ShapeRefusal | undefined;
  readonly onError: OnError;
}

/** Returns the answer to a request that was stopped. */
export function answerStop(stop: Stop, exchange: Exchange, { shape, onError }: StopSettings): Sent | Promise<Sent> {
  if (stop instanceof Refusal) return shape ? shape(stop, exchange) : stop.answer;
  if (!(stop instanceof Failure) || exchange.isGone) return disconnected;
  const refusal = refuse("internal-error");
  return whenReady(
    shape ? shape(refusal, exchange) : refusal.answer,
    (sent) => askOnError(onError, stop, exchange, sent),
  );
}

/** Answers refusals as the contract declares them. */
type ShapeRefusal = (refusal: Refusal, exchange: Exchange) => Sent | Promise<Sent>;

/** What {@linkcode planShapedRefusal} needs. */
interface ShapeSettings {
  /** The server's option `refuse`. */
  readonly run: AnyRefuse | undefined;
  /** The declared refusals. */
  readonly refusals: Refusals | undefined;
  /** The route. `undefined` for requests without one. */
  readonly route: RouteInfo | undefined;
  readonly encode: EncodeResponse;
  /** Receives the failures of `refuse`. */
  readonly onError: OnError;
}

/**
 * Plans how to answer declared refusals, with `refuse` if the server has it. Its failures are reported, and the problem
 * document is sent.
 */
export function planShapedRefusal({ run, refusals, route, encode, onError }: ShapeSettings): ShapeRefusal {
  const declared = declaredRefusals(refusals);
  const response = toCreateResult(route, declared);
  /** Asks the application for the result. `undefined` for a refusal that is not declared. */
  const ask = ({ problem }: Refusal, exchange: Exchange): Ready<Result | undefined> => {
    const status = sentStatus(refusals, problem.status);
    const own = status === undefined ? undefined : fillerOf(declared[status]!)?.(problem, status);
    if (!run) return own;
    const input = Object.assign(new RequestArgument(exchange, route), { problem, status, response });
    return whenReady(
      run(input),
      (result) => result === undefined && (own || status === undefined) ? own : checkShape(result, status, route),
    ) as Ready<Result | undefined>;
  };
  return (refusal, exchange) =>
    attempt(
      () =>
        whenReady(ask(refusal, exchange), (result): Ready<Sent> =>
          result
            ? whenReady(encode(result, exchange), (sent) => keepFields(sent, refusal, exchange))
            : refusal.answer),
      (error) => {
        if (!exchange.isGone) reportOnly(onError, { error, phase: "encode" }, exchange, refusal.answer);
        return refusal.answer;
      },
    ) as Sent | Promise<Sent>;
}

/**
 * Returns the result that `refuse` returned, with each member read once. Throws if it is not one of the declared
 * status.
 */
function checkShape(returned: unknown, status: number | undefined, route: RouteInfo | undefined): Result {
  if (!isResult(returned)) {
    closeSource(returned);
    throw notAResultError(route, "refuse", returned);
  }
  const result: Result = { status: returned.status, body: returned.body, headers: returned.headers };
  if (result.status === status) return result;
  closeSource(result.body);
  const expected = status === undefined ? "nothing for a refusal that is not declared" : `response(${status}, …)`;
  throw new ResultError(`Cannot answer ${labelOf(route)}: refuse must return ${expected}, got ${result.status}`);
}

/** Sets the headers that a refusal has in any format. Only the option `cors` lets pages of other origins read it. */
function keepFields(sent: Sent, { fields }: Refusal, { isPrivate }: Exchange): Sent {
  const kept = Object.entries(isPrivate ? { ...fields, "cache-control": "no-store" } : fields);
  return editAnswer(sent, (headers) => {
    const names: string[] = [];
    headers.forEach((_, name) => names.push(name));
    for (const name of names) if (name.startsWith("access-control-")) headers.delete(name);
    for (const [name, value] of kept) headers.set(name, value);
  });
}
