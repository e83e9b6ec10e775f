/** The walk of an audit: every operation that may be called, and then sequences of calls. */
import { messageOf } from "../../messages.ts";
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
  /** Why a part of it could not be checked; `undefined` if all could. */
  readonly failure: string | undefined;
}

/** The most requests for one operation, and for sequences of calls. */
const [mostForOne, mostForSequences] = [1_000, 500];

/** What all visits found. */
export interface Visits {
  /** The visits by the keys of their routes. */
  readonly byKey: ReadonlyMap<string, Visit>;
  /** Why sequences of calls could not be checked; `undefined` if they were, or if there are none. */
  readonly failure: string | undefined;
}

/** Visits the operations that may be called, and then calls several of them in a row. */
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

/** Adds what sequences of calls find to the visits. */
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

/** Returns the plan of an operation that the audit may call; `undefined` if it may not. */
export function findCallable(
  { key, operation }: ReportedOperation,
  { run, settings, documented }: AuditedServer,
): RoutePlan | undefined {
  const plan = key === undefined || documented.isElsewhere(operation) ? undefined : run.plans.get(key);
  return plan && (settings.write || isReading(plan.node.method)) ? plan : undefined;
}

/**
 * Operations with fewer parameters come first, since they reveal values for the others. What deletes comes last, a whole
 * collection or the session after its parts.
 */
function rankOf({ node: { key, method, path }, names }: RoutePlan): number {
  if (/(?:log|sign)[-_]?(?:out|off)/i.test(`${key} ${path}`)) return 2_000; // it may end the session of the credential
  if (method === "DELETE") return 1_000 - 10 * names.length;
  return 10 * names.length + (isReading(method) ? 0 : 1);
}
