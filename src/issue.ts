/** Limits for reporting the issues of a schema. An input may cause 100,000 of them, thousands of levels deep. */
import { type Checked, type Issue } from "./schema.ts";

/** The maximum number of reported issues. */
export const maxIssues = 20;

/** The maximum length of an issue's message, and of its pointer. */
const maxLength = 300;

/** The reported part of an issue: why a schema refused a value, and where. */
export interface IssueSummary {
  /**
   * The keys that lead to it. If the pointer would exceed 300 characters, they lead to the deepest ancestor whose
   * pointer does not.
   */
  readonly path: readonly (string | number)[];
  /** The same path as a JSON Pointer. */
  readonly pointer: string;
  /** The first 300 characters of the schema's message. */
  readonly message: string;
}

/**
 * The first issues of a list. It reads nothing of the others, because some libraries format a message when it is read.
 */
export function firstIssues(issues: readonly Issue[], limit: number): Issue[] {
  return Array.from({ length: Math.min(issues.length, limit) }, (_, index) => issues[index]!); // `slice` of ArkType's lists creates another such list
}

/** The first issues as one sentence, for a developer. */
export function formatIssues(issues: readonly Issue[]): string {
  const sentences = firstIssues(issues, maxIssues).map((issue) => {
    const { path, message } = summarizeIssue(issue);
    return path.length > 0 ? `${path.join(".")}: ${message}` : message;
  });
  return sentences.join("; ") +
    (issues.length > sentences.length ? `; ${sentences.length} of ${issues.length} issues` : "");
}

/** The output of a schema. Throws a `TypeError` with the first issues if there is none. `where` begins its message. */
export function acceptedValue(checked: Checked, where: string): unknown {
  const { issues } = checked;
  if (!issues) return checked.value;
  const first = firstIssues(issues, maxIssues).map(summarizeIssue);
  throw Object.assign(new TypeError(`${where}${formatIssues(issues)}`), { issues: first } satisfies RefusedValue);
}

/** What an error says of the value that a schema refused. */
export interface RefusedValue {
  /** The first 20 issues. */
  readonly issues: readonly IssueSummary[];
}

/** The key of a path's step. Some libraries wrap it in an object. */
export function stepKey(step: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof step === "object" ? step.key : step;
}

/** The path and the message of an issue, each cut to its maximum length. */
export function summarizeIssue(issue: Issue): IssueSummary {
  const path: (string | number)[] = [];
  let pointer = "";
  for (const step of issue.path ?? []) {
    const key = stepKey(step);
    const text = typeof key === "symbol" ? String(key.description) : key;
    const longer = pointer + formatStep(text);
    if (longer.length > maxLength) break;
    path.push(text);
    pointer = longer;
  }
  return { path, pointer, message: cut(issue.message) };
}

/** The beginning of a text. It does not end in half of a surrogate pair. */
function cut(text: string): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, text.codePointAt(maxLength - 1)! > 0xffff ? maxLength - 1 : maxLength);
}

/** JSON Pointers (RFC 6901). */

/** Formats one step of a pointer. */
export function formatStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/**
 * The keys that a step, without its slash, can mean in a URI fragment: as written, and percent-decoded. RFC 6901,
 * section 6, requires the encoding, and some libraries leave it out.
 */
export function parseStep(step: string): string[] {
  return [step, decodePercent(step)].map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decodePercent(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
