/** Responses to requests that were stopped: refusals, perhaps in the application's own format, and failures. */
import { attempt, type Awaitable, type Ready, whenReady } from "../awaitable.ts";
import { isInMemory, isResponse } from "../native_response.ts";
import { closeSource } from "../producer.ts";
import { type RouteInfo } from "../server/call.ts";
import { type RefuseWithResponses } from "../server/refuse.ts";
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
} from "../server/result.ts";
import { dropBody, editHeaders } from "./response.ts";
import { type EncodeResponse } from "./encode_response.ts";
import { type Exchange } from "./exchange.ts";
import { Refusal, refuse, respondDisconnected } from "./refusal.ts";

/** The settings for answering requests that were stopped. */
export interface StopSettings {
  /** The route. `undefined` for requests without one. */
  readonly info: RouteInfo | undefined;
  /** The server's `refuse` option. `undefined` if refusals are sent as problem documents. */
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
 * Answers a failure. It builds the response before it calls the hook, which may return another. If the hook has read
 * the response, it is built again.
 */
function answerFailure(
  { error, phase }: Failure,
  failed: Exchange,
  { info, shape, onError }: StopSettings,
): Response | Promise<Response> {
  const { request } = failed;
  const refusal = refuse("internal-error");
  const report = (response: Response, result: Result | undefined): Response | Promise<Response> => {
    const failureReport = { error, phase, ...(info && { route: info }), request, response };
    return whenReady(reportFailure(onError, failureReport), (replacement) => {
      if (replacement && result) closeReplaced(response, replacement);
      if (replacement || isUnreadResponse(response)) return replacement ?? response;
      return build(isInMemory(response) ? result : undefined, refusal, failed, shape);
    });
  };
  return whenReady(
    shape?.ask(refusal, failed),
    (result) => whenReady(build(result, refusal, failed, shape), report, result),
  );
}

/** Closes the body of a response that the hook replaced, unless the replacement sends the same body. */
function closeReplaced(response: Response, replacement: Response): void {
  if (response.body !== replacement.body) dropBody(response);
}

/** The response of a result, or of the problem document if there is none. */
function build(
  result: Result | undefined,
  refusal: Refusal,
  refused: Exchange,
  shape: ShapeRefusal | undefined,
): Response | Promise<Response> {
  return shape && result ? shape.build(result, refusal, refused) : refusal.respond(refused.isHead);
}

/** Converts refusals to the application's format. */
interface ShapeRefusal {
  /** Asks the application for a result. `undefined` for the problem document. */
  readonly ask: (refusal: Refusal, refused: Exchange) => Ready<Result | undefined>;
  /** Builds the response of that result. */
  readonly build: (result: Result, refusal: Refusal, refused: Exchange) => Response | Promise<Response>;
}

/** The settings for that conversion. */
interface ShapeSettings {
  /** The route. `undefined` for requests without one. */
  readonly route: RouteInfo | undefined;
  readonly encode: EncodeResponse;
  /** Receives the failures of `refuse`. */
  readonly onError: OnError;
}

/** Plans how to convert refusals with `refuse`. Its failures are reported, and the problem document is sent. */
export function planShapedRefusal(
  { run, shared }: RefuseWithResponses,
  { route, encode, onError }: ShapeSettings,
): ShapeRefusal {
  const response = toCreateResult(route, shared);
  const fail = (error: unknown, refusal: Refusal, { request, isHead }: Exchange): void => {
    if (request.signal.aborted) return;
    const response = refusal.respond(isHead);
    reportOnly(onError, { error, phase: "encode", ...(route && { route }), request, response });
  };
  return {
    ask(refusal, refused): Ready<Result | undefined> {
      const { problem } = refusal;
      const input = { problem, request: refused.request, route, response };
      return attempt(
        () => whenReady(run(input), (result) => checkShape(result, problem.status, route)),
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

/** The result that `refuse` returned, with each member read once. Throws if it must not replace the problem. */
function checkShape(returned: unknown, status: number, route: RouteInfo | undefined): Result | undefined {
  if (returned === undefined) return undefined;
  if (!isResult(returned)) {
    closeSource(returned);
    throw notAResultError(route, "refuse", returned);
  }
  const result: Result = { status: returned.status, body: returned.body, headers: returned.headers };
  if (mayReplace(status, result.status)) return result;
  closeSource(result.body);
  const allowed = status === 401 ? "401" : `a status from ${classOf(status)}00 to ${classOf(status)}99`;
  throw new ResultError(
    `Cannot answer ${labelOf(route)}: refuse must answer ${status} with ${allowed}, got ${result.status}`,
  );
}

/** Clients and caches act on the class of a status, and a challenge belongs to 401 alone. */
function mayReplace(status: number, replacement: number): boolean {
  return status === 401 ? replacement === 401 : classOf(replacement) === classOf(status);
}

function classOf(status: number): number {
  return Math.floor(status / 100);
}

/** Sets the headers that a refusal has in any format. */
function keepFields(response: Response, { fields }: Refusal, { isPrivate }: Exchange): Response {
  const kept = Object.entries(isPrivate ? { ...fields, "cache-control": "no-store" } : fields);
  return kept.length === 0 ? response : editHeaders(response, (headers) => {
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
    if (!isResponse(returned) || !isUnreadResponse(returned)) return undefined;
    return isHead ? dropBody(returned) : returned;
  };
  return attempt(() => whenReady(onError(report), choose), () => undefined);
}

/**
 * Whether nothing has begun to read a response. The getters of some Node adapters throw once the response has been
 * sent.
 */
function isUnreadResponse(response: Response): boolean {
  try {
    return !response.bodyUsed && !response.body?.locked;
  } catch {
    return false;
  }
}

/**
 * Reports a failure whose response does not change, such as a stream's. The hook's result is ignored, even if it
 * rejects.
 */
export function reportOnly(onError: OnError, report: ErrorReport): void {
  attempt(() => onError(report), () => {}); // errors of the hook are ignored
}
