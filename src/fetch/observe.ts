/** Hooks that see the responses of a handler. */
import { attempt, type Awaitable, whenReady } from "../awaitable.ts";
import { isResponse } from "../native_response.ts";
import type { RouteInfo } from "../server/call.ts";
import type { AnswerRequest } from "./exchange.ts";

/** A response that a handler is about to return. */
export interface ResponseReport {
  /** The request. */
  readonly request: Request;
  /** The response, complete with its headers. Its body has not been read. */
  readonly response: Response;
  /** The route. `undefined` if no route was found: for a 404, a 405, the 400 of an invalid path, and a preflight. */
  readonly route: RouteInfo | undefined;
  /** The milliseconds since the handler was called. A stream lasts longer: see {@linkcode watchBody}. */
  readonly duration: number;
}

/**
 * Called for every response, also those that the adapter sends itself, before the handler returns it. If it returns a
 * response, that is sent instead. The body of the first one is then cancelled, unless the other response has it or
 * something is reading it. Errors that the hook throws are ignored.
 */
export type OnResponse = (report: ResponseReport) => Awaitable<Response | undefined | void>;

/** Calls the hook for each response of a handler. `routes` has the routes that were found. */
export function planObserved(
  answer: AnswerRequest,
  onResponse: OnResponse,
  routes: WeakMap<Request, RouteInfo>,
): AnswerRequest {
  return (request, runtimeArguments) => {
    const started = performance.now();
    return whenReady(answer(request, runtimeArguments), (response) => {
      const report = { request, response, route: routes.get(request), duration: performance.now() - started };
      const choose = (returned: unknown): Response => isResponse(returned) ? replace(response, returned) : response;
      return attempt(() => whenReady(onResponse(report), choose), () => response);
    });
  };
}

/** Returns the response that is sent in place of another, whose body is cancelled unless the other one sends it. */
function replace(response: Response, replacement: Response): Response {
  const { body } = response;
  if (body && !body.locked && body !== replacement.body) body.cancel().catch(() => {}); // errors of the source are ignored
  return replacement;
}

/** How the body of a response ended. */
export interface BodyEnd {
  /** The number of bytes that were read from it. */
  readonly bytes: number;
  /** The error that ended it, or the reason for which the reader left. `undefined` if it was read to its end. */
  readonly error: unknown;
  /** Whether it was read to its end. */
  readonly isComplete: boolean;
}

/**
 * Returns a response with the same status, headers and content, and calls `onEnd` once: when its body has been read to
 * the end, has failed, or is left by the client. For a response without a body it is called at once. Errors that it
 * throws are ignored.
 *
 * @example An access log, with the bytes of each response
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler, watchBody } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({ routes: { hello: route.get("/hello", { responses: { 200: response.text() } }) } });
 * const implementation = defineServer(contract).implement({ hello: ({ response }) => response(200, "Hello") });
 *
 * const log: string[] = [];
 * const handler = createFetchHandler(implementation, {
 *   onResponse: ({ route, response }) =>
 *     watchBody(response, ({ bytes }) => log.push(`${route?.key ?? "-"} ${response.status} ${bytes}`)),
 * });
 *
 * await (await handler(new Request("http://localhost/hello"))).text();
 * assertEquals(log, ["hello 200 5"]);
 * ```
 */
export function watchBody(response: Response, onEnd: (end: BodyEnd) => void): Response {
  const { body, status, statusText, headers } = response;
  let isOver = false;
  const end = (ended: BodyEnd): void => {
    isOver = true;
    attempt((): Awaitable<unknown> => onEnd(ended), () => {}); // errors of the callback are ignored
  };
  if (body === null) {
    end({ bytes: 0, error: undefined, isComplete: true });
    return response;
  }
  const reader = body.getReader();
  let bytes = 0;
  const watched = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller): Promise<void> {
      try {
        const { done, value } = await reader.read();
        if (isOver) return; // the client left while the read was pending
        if (done) {
          end({ bytes, error: undefined, isComplete: true });
          return controller.close();
        }
        bytes += value.byteLength;
        controller.enqueue(value);
      } catch (error) {
        if (isOver) return;
        end({ bytes, error, isComplete: false });
        controller.error(error);
      }
    },
    cancel(reason): Promise<void> {
      end({ bytes, error: reason, isComplete: false });
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return new Response(watched, { status, statusText, headers });
}
