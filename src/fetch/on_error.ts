/** The hook `onError`, which receives failures. */
import { attempt, type Awaitable, type Ready, whenReady } from "../awaitable.ts";
import { isResponse } from "../native_response.ts";
import { type RouteInfo } from "../server/call.ts";
import { type ErrorPhase } from "../server/stop.ts";
import { dropBody } from "./respond.ts";

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
export function reportFailure(onError: OnError, report: ErrorReport): Ready<Response | undefined> {
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
export function isUnreadResponse(response: Response): boolean {
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
