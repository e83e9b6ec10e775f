import { whenReady } from "../awaitable.ts";
import { type RouteInfo } from "../server/call.ts";
import { Failure, type Stop } from "../server/stop.ts";
import { isSendable, type OnError, reportFailure } from "./on_error.ts";
import { Refusal, refuse, respondDisconnected } from "./refusal.ts";

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
  const response = build();
  const replacement = reportFailure(onError, { error, phase, route, request, response });
  return whenReady(replacement, (replacement) => replacement ?? (isSendable(response) ? response : build()));
}
