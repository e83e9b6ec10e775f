/** Answers to requests that were stopped: refusals, perhaps as the contract declares them, and failures. And the hooks. */
import { attempt, type Awaitable, ignore, type Ready, whenReady } from "../../awaitable.ts";
import { declaredRefusals, type Refusals, sentStatus } from "../../contract/refusals.ts";
import { cancelUnsent, isInMemory, isResponse } from "../../native_response.ts";
import { connectionFields } from "../../wire/fetched_fields.ts";
import type { RequestHeaders, RouteInfo } from "../define/call.ts";
import { type AnyRefuse, fillerOf } from "../define/refuse.ts";
import {
  answerError,
  checkResult,
  type ErrorPhase,
  type Failure,
  isFailure,
  type Result,
  type Stop,
  toCreateResult,
} from "../define/result.ts";
import {
  disconnected,
  editAnswer,
  FieldList,
  isItems,
  isRefusal,
  type Refusal,
  refuse,
  removeAllowances,
  type Sent,
  statusOf,
} from "../http/answer.ts";
import { type Exchange, type ReportedRequest, RequestArgument } from "../http/exchange.ts";
import {
  findSendable,
  frameNative,
  hasBody,
  isSendable,
  isUntouched,
  keepFraming,
  toResponse,
} from "../http/native_answer.ts";
import { type About, closeResult, planEncode, type ResultReports } from "./encode_result.ts";
import { closeProducer, closeSource } from "../../wire/producer.ts";

/** The settings for answering requests that were stopped. */
export interface StopSettings {
  /** Builds declared refusals. `undefined` if all are problem documents that nothing observes. */
  readonly shape: ShapeRefusal | undefined;
  readonly onError: OnError;
}

/** Returns the answer to a request that was stopped. */
export function answerStop(stop: Stop, exchange: Exchange, { shape, onError }: StopSettings): Sent | Promise<Sent> {
  if (isRefusal(stop)) return shape ? shape(stop, exchange) : stop.answer;
  if (!isFailure(stop) || exchange.isGone) return disconnected;
  const refusal = refuse("internal-error");
  return whenReady(
    shape ? shape(refusal, exchange) : refusal.answer,
    (sent) => askOnError(onError, stop, exchange, sent),
  );
}

/** Answers refusals as the contract declares them. */
type ShapeRefusal = (refusal: Refusal, exchange: Exchange) => Sent | Promise<Sent>;

/**
 * Plans how to answer the refusals of a route, or of requests without one: as they are declared, with `refuse` if the
 * server has it. Its failures are reported, and the problem document is sent.
 */
export function planShapedRefusal(
  route: RouteInfo | undefined,
  refusals: Refusals | undefined,
  run: AnyRefuse | undefined,
  onError: OnError,
): ShapeRefusal {
  const declared = declaredRefusals(refusals);
  const encode = planEncode(route, declared, planReports(onError));
  const response = toCreateResult(route, declared);
  return (refusal, exchange) => {
    const { problem, answer } = refusal;
    const status = sentStatus(refusals, problem.status);
    const own = status && fillerOf(declared[status]!)?.(problem, status);
    let result: Result | undefined;
    const accept = (returned: unknown): Ready<Sent> => {
      const isLeft = !run || (returned === undefined && (own || !status));
      result = isLeft ? own || undefined : checkShape(returned, status, route);
      return result ? whenReady(encode(result, exchange), (sent) => keepFields(sent, refusal, exchange)) : answer;
    };
    const ask = (): Ready<Sent> =>
      whenReady(run?.(Object.assign(new RequestArgument(exchange, route), { problem, status, response })), accept);
    return attempt(ask, (error) => {
      closeResult(result);
      if (!exchange.isGone) reportOnly(onError, { error, phase: "encode" }, exchange, answer);
      return answer;
    }) as Sent | Promise<Sent>;
  };
}

/**
 * Returns the result that `refuse` returned, with each member read once. Throws if it is not one of the declared
 * status.
 */
