/** The hooks `onError` and `onResponse`, and what they may do to an answer. */
import { attempt, type Awaitable, whenReady } from "../../awaitable.ts";
import { cancelBody, isInMemory, isResponse } from "../../native_response.ts";
import { closeProducer } from "../../producer.ts";
import { RequestArgument, type RequestHeaders, type RouteInfo } from "../define/call.ts";
import type { ErrorPhase, Failure } from "../define/result.ts";
import {
  disconnected,
  editAnswer,
  fieldsOf,
  Items,
  NativeAnswer,
  type Sent,
  statusOf,
  toHead,
} from "../http/answer.ts";
import type { Exchange } from "../http/exchange.ts";
import { dropBody, findSendable, frameNative, isSendable, isUntouched, keepFraming } from "../http/native_answer.ts";
import { refuse } from "../http/refusal.ts";
import { toResponse } from "../http/to_response.ts";

/** The argument of an {@linkcode OnError} hook. */
export interface ErrorReport {
  /** The error that was thrown, or an error that describes what is wrong with a result. */
  readonly error: unknown;
  /** The step in which the error occurred. */
  readonly phase: ErrorPhase;
  /** The matched route, if there is one. */
  readonly route?: RouteInfo | undefined;
  /** The request, whose body may have been read. */
  readonly request: Request;
  /** The header fields of the request. */
  readonly headers: RequestHeaders;
  /** The response that is about to be sent. In the phase `stream`, the response whose body has failed. */
  readonly response: Response;
}

/**
 * Called for every 5xx that the adapter produces, for every stream that fails, and when the function `cors.origins` or
 * the server's `refuse` fails. Each is reported once. If it returns a response, that is sent instead of a 5xx. It can
 * be asynchronous.
 */
export type OnError = (report: ErrorReport) => Awaitable<Response | undefined | void>;

/** A response that a handler is about to return. */
export interface ResponseReport {
  /** The request. */
  readonly request: Request;
  /** The header fields of the request. */
  readonly headers: RequestHeaders;
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

/** The argument of a hook. The response is created if the hook reads it, and is then the one that is sent. */
class Report extends RequestArgument {
  readonly #create: () => Response;
  #response: Response | undefined;
  #restoreFraming: (() => void) | undefined;

  constructor(exchange: Exchange, create: () => Response) {
    super(exchange, exchange.route);
    this.#create = create;
  }

  get response(): Response {
    if (!this.#response) {
      this.#response = this.#create();
      this.#restoreFraming = keepFraming(this.#response);
    }
    return this.#response;
  }

  /** The response that a hook has seen, as far as its report tells. It makes its framing fit again. */
  static seenIn(report: Report): Response | undefined {
    report.#restoreFraming?.();
    return report.#response;
  }
}

function createOf(sent: Sent, { method }: Exchange): () => Response {
  return () => method === "HEAD" ? toResponse(toHead(sent), true) : toResponse(sent, false);
}

/** An error, and the step in which it occurred. */
type Failed = Pick<Failure, "error" | "phase">;

function toErrorReport({ error, phase }: Failed, exchange: Exchange, create: () => Response): Report & ErrorReport {
  return Object.assign(new Report(exchange, create), { error, phase });
}

/**
 * Reports a failure whose response does not change, such as a stream's. The hook's result is ignored, even if it
 * rejects.
 */
export function reportOnly(onError: OnError, failed: Failed, exchange: Exchange, about: Sent | (() => Response)): void {
  const create = typeof about === "function" ? about : createOf(about, exchange);
  attempt(() => onError(toErrorReport(failed, exchange, create)), () => {}); // errors of the hook are ignored
}

/**
 * Reports a failure that is answered, and returns the answer to send: the response that the hook returns, or that it has
 * seen. If it has read that one, the answer is sent anew. Errors that the hook throws are ignored.
 */
export function askOnError(
  onError: OnError,
  failed: Failed,
  exchange: Exchange,
  sent: Sent,
): Sent | Promise<Sent> {
  const report = toErrorReport(failed, exchange, createOf(sent, exchange));
  const choose = (returned: unknown): Sent => {
    if (!isResponse(returned) || !isSendable(returned)) return keep();
    const framed = frameHooked(returned, "the response of onError", exchange, onError);
    return new NativeAnswer(exchange.method === "HEAD" ? dropBody(framed) : framed);
  };
  const keep = (): Sent => {
    const seen = Report.seenIn(report);
    return seen && isSendable(seen) ? new NativeAnswer(seen) : sent;
  };
  return attempt(() => whenReady(onError(report), choose), keep) as Sent | Promise<Sent>;
}

/** Returns the response of a hook, whose headers fit its body. A body that fails is reported. */
function frameHooked(response: Response, name: string, exchange: Exchange, onError: OnError): Response {
  const report = (error: unknown, response: Response): void =>
    reportOnly(onError, { error, phase: "stream" }, exchange, () => response);
  return frameNative(response, { name, isHead: exchange.method === "HEAD", report });
}

/** Calls `onResponse` for an answer. Returns the one that is sent. */
export function askOnResponse(
  onResponse: OnResponse,
  onError: OnError,
  exchange: Exchange,
  sent: Sent,
  started: number,
): Sent | Promise<Sent> {
  const duration = performance.now() - started;
  const report = Object.assign(new Report(exchange, createOf(sent, exchange)), { duration });
  const keep = (error: unknown): Sent | Promise<Sent> => {
    const seen = Report.seenIn(report);
    if (!seen) return sent;
    const found = findSendable(seen);
    return found ? new NativeAnswer(found) : answerUnsendable(error, exchange, sent, onError);
  };
  const choose = (returned: unknown): Sent | Promise<Sent> => {
    if (statusOf(sent) === 101) return sent;
    const seen = Report.seenIn(report);
    if (!isResponse(returned) || returned === seen || !isSendable(returned)) {
      return seen && isUntouched(seen) ? new NativeAnswer(seen) : keep(new TypeError(wasRead));
    }
    const replacement = frameHooked(returned, "the response of onResponse", exchange, onError);
    discard(seen ? new NativeAnswer(seen) : sent, replacement);
    return new NativeAnswer(replacement);
  };
  return attempt(() => whenReady(onResponse(report), choose), keep) as Sent | Promise<Sent>;
}

const wasRead = "onResponse(): the body was read; return the response of watchBody(), or read that of response.clone()";

/** Answers a request whose response the hook has made unusable. Pages of other origins may read the same as before. */
function answerUnsendable(
  error: unknown,
  exchange: Exchange,
  unusable: Sent,
  onError: OnError,
): Sent | Promise<Sent> {
  if (exchange.isGone) return disconnected;
  const answered = askOnError(onError, { phase: "response", error }, exchange, refuse("internal-error").answer);
  return whenReady(answered, (sent) =>
    editAnswer(sent, (headers) => {
      fieldsOf(unusable).forEach((value, name) => {
        if (name === "vary" || name.startsWith("access-control-")) headers.set(name, value);
      });
    }));
}

/**
 * Cancels the body of an answer that is not sent, unless its replacement sends it. A text of this process has nothing to
 * cancel, and on Bun reading `body` would change how the other one is sent.
 */
function discard(sent: Sent, replacement: Response): void {
  if (!(sent instanceof NativeAnswer)) {
    return sent.body instanceof Items ? void closeProducer(sent.body.producer) : undefined;
  }
  const { response } = sent;
  if (isInMemory(response)) return;
  const { body } = response;
  if (body && !body.locked && body !== replacement.body) cancelBody(response);
}
