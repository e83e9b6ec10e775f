/** Problem documents (RFC 9457), and the phrases of status codes. */
import { isObject } from "../mark.ts";
import { firstIssues, type Issue, maxIssues, summarizeIssue } from "../schema.ts";

/** The code of a problem document that the server itself sends. */
export type ProblemCode = RequestProblemCode | HandshakeProblemCode;

/**
 * The code of a problem document for any request.
 *
 * @internal
 */
export type RequestProblemCode =
  | "invalid-path"
  | "invalid-body"
  | "invalid-request"
  | "unauthorized"
  | "invalid-credential"
  | "forbidden"
  | "cross-site"
  | "not-found"
  | "method-not-allowed"
  | "body-too-large"
  | "unsupported-media-type"
  | "internal-error"
  | "not-implemented";

/**
 * The code of a problem document that refuses a WebSocket handshake.
 *
 * @internal
 */
export type HandshakeProblemCode = "upgrade-required" | "invalid-upgrade" | "shutting-down";

/** A problem document of the fetch adapter. */
export interface AdapterProblem extends SentProblem {
  /** Always `about:blank`. */
  readonly type: "about:blank";
  /** The reason phrase of the status. */
  readonly title: string;
  /** The status code of the response. */
  readonly status: number;
  /** The code of the problem. */
  readonly code: ProblemCode;
  /**
   * The number of issues, if `issues` does not contain all of them: `20 of 100000 issues`. Or the limit of nesting, or of
   * the files of a form.
   */
  readonly detail?: string;
  /** The first 20 issues, if a schema rejected the request. */
  readonly issues?: readonly ProblemIssue[];
}

const statuses: Readonly<Record<RequestProblemCode, number>> = {
  "invalid-path": 400,
  "invalid-body": 400,
  "invalid-request": 400,
  "unauthorized": 401,
  "invalid-credential": 401,
  "forbidden": 403,
  "cross-site": 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "body-too-large": 413,
  "unsupported-media-type": 415,
  "internal-error": 500,
  "not-implemented": 501,
};

/** The members of a problem document that report a schema's issues. */
export type IssueReport = Pick<AdapterProblem, "detail" | "issues">;

/** Creates the problem document of a code. */
export function createProblem(code: RequestProblemCode, report?: IssueReport): AdapterProblem {
  const status = statuses[code];
  return { type: "about:blank", title: statusPhrase(status), status, code, ...report };
}

/**
 * Adds the members that follow from the status, unless the problem has them: `type`, `title` and `status` (RFC
 * 9457, section 4.2.1). A value that is not a plain object is returned unchanged.
 */
export function completeProblem(given: unknown, ofStatus: number): unknown {
  const problem = given === undefined ? {} : given;
  if (!isObject(problem) || Array.isArray(problem) || "toJSON" in problem) return problem;
  const { type = "about:blank", title = statusPhrase(ofStatus), status = ofStatus, ...members } = problem;
  return { type, title, status, ...members };
}

/** Reports the issues of inputs by location: the first 20, and how many there are. */
export function reportIssues(inputs: Readonly<Record<string, readonly Issue[] | undefined>>): IssueReport {
  const issues: ProblemIssue[] = [];
  let count = 0;
  for (const [location, all = []] of Object.entries(inputs)) {
    issues.push(...firstIssues(all, maxIssues - issues.length).map((issue) => toProblemIssue(location, issue)));
    count += all.length;
  }
  return { ...(count > issues.length && { detail: `${issues.length} of ${count} issues` }), issues };
}

/**
 * Returns the problem document that a server sent, without members of another type than {@linkcode Problem} declares
 * (RFC 9457, section 3.1). `undefined` for JSON that is not an object.
 */
export function toProblem(document: unknown): Problem | undefined {
  if (!isObject(document) || Array.isArray(document)) return undefined;
  return Object.fromEntries(Object.entries(document).filter(isOfItsType));
}

/** The members of {@linkcode Problem} that are strings. */
const textMembers = ["type", "title", "detail", "instance", "code"];

/** Returns whether a member has the type that {@linkcode Problem} declares, if it declares one. */
function isOfItsType([name, value]: readonly [name: string, value: unknown]): boolean {
  if (name === "issues") return Array.isArray(value) && value.every(isProblemIssue);
  return name === "status" ? isNumber(value) : isString(value) || !textMembers.includes(name);
}

