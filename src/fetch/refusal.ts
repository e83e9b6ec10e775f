/** Refusals: problem documents that the adapter answers with. */
import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import { isInstance } from "../mark.ts";
import { closeSource } from "../producer.ts";
import { type ErrorPhase, isResult, type Outcome, type Result, Stop, toFailure } from "../server/result.ts";
import {
  type AdapterProblem,
  createProblem,
  type IssueReport,
  type ProblemCode,
  problemType,
} from "../wire/problem.ts";
import { respond } from "./response.ts";

/** A refusal answers the request with a problem document. Its text and init are computed once. */
export class Refusal extends Stop {
  readonly #text: string;
  readonly #init: ResponseInit;

  /** @param fields Headers besides the content type. They stay if the application's `refuse` replaces the document. */
  constructor(readonly problem: AdapterProblem, readonly fields: Readonly<Record<string, string>> = {}) {
    super();
    Object.freeze(problem); // the application receives it, and many requests share it
    this.#text = JSON.stringify(problem);
    this.#init = { status: problem.status, headers: { "content-type": problemType, ...fields } };
  }

  /** Creates a response for one request. */
  respond(isHead: boolean): Response {
    return respond(this.#text, this.#init, isHead);
  }
}

/** The client has disconnected. Nothing is sent, and no hook is called. */
class Disconnect extends Stop {}

/**
 * A value, unless the client has disconnected while it was awaited. The stream of a result is then closed. If the value
 * is not a promise, the signal is not read: Deno serves a request twice as fast if nothing reads its signal.
 */
export function unlessDisconnected<Value>(value: Awaitable<Value>, request: Request): Outcome<Value> {
  return isPromise(value) ? whenReady(value, toDisconnect, request) as Promise<Value | Disconnect> : value;
}

function toDisconnect<Value>(value: Value, { signal }: Request): Value | Disconnect {
  if (!signal.aborted) return value;
  if (value instanceof EarlyResult) closeSource(value.result.body);
  return new Disconnect();
}

/** The stop for content that cannot be read: malformed, read before, or cut off because the client has disconnected. */
export function stopUnreadable(error: unknown, request: Request): Stop {
  return !isInstance(error, SyntaxError) && request.signal.aborted ? new Disconnect() : refuse("invalid-body");
}

/** Refuses a request with a problem code. */
export function refuse(code: ProblemCode, report?: IssueReport): Refusal {
  if (report) return new Refusal(createProblem(code, report));
  const made = constants.get(code) ?? new Refusal(createProblem(code));
  constants.set(code, made);
  return made;
}

/** The refusals that contain nothing of the request. */
const constants = new Map<ProblemCode, Refusal>();

/** The response to a client that has disconnected, with a status that nothing reads. */
export function respondDisconnected(): Response {
  return new Response(null, { status: 499 });
}

/** A verifier or guard answered the request with a result. */
export class EarlyResult extends Stop {
  /** @param isAnonymous Whether the response is the same for every caller. */
  constructor(readonly result: Result, readonly isAnonymous = false) {
    super();
  }
}

/** Converts what a function of the application threw: a result is the answer, and everything else a failure. */
export function recoverEarlyResult(phase: ErrorPhase, thrown: unknown, isAnonymous = false): Stop {
  try {
    if (isResult(thrown)) return new EarlyResult(thrown, isAnonymous);
  } catch {
    // a revoked Proxy throws when its type is tested
  }
  return toFailure(phase, thrown);
}
