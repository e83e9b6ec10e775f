/** The walk of an audit: every operation that may be called, and then sequences of calls. */
import { messageOf } from "../../messages.ts";
import type { ReportedOperation } from "../import/report.ts";
import type { Finding } from "../testing/finding.ts";
import { isReading } from "../testing/foreign.ts";
import { parts } from "../testing/phases.ts";
import type { TestedRoute } from "../testing/route_plan.ts";
import { hasSequences, runSequences } from "../testing/sequences.ts";
import type { TestRun } from "../testing/test_run.ts";
import { readRefusal } from "./combinations.ts";
import type { DocumentSummary } from "./document.ts";
import type { BudgetedSender } from "./sender.ts";
import type { AuditSettings } from "./settings.ts";

export interface AuditedServer {
  readonly run: TestRun;
  readonly sender: BudgetedSender;
  readonly settings: AuditSettings;
  readonly documented: DocumentSummary;
  /** The URL of the server, without the path of the document's servers. */
  readonly baseUrl: string;
}

export interface Visit {
  readonly findings: readonly Finding[];
  readonly requests: number;
  readonly stopped: string | undefined;
  readonly failure: string | undefined;
}

const [mostForOne, mostForSequences] = [1_000, 500];

export interface Visits {
  readonly byKey: ReadonlyMap<string, Visit>;
  /** Why sequences of calls could not be checked; `undefined` if they were, or if there are none. */
  readonly failure: string | undefined;
}

export async function visitOperations(
  operations: readonly ReportedOperation[],
  audited: AuditedServer,
): Promise<Visits> {
  const { run, sender, settings: { write, maxRequests } } = audited;
  const plans = operations.flatMap((each) => findCallable(each, audited) ?? [])
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const isInSequence = write && hasSequences(plans, run.locator);
  const most = isInSequence ? Math.ceil(maxRequests * 0.9) : maxRequests;
  const byKey = new Map<string, Visit>();
  for (const [index, plan] of plans.entries()) {
    sender.begin();
    const share = Math.ceil((most - sender.state.sent) / (plans.length - index)); // of those that are left
    const { findings, failure } = await runPhases(plan, run, sender, Math.min(mostForOne, share));
    const { sentForOperation: requests, operationStopped, stopped } = sender.state;
    byKey.set(plan.node.key, { findings, requests, stopped: operationStopped ?? stopped, failure });
  }
  return isInSequence ? await visitInSequence(byKey, audited) : { byKey, failure: undefined };
}

async function visitInSequence(visits: ReadonlyMap<string, Visit>, { run, sender }: AuditedServer): Promise<Visits> {
  const byKey = new Map(visits);
  sender.begin();
  sender.allow(mostForSequences);
  const result = await runSequences(run).catch(messageOf); // see runPhases()
  if (typeof result === "string") return { byKey, failure: `sequences of calls could not be checked: ${result}` };
  for (const finding of result) {
    const visit = byKey.get(finding.route);
    if (!visit || visit.findings.some(({ rule }) => rule === finding.rule)) continue;
    byKey.set(finding.route, { ...visit, findings: [...visit.findings, finding] });
  }
  return { byKey, failure: undefined };
}

export function findCallable(
  { key, operation }: ReportedOperation,
  { run, settings, documented }: AuditedServer,
): TestedRoute | undefined {
  const plan = key === undefined || documented.isElsewhere(operation) ? undefined : run.plans.get(key);
  return plan && (settings.write || isReading(plan.node.method)) ? plan : undefined;
}

/** The parts of the tests in their order, each with its share of the requests that are left. */
const weights: readonly (readonly [part: keyof typeof parts, weight: number])[] = [
  ["valid", 4],
  ["credentials", 2],
  ["invalid", 3],
  ["out of bounds", 2],
  ["violations", 3],
  ["boundaries", 2],
  ["head", 1],
  ["malformed", 1],
];

const mostCompared = 300;

async function runPhases(
  plan: TestedRoute,
  run: TestRun,
  sender: BudgetedSender,
  most: number,
): Promise<Pick<Visit, "findings" | "failure">> {
  const phases = weights.filter(([part]) => parts[part].applies(plan));
  const found = new Map<string, Finding>();
  let failure: string | undefined;
  for (const [index, [part, weight]] of phases.entries()) {
    const sum = phases.slice(index).reduce((sum, [, each]) => sum + each, 0);
    const left = most - sender.state.sentForOperation;
    if (left <= 0) break;
    sender.allow(Math.ceil(left * weight / sum));
    if (sender.isSpent()) break;
    const result = await parts[part].run(plan, run).catch(messageOf); // a document of others may have schemas without bounds
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

/**
 * Operations with fewer parameters come first, since they reveal values for the others. What deletes comes last, a whole
 * collection or the session after its parts.
 */
function rankOf({ node: { key, method, path }, names }: TestedRoute): number {
  if (/(?:log|sign)[-_]?(?:out|off)/i.test(`${key} ${path}`)) return 2_000; // it may end the session of the credential
  if (method === "DELETE") return 1_000 - 10 * names.length;
  return 10 * names.length + (isReading(method) ? 0 : 1);
}
