import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import { isInstance } from "../is_instance.ts";
import { closeSource } from "../producer.ts";
import { type Outcome, Stop } from "../server/stop.ts";
import {
  type AdapterProblem,
  createProblem,
  type IssueReport,
  type ProblemCode,
  problemType,
} from "../wire/problem.ts";
import { Answered } from "./answered.ts";
import { respond } from "./respond.ts";

/** The request is answered with a problem document, whose text and init are worked out once. */
export class Refusal extends Stop {
  readonly #text: string;
  readonly #init: ResponseInit;

  /** @param fields Header fields beside the content type, which stay in whatever shape the refusal is sent. */
  constructor(readonly problem: AdapterProblem, readonly fields: Readonly<Record<string, string>> = {}) {
    super();
    Object.freeze(problem); // the application is passed it, and it is that of many requests
    this.#text = JSON.stringify(problem);
    this.#init = { status: problem.status, headers: { "content-type": problemType, ...fields } };
  }

  /** A response of its own for each request. */
  respond(isHead: boolean): Response {
    return respond(this.#text, this.#init, isHead);
  }
}

/** The client has gone: nothing is answered, nobody is told. */
export class Disconnect extends Stop {}

/**
 * A value, unless the client has gone while it was waited for; the stream of a result is closed then. The signal of a request whose
 * value is there is not read: Deno serves a request whose signal nobody reads in half the time.
 */
export function unlessGone<Value>(value: Awaitable<Value>, request: Request): Outcome<Value> {
  return isPromise(value) ? whenReady(value, toDisconnect, request) as Promise<Value | Disconnect> : value;
}

function toDisconnect<Value>(value: Value, { signal }: Request): Value | Disconnect {
  if (!signal.aborted) return value;
  if (value instanceof Answered) closeSource(value.result.body);
  return new Disconnect();
}

/** Content that can't be read: malformed, used already, or cut off because the client has gone. */
export function stopUnread(error: unknown, request: Request): Stop {
  return !isInstance(error, SyntaxError) && request.signal.aborted ? new Disconnect() : refuse("invalid-body");
}

/** Refuses a request by a code of the table of answers. */
export function refuse(code: ProblemCode, report?: IssueReport): Refusal {
  if (report) return new Refusal(createProblem(code, report));
  const made = constants.get(code) ?? new Refusal(createProblem(code));
  constants.set(code, made);
  return made;
}

/** The refusals that say nothing of the request. */
const constants = new Map<ProblemCode, Refusal>();

/** The response whose client has gone: a status that nobody reads. */
export function respondDisconnected(): Response {
  return new Response(null, { status: 499 });
}
