import { Stop } from "../server/stop.ts";
import {
  type AdapterProblem,
  createProblem,
  type IssueReport,
  type ProblemCode,
  problemType,
} from "../wire/problem.ts";
import { type Respond, respond } from "./respond.ts";

/** The request is answered with a problem document, whose text and init are worked out once. */
export class Refusal extends Stop {
  readonly #text: string;
  readonly #init: ResponseInit;

  /** @param headers Header fields beside the content type. */
  constructor(problem: AdapterProblem, headers: Readonly<Record<string, string>> = {}) {
    super();
    this.#text = JSON.stringify(problem);
    this.#init = { status: problem.status, headers: { "content-type": problemType, ...headers } };
  }

  /** A response of its own for each request. */
  respond(respond: Respond): Response {
    return respond(this.#text, this.#init);
  }
}

/** A refusal that is the same for all requests. Where clones of a response are cheap, its responses are clones of the first. */
export class ConstantRefusal extends Refusal {
  #first: Response | undefined;

  override respond(build: Respond): Response {
    if (!hasCheapClones || build !== respond) return super.respond(build);
    return (this.#first ??= super.respond(build)).clone();
  }
}

/**
 * Deno shares the text of a response with its clones, in 0.1 µs; to make one of another status than 200 takes it 1.4 to 2.6. Others
 * tee the body instead, which in Node 20 takes three times as long as a new response and keeps the one before for ever, and Workers
 * let no response be cloned for another request than it was made in. Nothing but the name tells the one from the others.
 */
const hasCheapClones = globalThis.navigator?.userAgent?.startsWith("Deno/") ?? false;

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
export function refuse(code: ProblemCode, report?: IssueReport): Refusal {
  if (report) return new Refusal(createProblem(code, report));
  const made = constants.get(code) ?? new ConstantRefusal(createProblem(code));
  constants.set(code, made);
  return made;
}

/** The refusals that say nothing of the request. */
const constants = new Map<ProblemCode, Refusal>();

/** The response whose client has gone: a status that nobody reads. */
export function respondDisconnected(): Response {
  return new Response(null, { status: 499 });
}
