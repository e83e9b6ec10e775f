/** Refusals: the problem documents that the engine answers with itself. */
import { problemType } from "../../wire/media_type.ts";
import { type AdapterProblem, createProblem, type IssueReport, type ProblemCode } from "../../wire/problem.ts";
import { Stop } from "../define/result.ts";
import { Answer, planHead } from "./answer.ts";

/** A refusal answers the request with a problem document. All requests that it refuses share its answer. */
export class Refusal extends Stop {
  readonly answer: Answer;

  /** @param fields Headers besides the content type. They stay if the application's `refuse` replaces the document. */
  constructor(readonly problem: AdapterProblem, readonly fields: Readonly<Record<string, string>> = {}) {
    super();
    Object.freeze(problem); // the application receives it, and many requests share it
    const head = planHead(problem.status, { "content-type": problemType, ...fields });
    this.answer = new Answer({ ...head, kept: { wasSent: false, response: undefined } }, JSON.stringify(problem));
  }
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
