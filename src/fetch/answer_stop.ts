import { type Awaitable, isPromise } from "../awaitable.ts";
import { type RouteInfo } from "../server/call.ts";
import { Failure, type Phase, type Stop } from "../server/stop.ts";
import { Refusal, refuse, respondDisconnected } from "./refusal.ts";
import { dropBody, toRespond } from "./respond.ts";

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
  const respond = toRespond(request.method);
  if (stop instanceof Refusal) return stop.respond(respond);
  if (!(stop instanceof Failure) || request.signal.aborted) return respondDisconnected();
  const { error, phase } = stop;
  const build = (): Response => refuse("internal-error").respond(respond);
  return tell(onError, { error, phase, route, request, response: build() }, build);
}

/** Tells the hook of a failure; what goes wrong in the hook changes nothing, nor does its reading of the response. */
function tell(onError: OnError, report: ErrorReport, build: () => Response): Response | Promise<Response> {
  const choose = (replacement: unknown): Response => {
    if (replacement instanceof Response && !replacement.bodyUsed) {
      return report.request.method === "HEAD" ? dropBody(replacement) : replacement;
    }
    return report.response.bodyUsed ? build() : report.response;
  };
  try {
    const replacement = onError(report);
    return isPromise(replacement)
      ? Promise.resolve(replacement).then(choose, () => choose(undefined))
      : choose(replacement);
  } catch {
    return choose(undefined);
  }
}

/** Tells the hook of a stream that failed. Its response is on its way, so that what the hook gives changes nothing. */
export function tellOfStream(onError: OnError, report: ErrorReport): void {
  tell(onError, report, () => report.response);
}