function checkShape(returned: unknown, declared: number | undefined, route: RouteInfo | undefined): Result {
  const { status, body, headers } = checkResult(returned, "refuse", route);
  if (status === declared) return { status, body, headers };
  closeSource(body);
  const expected = declared === undefined ? "nothing for a refusal that is not declared" : `response(${declared}, …)`;
  throw answerError(route, `refuse must return ${expected}, got ${status}`);
}

/** Sets the headers that a refusal has in any format. Only the option `cors` lets pages of other origins read it. */
function keepFields(sent: Sent, { fields }: Refusal, { isPrivate }: Exchange): Sent {
  const kept = Object.entries(isPrivate ? { ...fields, "cache-control": "no-store" } : fields);
  return editAnswer(sent, (headers) => {
    removeAllowances(headers);
    for (const [name, value] of kept) headers.set(name, value);
  });
}

/** The argument of an {@linkcode OnError} hook. */
export interface ErrorReport {
  /** The error that was thrown, or an error that describes what is wrong with a result. */
  readonly error: unknown;
  /** The step in which the error occurred. */
  readonly phase: ErrorPhase;
  /** The matched route, if there is one. */
  readonly route?: RouteInfo | undefined;
  /** The caller that a verifier returned. `undefined` on a public route, and before or without a valid credential. */
  readonly caller?: object | undefined;
  /** The request, whose body may have been read. */
  readonly request: Request;
  /** The header fields of the request. */
  readonly headers: RequestHeaders;
  /**
   * The response that is about to be sent, made when the hook reads it. In the phase `stream`, the response whose body
   * has failed.
   */
  readonly response: Response;
}

/**
 * Called for every 5xx that the adapter produces, for every stream that fails, and when the function `cors.origins` or
 * the server's `refuse` fails. Each is reported once. If it returns a response, that is sent instead of a 5xx. It can
 * be asynchronous. It is not called for the stream of a native response, unless that states a `content-length`.
 */
export type OnError = (report: ErrorReport) => Awaitable<Response | undefined | void>;

/** A response that a handler is about to return. */
export interface ResponseReport {
  /** The request. */
  readonly request: Request;
  /** The header fields of the request. */
  readonly headers: RequestHeaders;
  /** The response, complete with its headers, made when the hook reads it. Its body has not been read. */
  readonly response: Response;
  /** The route. `undefined` if no route was found: for a 404, a 405, the 400 of an invalid path, and a preflight. */
  readonly route: RouteInfo | undefined;
  /** The caller that a verifier returned. `undefined` on a public route, and without a valid credential. */
  readonly caller: object | undefined;
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
  declare readonly caller: object | undefined;
  readonly #create: () => Response;
  #response: Response | undefined;
  #restoreFraming: (() => void) | undefined;

