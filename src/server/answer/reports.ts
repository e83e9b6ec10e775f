/** Hooks that see the responses of a handler. */
import { attempt, type Awaitable, whenReady } from "../../awaitable.ts";
import { cancelBody, isInMemory, isResponse } from "../../native_response.ts";
import type { RouteInfo } from "../define/call.ts";
import { Failure } from "../define/result.ts";
import { answerStop, frameHooked, type OnError } from "./answer_stop.ts";
import { type AnswerRequest, Exchange } from "../http/exchange.ts";
import { editHeaders, finishHead, isSendable, keepFraming } from "../http/native_answer.ts";

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
 * something is reading it. Errors that the hook throws are ignored, and so are what it returns for a 101, and a
 * `content-length` or `transfer-encoding` that it sets. If it has read the body and returns nothing that can be sent,
 * `onError` is called and the response is a 500.
 */
export type OnResponse = (report: ResponseReport) => Awaitable<Response | undefined | void>;

/** What {@linkcode planObserved} needs. */
interface ObservedSettings {
  readonly onResponse: OnResponse;
  readonly onError: OnError;
  /** The routes that were found. */
  readonly routes: WeakMap<Request, RouteInfo>;
}

/** Calls the hook for each response of a handler. */
export function planObserved(
  answer: AnswerRequest,
  { onResponse, onError, routes }: ObservedSettings,
): AnswerRequest {
  return (request, runtimeArguments) => {
    const started = performance.now();
    return whenReady(answer(request, runtimeArguments), (response) => {
      const report = { request, response, route: routes.get(request), duration: performance.now() - started };
      const restoreFraming = keepFraming(response);
      const recover = (error: unknown): Response | Promise<Response> => {
        restoreFraming();
        return findSendable(response) ?? answerUnsendable(error, report, onError);
      };
      const choose = (returned: unknown): Response | Promise<Response> => {
        if (response.status === 101) return response;
        restoreFraming();
        if (isResponse(returned) && returned !== response && isSendable(returned)) {
          return replace(response, frameHooked(returned, "the response of onResponse", report, onError));
        }
        if (isInMemory(response) && !response.bodyUsed && !watched.has(response)) return response; // reading `body` makes it slower
        return findSendable(response) ?? answerUnsendable(new TypeError(wasRead), report, onError);
      };
      const sent = attempt(() => whenReady(onResponse(report), choose), recover);
      if (request.method !== "HEAD") return sent;
      return whenReady(sent, (sent) => sent === response ? sent : finishHead(sent));
    });
  };
}

const wasRead = "onResponse(): the body was read; return the response of watchBody(), or read that of response.clone()";

/** The responses that `watchBody()` made of others. */
const watched = new WeakMap<Response, Response>();

/** Returns a response, or the one that watches its body, if it can be sent. The hook may have forgotten to return it. */
function findSendable(response: Response | undefined): Response | undefined {
  return response && (isSendable(response) ? response : findSendable(watched.get(response)));
}

/** Answers a request whose response the hook has made unusable. Pages of other origins may read the same as before. */
function answerUnsendable(
  error: unknown,
  { request, response, route }: ResponseReport,
  onError: OnError,
): Response | Promise<Response> {
  const exchange = new Exchange(request, [], request.method === "HEAD");
  const answered = answerStop(new Failure("response", error), exchange, { route, shape: undefined, onError });
  return whenReady(answered, (made) =>
    editHeaders(made, (headers) => {
      response.headers.forEach((value, name) => {
        if (name === "vary" || name.startsWith("access-control-")) headers.set(name, value);
      });
    }));
}

/**
 * Returns the response that is sent in place of another, whose body is cancelled unless the other one sends it. A text
 * of this process has nothing to cancel, and on Bun reading `body` would change how the other one is sent.
 */
function replace(response: Response, replacement: Response): Response {
  if (isInMemory(response)) return replacement;
  const { body } = response;
  if (body && !body.locked && body !== replacement.body) cancelBody(response);
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
  const { status, statusText, headers, body } = response; // `body` last: it makes Bun forget the content type
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
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
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
  const sent = new Response(stream, { status, statusText, headers });
  watched.set(response, sent);
  return sent;
}
