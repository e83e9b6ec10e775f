/** The report of an audit, as plain data. */
import type { Rule } from "../testing/finding.ts";

/**
 * How a server relates to an operation of its document:
 *
 * - `undocumented`: it answers what the document does not describe.
 * - `looser`: it accepts what the document refuses.
 * - `stricter`: it refuses what the document allows.
 * - `never reached`: no request told anything.
 * - `agrees`: nothing differs.
 */
export type AuditVerdict = "undocumented" | "looser" | "stricter" | "never reached" | "agrees";

/** All verdicts, the gravest first. */
export const auditVerdicts: readonly AuditVerdict[] = ["undocumented", "looser", "stricter", "never reached", "agrees"];

/** Something that differs from the document. */
export interface AuditFinding {
  /** What it means for the operation. */
  readonly verdict: "undocumented" | "looser" | "stricter";
  /** The rule of the contract tests. */
  readonly rule: Rule;
  /** One sentence: the smallest request, and what happened. */
  readonly message: string;
  /** The command that sends the smallest request. Credentials and header fields are masked. `null` without a request. */
  readonly curl: string | null;
}

/** Something that the document does not promise, but clients may expect. It is no drift. */
export type AuditHint = Omit<AuditFinding, "verdict">;

/** An operation of the document, and what the audit found. */
export interface AuditedOperation {
  /** The method and the path of the document: `GET /users/{id}`. */
  readonly operation: string;
  /** The summary of the document. `null` if it has none. */
  readonly summary: string | null;
  /** The gravest of the verdicts. */
  readonly verdict: AuditVerdict;
  /** All verdicts, the gravest first. */
  readonly verdicts: readonly AuditVerdict[];
  /** How many requests were sent for it. */
  readonly requests: number;
  /** What differs: one finding for each rule. */
  readonly findings: readonly AuditFinding[];
  /** What is no drift. */
  readonly hints: readonly AuditHint[];
  /** Why it was never reached, or only checked in part. `null` otherwise. */
  readonly reason: string | null;
  /** Parts of the operation that contracts declare otherwise than the document, so that they are not checked as it says. */
  readonly notes: readonly string[];
}

/** What an audit found. It is JSON. */
export interface AuditReport {
  /** The number of this format. */
  readonly format: 1;
  /** The title of the document. */
  readonly title: string;
  /** The version of the document. */
  readonly version: string;
  /** The URL that the paths of the document were appended to. */
  readonly target: string;
  /** When the audit began, in UTC (RFC 3339). */
  readonly date: string;
  /** The seed of the random requests. */
  readonly seed: number;
  /** How many requests were sent. */
  readonly requests: number;
  /** `agrees`, `drift`, or `not run` if no operation was reached. */
  readonly outcome: "agrees" | "drift" | "not run";
  /** Why the audit ended early, or could not run. `null` otherwise. */
  readonly reason: string | null;
  /** What else a reader must know, such as where the operations were found. */
  readonly notes: readonly string[];
  /** How many operations have each verdict as their gravest. */
  readonly totals: Readonly<Record<AuditVerdict, number>>;
  /** The operations, in the order of the document. */
  readonly operations: readonly AuditedOperation[];
}

export function countVerdicts(operations: readonly AuditedOperation[]): AuditReport["totals"] {
  const counts = auditVerdicts.map((
    verdict,
  ) => [verdict, operations.filter((each) => each.verdict === verdict).length]);
  return Object.fromEntries(counts); // of all verdicts
}

/** What each verdict means, for people. */
export const meanings: Readonly<Record<AuditVerdict, string>> = {
  undocumented: "The server answers what the document does not describe.",
  looser: "The server accepts what the document refuses.",
  stricter: "The server refuses what the document allows.",
  "never reached": "No request told anything about the operation.",
  agrees: "Nothing differs from the document.",
};

/** Says in one sentence what the audit found. */
export function summarize({ outcome, reason, totals, operations }: AuditReport): string {
  const count = operations.length === 1 ? "1 operation" : `${operations.length} operations`;
  const why = reason?.replace(/[.?!]$/, "") ?? null;
  if (outcome === "not run") return `The audit could not run: ${why ?? "no operation was reached"}.`;
  const differing = totals.undocumented + totals.looser + totals.stricter;
  const left = totals["never reached"];
  const unreached = left > 0 ? `, and ${left} ${left === 1 ? "was" : "were"} never reached` : "";
  const end = why === null ? "" : ` It ended early: ${why}.`;
  return outcome === "agrees"
    ? `The server agrees with the document in ${totals.agrees} of ${count}${unreached}.${end}`
    : `The server differs from the document in ${differing} of ${count}${unreached}.${end}`;
}
