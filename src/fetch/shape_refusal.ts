/** Refusals in the application's own format, from the server's `refuse` option. */
import { attempt, type Ready, whenReady } from "../awaitable.ts";
import { closeSource } from "../producer.ts";
import { type RouteInfo } from "../server/call.ts";
import { type PlacedRefuse } from "../server/refuse.ts";
import { isResult, labelOf, notAResultError, type Result, toCreateResult } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { editHeaders } from "./edit_headers.ts";
import { type EncodeResponse } from "./encode_response.ts";
import { type OnError, reportOnly } from "./on_error.ts";
import { type Refusal } from "./refusal.ts";

/** A request that is refused. */
export interface RefusedRequest {
  readonly request: Request;
  readonly isHead: boolean;
  /** Whether the response may depend on the caller, so that caches must not store it. */
  readonly isPrivate: boolean;
}

/** Converts refusals to the application's format. */
export interface ShapeRefusal {
  /** Asks the application for a result. `undefined` for the problem document. */
  readonly ask: (refusal: Refusal, refused: RefusedRequest) => Ready<Result | undefined>;
  /** Builds the response of that result. */
  readonly build: (result: Result, refusal: Refusal, refused: RefusedRequest) => Response | Promise<Response>;
}

/** The settings for that conversion. */
export interface ShapeSettings {
  /** The route. `undefined` for requests without one. */
  readonly route: RouteInfo | undefined;
  readonly encode: EncodeResponse;
  /** Receives the failures of `refuse`. */
  readonly onError: OnError;
}

/** Plans how to convert refusals with `refuse`. Its failures are reported, and the problem document is sent. */
export function planShapedRefusal(
  { run, shared }: PlacedRefuse,
  { route, encode, onError }: ShapeSettings,
): ShapeRefusal {
  const response = toCreateResult(route, shared);
  const fail = (error: unknown, refusal: Refusal, { request, isHead }: RefusedRequest): void => {
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
function keepFields(response: Response, { fields }: Refusal, { isPrivate }: RefusedRequest): Response {
  const kept = Object.entries(isPrivate ? { ...fields, "cache-control": "no-store" } : fields);
  return kept.length === 0 ? response : editHeaders(response, (headers) => {
    for (const [name, value] of kept) headers.set(name, value);
  });
}
