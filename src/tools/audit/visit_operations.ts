/** The walk of an audit: every operation that may be called, and then sequences of calls. */
import type { ReportedOperation } from "../import/report.ts";
import type { Finding } from "../testing/finding.ts";
import { isReading } from "../testing/foreign.ts";
import type { RoutePlan } from "../testing/route_plan.ts";
import { hasSequences, runSequences } from "../testing/sequences.ts";
import { runPhases } from "./run_phases.ts";
import type { AuditedServer } from "./audited_server.ts";

/** What the requests for one operation found. */
export interface Visit {
  readonly findings: readonly Finding[];
  readonly requests: number;
  /** Why it ended early; `undefined` if it did not. */
  readonly stopped: string | undefined;
}

/** The fewest and the most requests for one operation. */
const [leastForOne, mostForOne] = [8, 1_000];

/** The most requests for sequences of calls. */
const mostForSequences = 500;

/** Visits the operations that may be called. Returns what was found, by the keys of their routes. */
export async function visitOperations(
  operations: readonly ReportedOperation[],
  audited: AuditedServer,
): Promise<ReadonlyMap<string, Visit>> {
  const { run, sender, settings } = audited;
  const plans = operations.flatMap((each) => findCallable(each, audited) ?? [])
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const share = Math.floor(settings.maxRequests / Math.max(1, plans.length));
  const visits = new Map<string, Visit>();
  for (const plan of plans) {
    sender.begin();
    const { findings, failure } = await runPhases(
      plan,
      run,
      sender,
      Math.min(mostForOne, Math.max(leastForOne, share)),
    );
    const { sentForOperation: requests, operationStopped, stopped } = sender.state;
    visits.set(plan.node.key, { findings, requests, stopped: operationStopped ?? stopped ?? failure });
  }
  if (!settings.write || !hasSequences(plans, run.locator)) return visits;
  sender.begin();
  sender.allow(mostForSequences);
  for (const finding of await runSequences(run)) {
    const visit = visits.get(finding.route);
    if (visit?.findings.every(({ rule }) => rule !== finding.rule)) {
      visits.set(finding.route, { ...visit, findings: [...visit.findings, finding] });
    }
  }
  return visits;
}

/** Returns the plan of an operation that the audit may call; `undefined` if it may not. */
export function findCallable(
  { key, operation }: ReportedOperation,
  { run, settings, documented }: AuditedServer,
): RoutePlan | undefined {
  const plan = key === undefined || documented.isElsewhere(operation) ? undefined : run.plans.get(key);
  return plan && (settings.write || isReading(plan.node.method)) ? plan : undefined;
}

/** Operations with fewer parameters come first, since they reveal values for the others; what deletes comes last. */
function rankOf({ node: { method }, names }: RoutePlan): number {
  return (method === "DELETE" ? 1_000 : 0) + 10 * names.length + (isReading(method) ? 0 : 1);
}
