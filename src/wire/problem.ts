import { type Problem, type ProblemIssue } from "./problem_document.ts";
import { firstIssues, maxIssues, summarizeIssue } from "../issue.ts";
import { type Issue } from "../schema.ts";
import { statusPhrase } from "./status_phrase.ts";

/** The media type of a problem document (RFC 9457). */
export const problemType = "application/problem+json";

/** The codes of the problems that the fetch adapter answers with by itself. */
export type ProblemCode =
  | "invalid-path"
  | "invalid-body"
  | "invalid-request"
  | "unauthorized"
  | "forbidden"
  | "cross-site"
  | "not-found"
  | "method-not-allowed"
  | "body-too-large"
  | "unsupported-media-type"
  | "internal-error";

/** A problem document as the fetch adapter writes it. */
export interface AdapterProblem extends Problem {
  /** Always `about:blank`. */
  readonly type: "about:blank";
  /** The phrase of the status. */
  readonly title: string;
  /** The status of the response. */
  readonly status: number;
  /** Which problem it is. */
  readonly code: ProblemCode;
  /** How many reasons there are, where `issues` has not all of them: `20 of 100000 issues`. */
  readonly detail?: string;
  /** The reasons, where a schema refused: the first 20. */
  readonly issues?: readonly ProblemIssue[];
}

/** The status of each problem. */
const statuses: Readonly<Record<ProblemCode, number>> = {
  "invalid-path": 400,
  "invalid-body": 400,
  "invalid-request": 400,
  "unauthorized": 401,
  "forbidden": 403,
  "cross-site": 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "body-too-large": 413,
  "unsupported-media-type": 415,
  "internal-error": 500,
};

/** The members that say why a schema refused. */
export type IssueReport = Pick<AdapterProblem, "detail" | "issues">;

/** The problem document of a code. */
export function createProblem(code: ProblemCode, report?: IssueReport): AdapterProblem {
  const status = statuses[code];
  return { type: "about:blank", title: statusPhrase(status), status, code, ...report };
}

/**
 * A problem with what follows from its status, unless it says otherwise: `type`, `title` and `status` (RFC 9457, section 4.2.1). What is
 * not an object of members is left as it is.
 */
export function completeProblem(problem: unknown, ofStatus: number): unknown {
  if (problem === undefined) return completeProblem({}, ofStatus);
  if (!isObject(problem) || Array.isArray(problem) || "toJSON" in problem) return problem;
  const { type = "about:blank", title = statusPhrase(ofStatus), status = ofStatus, ...members } = problem;
  return { type, title, status, ...members };
}

/** The issues of one part of a request. */
export type LocatedIssues = readonly [location: string, issues: readonly Issue[] | undefined];

/** Reports the issues of several parts of a request: the first 20 of them, and how many there are. */
export function reportIssues(parts: readonly LocatedIssues[]): IssueReport {
  const issues: ProblemIssue[] = [];
  let count = 0;
  for (const [location, all = []] of parts) {
    issues.push(...firstIssues(all, maxIssues - issues.length).map((issue) => toProblemIssue(location, issue)));
    count += all.length;
  }
  return { ...(count > issues.length && { detail: `${issues.length} of ${count} issues` }), issues };
}

/**
 * The problem document that a server sent, without the members that have another type than {@linkcode Problem} gives them (RFC 9457,
 * section 3.1); `undefined` for JSON that is not an object.
 */
export function toProblem(document: unknown): Problem | undefined {
  if (!isObject(document) || Array.isArray(document)) return undefined;
  return Object.fromEntries(Object.entries(document).filter(isOfItsType));
}

/** The members of {@linkcode Problem} that are text. */
const textMembers = ["type", "title", "detail", "instance", "code"];

/** Whether a member has the type that {@linkcode Problem} gives it, if it gives it one. */
function isOfItsType([name, value]: readonly [name: string, value: unknown]): boolean {
  if (name === "issues") return Array.isArray(value) && value.every(isProblemIssue);
  return name === "status" ? isNumber(value) : isString(value) || !textMembers.includes(name);
}

function isProblemIssue(value: unknown): boolean {
  const { location, path, pointer, message }: Partial<Record<string, unknown>> = Object(value);
  return [location, pointer, message].every(isString) &&
    Array.isArray(path) && path.every((key) => isString(key) || isNumber(key));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

/** A schema's issue as a problem document tells it. */
export function toProblemIssue(location: string, issue: Issue): ProblemIssue {
  return { location, ...summarizeIssue(issue) };
}
