/** Responses to requests that were stopped: refusals, perhaps as the contract declares them, and failures. */
import { attempt, type Awaitable, type Ready, whenReady } from "../../awaitable.ts";
import { declaredRefusals, type Refusals, sentStatus } from "../../contract/refusals.ts";
import { isResponse } from "../../native_response.ts";
import { closeSource } from "../../producer.ts";
import type { RouteInfo } from "../define/call.ts";
import { type AnyRefuse, fillerOf } from "../define/refuse.ts";
import {
  type ErrorPhase,
  Failure,
  isResult,
  labelOf,
  notAResultError,
  type Result,
  ResultError,
  type Stop,
  toCreateResult,
} from "../define/result.ts";
import {
  dropBody,
  editHeaders,
  frameNative,
  isSendable,
  keepFraming,
  Refusal,
  refuse,
  respondDisconnected,
} from "../http/native_answer.ts";
import type { EncodeResponse } from "./representations.ts";
import type { Exchange } from "../http/exchange.ts";

/** The settings for answering requests that were stopped. */
export interface StopSettings {
  /** The route. `undefined` for requests without one. */
  readonly route: RouteInfo | undefined;
  /** Builds declared refusals. `undefined` if all are problem documents that nothing observes. */
  readonly shape: ShapeRefusal | undefined;
  readonly onError: OnError;
}

/** Returns the response to a request that was stopped. */
export function answerStop(
  stop: Stop,
  stopped: Exchange,
  settings: StopSettings,
): Response | Promise<Response> {
  if (stop instanceof Refusal) return answerRefusal(stop, stopped, settings.shape);
  if (!(stop instanceof Failure) || stopped.request.signal.aborted) return respondDisconnected();
  return answerFailure(stop, stopped, settings);
}

function answerRefusal(
  refusal: Refusal,
  refused: Exchange,
  shape: ShapeRefusal | undefined,
): Response | Promise<Response> {
  if (shape === undefined) return refusal.respond(refused.isHead);
  return whenReady(shape.ask(refusal, refused), (result) => build(result, refusal, refused, shape));
}

/**
 * Answers a failure. It builds the response before it calls the hook, which may return another. If the hook has
 * read the response, it is built again.
 */
function answerFailure(
  { error, phase }: Failure,
  failed: Exchange,
  { route, shape, onError }: StopSettings,
): Response | Promise<Response> {
  const { request } = failed;
  const refusal = refuse("internal-error");
  const report = (response: Response, result: Result | undefined): Response | Promise<Response> => {
    const failureReport = { error, phase, ...(route && { route }), request, response };
    const restoreFraming = keepFraming(response);
    return whenReady(reportFailure(onError, failureReport), (replacement) => {
      restoreFraming();
      if (replacement || isSendable(response)) return replacement ?? response;
      return build(result, refusal, failed, shape);
    });
  };
  return whenReady(
    shape?.ask(refusal, failed),
    (result) => whenReady(build(result, refusal, failed, shape), report, result),
  );
}

/** Returns the response of a result, or of the problem document if there is none. */
function build(
  result: Result | undefined,
  refusal: Refusal,
  refused: Exchange,
  shape: ShapeRefusal | undefined,
): Response | Promise<Response> {
  return shape && result ? shape.build(result, refusal, refused) : refusal.respond(refused.isHead);
}

/** Answers refusals as the contract declares them. */
interface ShapeRefusal {
  /** Asks the application for the result. `undefined` for a refusal that is not declared. */
  readonly ask: (refusal: Refusal, refused: Exchange) => Ready<Result | undefined>;
  /** Builds the response of that result. */
  readonly build: (result: Result, refusal: Refusal, refused: Exchange) => Response | Promise<Response>;
}

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
  const fail = (error: unknown, refusal: Refusal, { request, isHead }: Exchange): void => {
    if (request.signal.aborted) return;
    const response = refusal.respond(isHead);
    reportOnly(onError, { error, phase: "encode", ...(route && { route }), request, response });
  };
  return {
    ask(refusal, refused): Ready<Result | undefined> {
      const { problem } = refusal;
      const status = sentStatus(refusals, problem.status);
      const own = status === undefined ? undefined : fillerOf(declared[status]!)?.(problem, status);
      if (!run) return own;
      const input = { problem, request: refused.request, route, status, response };
      return attempt(
        () =>
          whenReady(
            run(input),
            (result) => result === undefined && (own || status === undefined) ? own : checkShape(result, status, route),
          ),
        (error) => void fail(error, refusal, refused),
      );
    },
    build(result, refusal, refused): Response | Promise<Response> {
      return attempt(
        () => whenReady(encode(result, refused), (response) => keepFields(response, refusal, refused)),
        (error) => {
          fail(error, refusal, refused);
          return refusal.respond(refused.isHead);
        },
      );
    },
  };
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
function keepFields(response: Response, { fields }: Refusal, { isPrivate }: Exchange): Response {
  const kept = Object.entries(isPrivate ? { ...fields, "cache-control": "no-store" } : fields);
  return editHeaders(response, (headers) => {
    for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
    for (const [name, value] of kept) headers.set(name, value);
  });
}

/** The argument of an {@linkcode OnError} hook. */
export interface ErrorReport {
  /** The error that was thrown, or an error that describes what is wrong with a result. */
  readonly error: unknown;
  /** The step in which the error occurred. */
  readonly phase: ErrorPhase;
  /** The matched route, if there is one. */
  readonly route?: RouteInfo;
  /** The request, whose body may have been read. */
  readonly request: Request;
  /** The response that is about to be sent. In the phase `stream`, the response whose body has failed. */
  readonly response: Response;
}

/**
 * Called for every 5xx that the adapter produces, for every stream that fails, and when the function `cors.origins` or
 * the server's `refuse` fails. Each is reported once. If it returns a response, that is sent instead of a 5xx. It can
 * be asynchronous.
 */
export type OnError = (report: ErrorReport) => Awaitable<Response | undefined | void>;

/**
 * Reports a failure to the hook, and returns the hook's response to send instead. Errors that the hook throws are
 * ignored.
 */
function reportFailure(onError: OnError, report: ErrorReport): Ready<Response | undefined> {
  const isHead = report.request.method === "HEAD";
  const choose = (returned: unknown): Response | undefined => {
    if (!isResponse(returned) || !isSendable(returned)) return undefined;
    const response = frameHooked(returned, "the response of onError", report, onError);
    return isHead ? dropBody(response) : response;
  };
  return attempt(() => whenReady(onError(report), choose), () => undefined);
}

/** Returns the response of a hook, whose headers fit its body. A body that fails is reported. */
export function frameHooked(
  response: Response,
  name: string,
  { request, route }: { readonly request: Request; readonly route?: RouteInfo | undefined },
  onError: OnError,
): Response {
  const report = (error: unknown, response: Response): void =>
    reportOnly(onError, { error, phase: "stream", ...(route && { route }), request, response });
  return frameNative(response, { name, isHead: request.method === "HEAD", report });
}

/**
 * Reports a failure whose response does not change, such as a stream's. The hook's result is ignored, even if it
 * rejects.
 */
export function reportOnly(onError: OnError, report: ErrorReport): void {
  attempt(() => onError(report), () => {}); // errors of the hook are ignored
}
