import { Stop } from "../server/stop.ts";
import {
  type AdapterProblem,
  createProblem,
  type ProblemCode,
  type ProblemIssue,
  problemType,
} from "../wire/problem.ts";
import { type Respond } from "./respond.ts";

/** The request is answered with a problem document. */
export class Refusal extends Stop {
  /** @param headers Header fields beside the content type. */
  constructor(readonly problem: AdapterProblem, readonly headers: Readonly<Record<string, string>> = {}) {
    super();
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
  return new Refusal(createProblem(code, issues));
}

/** The response of a refusal. */
export function respondRefused({ problem, headers }: Refusal, respond: Respond): Response {
  return respond(JSON.stringify(problem), {
    status: problem.status,
    headers: { "content-type": problemType, ...headers },
  });
}

/** The response whose client has gone: a status that nobody reads. */
export function respondDisconnected(): Response {
  return new Response(null, { status: 499 });
}