function isProblemIssue(value: unknown): boolean {
  const { location, path, pointer, message }: Partial<Record<string, unknown>> = Object(value);
  return [location, pointer, message].every(isString) &&
    Array.isArray(path) && path.every((key) => isString(key) || isNumber(key));
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

/** Converts a schema's issue to an issue of a problem document. */
export function toProblemIssue(location: string, issue: Issue): ProblemIssue {
  return { location, ...summarizeIssue(issue) };
}

/**
 * A problem document (RFC 9457): an error of a request, for programs and people. If a server sends a member with
 * another type, the client leaves it out (section 3.1). Extension members are present at run time, without a type:
 * `"balance" in problem` finds one, and `response.problem(schema)` declares and types them.
 */
export type Problem = { // not an interface: a handler can return a problem that it received
  /** A URI that identifies the kind of problem. `about:blank` means that the status code says it all. */
  readonly type?: string;
  /** A short summary of the kind of problem. */
  readonly title?: string;
  /** The status code of the response. */
  readonly status?: number;
  /** A description of this occurrence. */
  readonly detail?: string;
  /** A URI that identifies this occurrence. */
  readonly instance?: string;
  /** A code of the problem, for programs. Problems from a server of this package always have one. */
  readonly code?: string;
  /**
   * The first 20 issues, if a server of this package rejected the request with a schema. If there are more, `detail`
   * says how many.
   */
  readonly issues?: readonly ProblemIssue[];
};

/** A problem document that a handler returns, which may have extension members (RFC 9457, section 3.2). */
export interface SentProblem extends Problem {
  /** Extension members. */
  readonly [extension: string]: unknown;
}

/** One reason why a schema rejected the request. */
export interface ProblemIssue {
  /** The input that it is in: `params`, `query`, `headers` or `body`. */
  readonly location: string;
  /**
   * The keys that lead to it within the input. If the pointer would exceed 300 characters, they lead to the deepest
   * ancestor whose pointer does not.
   */
  readonly path: readonly (string | number)[];
  /** The same path as a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The schema's message, at most 300 characters. */
  readonly message: string;
}

/** The options of {@linkcode fieldErrors}. */
export interface FieldErrorsOptions {
  /**
   * How many keys to leave out at the beginning of each path that has more. With 1, the issue at `/user/name` belongs
   * to the field `name`. Default: 0.
   */
  readonly from?: number;
}

/**
 * Groups the messages of a problem's issues by field name, for a form, or for the body of a declared refusal. The issue
 * at `/user/name` belongs to the field `user.name`. An issue of the whole value has the name `""`.
 *
 * @example What a form shows
 * ```ts
 * import { fieldErrors } from "@scope/api/client";
 * import { assertEquals } from "@std/assert";
 *
 * const problem = {
 *   issues: [
 *     { location: "body", path: ["user", "name"], pointer: "/user/name", message: "must be non-empty" },
 *     { location: "body", path: ["tags", 0], pointer: "/tags/0", message: "must be a string" },
 *   ],
 * };
 *
 * assertEquals(fieldErrors(problem), { "user.name": ["must be non-empty"], "tags.0": ["must be a string"] });
 * assertEquals(fieldErrors(problem, { from: 1 }), { name: ["must be non-empty"], "0": ["must be a string"] });
 * assertEquals(fieldErrors(undefined), {});
 * ```
 */
export function fieldErrors(
  problem: Pick<Problem, "issues"> | undefined,
  { from = 0 }: FieldErrorsOptions = {},
): Record<string, string[]> {
  const messages = new Map<string, string[]>();
  for (const { path, message } of problem?.issues ?? []) {
    const name = path.slice(path.length > from ? from : 0).join(".");
    const others = messages.get(name);
    if (others) others.push(message);
    else messages.set(name, [message]);
  }
  return Object.fromEntries(messages);
}

/**
 * The reason phrases of the status codes that a response can have (RFC 9110, section 15, and those registered since), in
 * runs of consecutive codes, by the first of each.
 */
const phrases: Readonly<Record<number, readonly string[]>> = {
  101: ["Switching Protocols"],
  200: [
    "OK",
    "Created",
    "Accepted",
    "Non-Authoritative Information",
    "No Content",
    "Reset Content",
    "Partial Content",
    "Multi-Status",
  ],
  300: ["Multiple Choices", "Moved Permanently", "Found", "See Other", "Not Modified"],
  307: ["Temporary Redirect", "Permanent Redirect"],
  400: [
    "Bad Request",
    "Unauthorized",
    "Payment Required",
    "Forbidden",
    "Not Found",
    "Method Not Allowed",
    "Not Acceptable",
  ],
  408: [
    "Request Timeout",
    "Conflict",
    "Gone",
    "Length Required",
    "Precondition Failed",
    "Content Too Large",
    "URI Too Long",
    "Unsupported Media Type",
    "Range Not Satisfiable",
    "Expectation Failed",
  ],
  421: ["Misdirected Request", "Unprocessable Content", "Locked", "Failed Dependency", "Too Early", "Upgrade Required"],
  428: ["Precondition Required", "Too Many Requests"],
  431: ["Request Header Fields Too Large"],
  451: ["Unavailable For Legal Reasons"],
  500: ["Internal Server Error", "Not Implemented", "Bad Gateway", "Service Unavailable", "Gateway Timeout"],
  507: ["Insufficient Storage"],
  511: ["Network Authentication Required"],
};

/** The most codes that follow one another. */
const longestRun = 10;

/** Returns the reason phrase of a status code, used as the default description of a response. */
export function statusPhrase(status: number): string {
  let first = status;
  while (!phrases[first] && status - first < longestRun) first--;
  return phrases[first]?.[status - first] ?? `Status ${status}`;
}
