import { type Awaitable, isPromise } from "../awaitable.ts";
import { type RouteInfo } from "../server/call.ts";
import { Failure, type Phase, type Stop } from "../server/stop.ts";
import { Refusal, refuse, respondDisconnected, respondRefused } from "./refusal.ts";
import { toRespond } from "./respond.ts";

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
  /** The response that is about to be sent. */
  readonly response: Response;
}

/** Hears of every 5xx that the adapter produced, once each; a response that it gives is sent instead. */
export type OnError = (report: ErrorReport) => Awaitable<Response | undefined | void>;

/** The response to a request whose walk was stopped. */
export function answerStop(
  stop: Stop,
  route: RouteInfo,
  request: Request,
  onError: OnError,
): Response | Promise<Response> {
  const respond = toRespond(request.method);
  if (stop instanceof Refusal) return respondRefused(stop, respond);
  if (!(stop instanceof Failure) || request.signal.aborted) return respondDisconnected();
  const { error, phase } = stop;
  const build = (): Response => respondRefused(refuse("internal-error"), respond);
  return tell(onError, { error, phase, route, request, response: build() }, build);
}

/** Tells the hook of a failure; what goes wrong in the hook changes nothing, nor does its reading of the response. */
function tell(onError: OnError, report: ErrorReport, build: () => Response): Response | Promise<Response> {
  const choose = (replacement: unknown): Response => {
    if (replacement instanceof Response && !replacement.bodyUsed) return dropBody(replacement, report.request);
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

/** A hook's response, to HEAD without its body. */
function dropBody(response: Response, { method }: Request): Response {
  if (method !== "HEAD" || response.body === null) return response;
  response.body.cancel().catch(() => {}); // how its source takes it is its own affair
  return new Response(null, response);
}
