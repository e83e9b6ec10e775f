import { type ProblemIssue } from "../contract/problem.ts";
import { Stop } from "../server/stop.ts";
import { type AdapterProblem, createProblem, type ProblemCode, problemType } from "../wire/problem.ts";
import { type Respond } from "./respond.ts";

/** The request is answered with a problem document. Its text and init are worked out once: most are the same for all requests. */
export class Refusal extends Stop {
  readonly #text: string;
  readonly #init: ResponseInit;

  /** @param headers Header fields beside the content type. */
  constructor(problem: AdapterProblem, headers: Readonly<Record<string, string>> = {}) {
    super();
    this.#text = JSON.stringify(problem);
    this.#init = { status: problem.status, headers: { "content-type": problemType, ...headers } };
  }

  /**
   * The response. Always a new one: to clone a constant takes Deno 0.1 µs instead of 1.4 to 2.6, as it readies a new response of
   * such a status for its server, but Node 20 tees the constant's body again and again (three times as slow, and each clone holds
   * on to the one before), and Workers throw where a body is cloned for another request than it was made in.
   */
  respond(respond: Respond): Response {
    return respond(this.#text, this.#init);
  }
}

/** The client has gone: nothing is answered, nobody is told. */
export class Disconnect extends Stop {}

/** A value that was waited for, unless the client has gone meanwhile. Not for synchronous values: reading a signal has its price. */
export function unlessGone<Value>(request: Request, value: Value): Value | Disconnect {
  return request.signal.aborted ? new Disconnect() : value;
}

/** Content that can't be read: malformed, used already, or cut off because the client has gone. */
export function stopUnread(request: Request, error: unknown): Stop {
  return !(error instanceof SyntaxError) && request.signal.aborted ? new Disconnect() : refuse("invalid-body");
}

/** Refuses a request by a code of the table of answers. */
export function refuse(code: ProblemCode, issues?: readonly ProblemIssue[]): Refusal {
  if (issues) return new Refusal(createProblem(code, issues));
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
