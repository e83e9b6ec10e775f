/** The phases of one operation: what an audit sends, in which order, and how many requests each may take. */
import { isOptional, requirementsOf } from "../../contract/security_scheme.ts";
import { messageOf } from "../../messages.ts";
import type { Finding } from "../testing/finding.ts";
import {
  boundaryPhase,
  credentialPhase,
  hasValues,
  headPhase,
  invalidPhase,
  malformedPhase,
  outOfBoundsPhase,
  runValid,
  violationPhase,
} from "../testing/phases.ts";
import type { RoutePlan } from "../testing/route_plan.ts";
import { type Phase, runCases } from "../testing/run_cases.ts";
import type { TestRun } from "../testing/test_run.ts";
import { readRefusal } from "./combinations.ts";
import type { Sender } from "./sender.ts";

/** What the phases of an operation found. */
export interface PhaseResults {
  /** One finding for each rule that it breaks. */
  readonly findings: readonly Finding[];
  /** Why a phase failed, such as a schema that takes too many steps; `undefined` if none did. */
  readonly failure: string | undefined;
}

/** The most requests that compare refused requests with accepted ones. */
const mostCompared = 300;

/** Runs all phases of an operation within a number of requests. */
export async function runPhases(plan: RoutePlan, run: TestRun, sender: Sender, most: number): Promise<PhaseResults> {
  const phases = listPhases(plan);
  const found = new Map<string, Finding>();
  let failure: string | undefined;
  for (const [index, { runPhase }] of phases.entries()) {
    const weights = phases.slice(index).map(({ weight }) => weight);
    const left = most - sender.state.sentForOperation;
    if (left <= 0) break;
    sender.allow(Math.ceil(left * weights[0]! / weights.reduce((sum, weight) => sum + weight)));
    if (sender.isSpent()) break;
    const result = await runPhase(plan, run).catch(messageOf); // a document of others may have schemas without bounds
    if (typeof result === "string") failure ??= `a response or a schema could not be checked: ${result}`;
    for (const finding of typeof result === "string" ? [] : result) {
      const kind = `${finding.rule} ${finding.isHint ?? false} ${finding.status ?? ""}`;
      if (!found.has(kind)) found.set(kind, finding);
    }
  }
  sender.allow(Math.min(mostCompared, most - sender.state.sentForOperation));
  const findings: Finding[] = [];
  for (const finding of found.values()) findings.push(await readRefusal(finding, run));
  return { findings, failure };
}

interface AuditPhase {
  /** Its share of the requests that are left. */
  readonly weight: number;
  readonly runPhase: (plan: RoutePlan, run: TestRun) => Promise<Finding[]>;
}

function listPhases(plan: RoutePlan): AuditPhase[] {
  const { node, slots } = plan;
  const { method, security = [] } = node;
  const isSecured = requirementsOf(security).length > 0 && !isOptional(security);
  const inPhase = (createPhase: (plan: RoutePlan, run: TestRun) => Phase): AuditPhase["runPhase"] => (plan, run) =>
    runCases(createPhase(plan, run), run);
  return [
    { weight: 4, runPhase: runValid, isHeld: true },
    { weight: 2, runPhase: inPhase(credentialPhase), isHeld: isSecured },
    { weight: 3, runPhase: inPhase(invalidPhase), isHeld: hasValues(plan) },
    { weight: 2, runPhase: inPhase(outOfBoundsPhase), isHeld: Object.keys(slots).length > 0 },
    { weight: 3, runPhase: inPhase(violationPhase), isHeld: Object.keys(slots).length > 0 },
    { weight: 2, runPhase: inPhase(boundaryPhase), isHeld: Object.keys(slots).length > 0 },
    { weight: 1, runPhase: inPhase(headPhase), isHeld: method === "GET" },
    { weight: 1, runPhase: inPhase(malformedPhase), isHeld: true },
  ].filter(({ isHeld }) => isHeld);
}
