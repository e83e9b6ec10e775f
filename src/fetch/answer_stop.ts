import { type Awaitable, isPromise } from "../awaitable.ts";
import { isResponse } from "../native_response.ts";
import { type RouteInfo } from "../server/call.ts";
import { Failure, type Phase, type Stop } from "../server/stop.ts";
import { Refusal, refuse, respondDisconnected } from "./refusal.ts";
import { dropBody } from "./respond.ts";

/** What an {@linkcode OnError} hook is told. */
export interface ErrorReport {
  /** What was thrown, or an error that says what is wrong with a result. */
  readonly error: unknown;
  /** What was being done. */
  readonly phase: Phase;
  /** The route, where one was matched. */
  readonly route?: RouteInfo;
  /** The request. */
  readonly request: Request;
  /** The response that is about to be sent; in phase `stream`, the one whose body has failed. */
  readonly response: Response;
}

/** Hears of every 5xx that the adapter produced, and of every stream that failed, once each; a response that it gives is sent instead of a 5xx. */
export type OnError = (report: ErrorReport) => Awaitable<Response | undefined | void>;

/** The response to a request whose walk was stopped. */
export function answerStop(
  stop: Stop,
  route: RouteInfo,
  request: Request,
  onError: OnError,
): Response | Promise<Response> {
  const isHead = request.method === "HEAD";
  if (stop instanceof Refusal) return stop.respond(isHead);
  if (!(stop instanceof Failure) || request.signal.aborted) return respondDisconnected();
  const { error, phase } = stop;
  const build = (): Response => refuse("internal-error").respond(isHead);
  return tell(onError, { error, phase, route, request, response: build() }, build);
}

/**
 * Reports a failure to the hook, which may return another response. An error in the hook changes nothing, and neither does reading
 * the response that it was given.
 */
function tell(onError: OnError, report: ErrorReport, build: () => Response): Response | Promise<Response> {
  const choose = (replacement: unknown): Response =>
    toReplacement(replacement, report.request) ?? (isUnread(report.response) ? report.response : build());
  try {
    const replacement = onError(report);
    return isPromise(replacement)
      ? Promise.resolve(replacement).then(choose, () => choose(undefined))
      : choose(replacement);
  } catch {
    return choose(undefined);
  }
}

/** The response to send in place of a 500, if the hook returned one that can be sent. */
function toReplacement(replacement: unknown, { method }: Request): Response | undefined {
  try {
    if (!isResponse(replacement) || !isUnread(replacement)) return undefined;
    return method === "HEAD" ? dropBody(replacement) : replacement;
  } catch {
    return undefined; // such as a revoked Proxy
  }
}

/** Whether nobody has begun to read a response. The getters of some Node adapters throw once the response was sent. */
function isUnread(response: Response): boolean {
  try {
    return !response.bodyUsed && !response.body?.locked;
  } catch {
    return false;
  }
}

/** Reports a stream that failed. Its response is already being sent, so the hook's result is ignored, even if it rejects. */
export function tellOfStream(onError: OnError, report: ErrorReport): void {
  try {
    const ended = onError(report);
    if (isPromise(ended)) Promise.resolve(ended).then(ignore, ignore);
  } catch {
    // an error in the hook changes nothing
  }
}

function ignore(): void {}