  constructor(exchange: ReportedRequest, about: About) {
    super(exchange, exchange.route);
    this.caller = exchange.caller;
    const isHead = exchange.method === "HEAD";
    this.#create = typeof about === "function" ? about : () => toResponse(about, isHead);
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

/** An error, and the step in which it occurred. */
type Failed = Pick<Failure, "error" | "phase">;

/** Returns what a hook is told, with members of its own. */
function toReport<Members extends object>(exchange: ReportedRequest, about: About, members: Members): Report & Members {
  return Object.assign(new Report(exchange, about), members);
}

/**
 * Reports a failure whose response does not change, such as a stream's. The hook's result is ignored, even if it
 * rejects.
 */
export function reportOnly(onError: OnError, failed: Failed, exchange: ReportedRequest, about: About): void {
  attempt(() => onError(toReport(exchange, about, failed)), ignore); // errors of the hook are ignored
}

/** What is asked about an answer: the hook, what only it is told, and who hears what fails later. */
interface Question<Members extends object> {
  readonly name: string;
  readonly hook: (report: Report & Members) => unknown;
  readonly members: Members;
  readonly exchange: Exchange;
  readonly onError: OnError;
  /** Answers anew if the hook has made the response unusable. Default: the answer is sent that it was asked about. */
  readonly replace?: (error: unknown, seen: Response) => Sent | Promise<Sent>;
}

/**
 * Asks a hook, and returns the answer to send: the response that the hook returns, or that it has seen. Errors that the
 * hook throws are ignored.
 */
function askHook<Members extends object>(
  { name, hook, members, exchange, onError, replace }: Question<Members>,
  sent: Sent,
): Sent | Promise<Sent> {
  const report = toReport(exchange, sent, members);
  const keep = (error: unknown): Sent | Promise<Sent> => {
    const seen = Report.seenIn(report);
    const found = findSendable(seen);
    return found ?? (seen && replace ? replace(error, seen) : sent);
  };
  const choose = (returned: unknown): Sent | Promise<Sent> => {
    if (statusOf(sent) === 101) return sent;
    const seen = Report.seenIn(report);
    if (!isResponse(returned) || returned === seen || !isSendable(returned)) {
      return replace && seen && isUntouched(seen) ? seen : keep(new TypeError(wasRead));
    }
    const framed = frameNative(returned, {
      name: `the response of ${name}`,
      isHead: exchange.method === "HEAD",
      report: (error, response) => reportOnly(onError, { error, phase: "stream" }, exchange, response),
    });
    discard(seen ?? sent, framed);
    return framed;
  };
  return attempt(() => whenReady(hook(report), choose), keep) as Sent | Promise<Sent>;
}

/** Reports a failure that is answered. If the hook has read the response, the answer is sent anew. */
function askOnError(onError: OnError, failed: Failed, exchange: Exchange, sent: Sent): Sent | Promise<Sent> {
  return askHook({ name: "onError", hook: onError, members: failed, exchange, onError }, sent);
}

/** Plans what is reported about answers. A stream that failed is not, if its client has left, or the body of its request failed. */
export function planReports(onError: OnError): ResultReports {
  return {
    reportFailure: (error, exchange, about) => {
      const isLeft = exchange.isGone || exchange.bodyStop?.()?.hasSourceFailed;
      if (!isLeft) reportOnly(onError, { error, phase: "stream" }, exchange, about);
      return error;
    },
    dropUnfit(sent, exchange): Sent {
      const status = statusOf(sent);
      const fields = "head" in sent ? new FieldList([...sent.fields]) : sent.headers;
      // a 426 names its protocols in one (RFC 9110, section 15.5.22), and a 101 is sent as it is
      const dropped = connectionFields.filter((name) => fields.has(name) && (status !== 426 || name !== "upgrade"));
      if (dropped.length === 0 || status === 101) return sent;
      const error = new TypeError(`Cannot send the header ${dropped.join(", ")}: the server decides it`);
      reportOnly(onError, { error, phase: "encode" }, exchange, sent);
      return editAnswer(sent, (edited) => dropped.forEach((name) => edited.delete(name)));
    },
  };
}

/** Calls `onResponse` for an answer. Returns the one that is sent. */
export function askOnResponse(
  { onResponse, onError }: { readonly onResponse: OnResponse; readonly onError: OnError },
  exchange: Exchange,
  sent: Sent,
  started: number,
): Sent | Promise<Sent> {
  const duration = performance.now() - started;
  /** Answers anew. Pages of other origins may read the same as before. */
  const replace = (error: unknown, { headers }: Response): Sent | Promise<Sent> => {
    if (exchange.isGone) return disconnected;
    const answered = askOnError(onError, { phase: "response", error }, exchange, refuse("internal-error").answer);
    return whenReady(answered, (sent) =>
      editAnswer(sent, (fields) => {
        headers.forEach((value, name) => {
          if (name === "vary" || name.startsWith("access-control-")) fields.set(name, value);
        });
      }));
  };
  return askHook({ name: "onResponse", hook: onResponse, members: { duration }, exchange, onError, replace }, sent);
}

const wasRead = "onResponse(): the body was read; return the response of watchBody(), or read that of response.clone()";

/**
 * Cancels the body of an answer that is not sent, unless its replacement sends it. A text of this process has nothing to
 * cancel.
 */
function discard(sent: Sent, replacement: Response): void {
  if ("head" in sent) {
    if (isItems(sent.body)) closeProducer(sent.body.producer);
    return;
  }
  if (isInMemory(sent)) return;
  const { body } = sent;
  if (body && !body.locked && !hasBody(replacement, body)) cancelUnsent(sent);
}
