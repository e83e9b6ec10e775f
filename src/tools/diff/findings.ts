/** What each form of a report shows. */
import type { Change } from "./change.ts";
import type { JudgedChange, PolicyRule } from "./policy.ts";

export interface Findings {
  /** The changes, the most severe first. */
  readonly changes: readonly JudgedChange[];
  /** Tests whether a change fails. */
  fails(change: JudgedChange): boolean;
  /** What is to say besides: expired and unused rules, and a version that is too low. */
  readonly remarks: readonly Remark[];
  /** The last line: which part of a version goes up. */
  readonly suggestion: string;
}

/** A sentence about the policy or the version. */
export interface Remark {
  readonly message: string;
  readonly isFailure: boolean;
}

/** A change with its decision, if a policy made one. */
export type Judged = Change & Pick<JudgedChange, "decision">;

/** Tests whether a rule accepted a change. It is listed and never fails. */
export function isAccepted({ verdict, decision }: Judged): boolean {
  return decision !== undefined && verdict === "compatible";
}

/** Returns the verdict of a change in a word. */
export function nameVerdict(change: Judged): string {
  return isAccepted(change) ? "accepted" : change.verdict;
}

/** Returns the reason of the rule that decided, if it changed the verdict. */
export function reasonOf(change: Judged): string | undefined {
  const { verdict, decision } = change;
  if (decision === undefined || (decision.was === verdict && !isAccepted(change))) return undefined;
  return isAccepted(change) ? decision.why : `was ${decision.was}: ${decision.why}`;
}

/** Names a rule as the table of changes does. */
export function nameRule({ rule, route = "*", where = "*" }: PolicyRule): string {
  return `${rule}  ${route}  ${where}`;
}
