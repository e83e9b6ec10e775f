/** The hook that is told what failed. */
import { attempt, type Awaitable, type Ready, whenReady } from "../awaitable.ts";
import { isResponse } from "../native_response.ts";
import { type RouteInfo } from "../server/call.ts";
import { type ErrorPhase } from "../server/stop.ts";
import { dropBody } from "./respond.ts";

/** What an {@linkcode OnError} hook is told. */
export interface ErrorReport {
  /** What was thrown, or an error that says what is wrong with a result. */
  readonly error: unknown;
  /** What was being done. */
  readonly phase: ErrorPhase;
  /** The route, where one was matched. */
  readonly route?: RouteInfo;
  /** The request. */
  readonly request: Request;
  /** The response that is about to be sent; in phase `stream`, the one whose body has failed. */
  readonly response: Response;
}

/**
 * Called for every 5xx that the adapter produces, for every stream that fails, and when the function `cors.origins` or the server's
 * `refuse` fails, once each. A response that it returns is sent instead of a 5xx.
 */
export type OnError = (report: ErrorReport) => Awaitable<Response | undefined | void>;

/** Reports a failure to the hook, for the response that it gives to send instead. An error in the hook changes nothing. */
export function reportFailure(onError: OnError, report: ErrorReport): Ready<Response | undefined> {
  const isHead = report.request.method === "HEAD";
  const choose = (given: unknown): Response | undefined => {
    if (!isResponse(given) || !isSendable(given)) return undefined;
    return isHead ? dropBody(given) : given;
  };
  return attempt(() => whenReady(onError(report), choose), () => undefined);
}

/** Whether nobody has begun to read a response. The getters of some Node adapters throw once the response was sent. */
export function isSendable(response: Response): boolean {
  try {
    return !response.bodyUsed && !response.body?.locked;
  } catch {
    return false;
  }
}

/** Reports a failure whose response is sent as it is, such as a stream's: the hook's result is ignored, even if it rejects. */
export function reportAside(onError: OnError, report: ErrorReport): void {
  attempt(() => onError(report), () => {}); // an error in the hook changes nothing
}
