import { whenReady } from "../awaitable.ts";
import { isInMemory } from "../native_response.ts";
import { type RouteInfo } from "../server/call.ts";
import { type Result } from "../server/result.ts";
import { Failure, type Stop } from "../server/stop.ts";
import { isUnreadResponse, type OnError, reportFailure } from "./on_error.ts";
import { Refusal, refuse, respondDisconnected } from "./refusal.ts";
import { dropBody } from "./respond.ts";
import { type RefusedRequest, type ShapeRefusal } from "./shape_refusal.ts";

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
  stopped: RefusedRequest,
  settings: StopSettings,
): Response | Promise<Response> {
  if (stop instanceof Refusal) return answerRefusal(stop, stopped, settings.shape);
  if (!(stop instanceof Failure) || stopped.request.signal.aborted) return respondDisconnected();
  return answerFailure(stop, stopped, settings);
}

function answerRefusal(
  refusal: Refusal,
  refused: RefusedRequest,
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
  failed: RefusedRequest,
  { info, shape, onError }: StopSettings,
): Response | Promise<Response> {
  const { request } = failed;
  const refusal = refuse("internal-error");
  const report = (response: Response, result: Result | undefined): Response | Promise<Response> => {
    const told = { error, phase, ...(info && { route: info }), request, response };
    return whenReady(reportFailure(onError, told), (replacement) => {
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
  refused: RefusedRequest,
  shape: ShapeRefusal | undefined,
): Response | Promise<Response> {
  return shape && result ? shape.build(result, refusal, refused) : refusal.respond(refused.isHead);
}
