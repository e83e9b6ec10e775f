/** From what the visits found to the report. */
import type { ReportedOperation } from "../import/report.ts";
import { requirementsOf } from "../../contract/security_scheme.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import type { Finding } from "../testing/finding.ts";
import { isHint, withinSteps } from "../testing/foreign.ts";
import type { TestedRoute } from "../testing/route_plan.ts";
import { formatCurl, formatRequest } from "../testing/wire_request.ts";
import { isHarmless } from "./settings.ts";
import {
  type AuditedOperation,
  type AuditFinding,
  type AuditHint,
  type AuditReport,
  type AuditVerdict,
  auditVerdicts as verdictOrder,
  countVerdicts,
} from "./report.ts";
import { isAboutValues } from "./combinations.ts";
import type { BudgetedSender } from "./sender.ts";
import { type AuditedServer, findCallable, type Visit, type Visits } from "./visit_operations.ts";

export function toReport(
  reported: readonly ReportedOperation[],
  { byKey, failure }: Visits,
  audited: AuditedServer,
): Omit<AuditReport, "date"> {
  const { run, sender: { state }, settings, documented, baseUrl } = audited;
  const nothing = describeNothing(audited);
  const operations = reported.map((each) => toOperation(each, byKey.get(each.key ?? ""), nothing, audited));
  const totals = countVerdicts(operations);
  const isReached = totals["never reached"] < operations.length;
  const isDrift = totals.undocumented + totals.looser + totals.stricter > 0;
  const first = operations.find(({ reason }) => reason !== null);
  const reason = state.stopped ?? nothing ?? failure ?? (isReached ? undefined : first?.reason);
  return {
    format: 1,
    title: run.show(documented.title),
    version: run.show(documented.version),
    target: run.show(`${baseUrl}${run.contract.basePath === "/" ? "" : run.contract.basePath}`),
    seed: settings.seed,
    requests: state.sent,
    outcome: !isReached ? "not run" : isDrift ? "drift" : "agrees",
    reason: reason === undefined || reason === null ? null : run.show(reason, mostCharacters),
    notes: [],
    totals,
    operations,
  };
}

const [mostCharacters, mostOfCommand] = [1_000, 4_000];

function describeNothing({ sender: { state }, run, baseUrl, documented }: AuditedServer): string | undefined {
  if (state.sent === 0) return undefined;
  if (state.statuses.size === 0) return state.stopped ?? "the server answered no request";
  if (!isMissing(state)) return undefined;
  const { contract: { basePath } } = run;
  const own = documented.basePath || "/";
  return basePath === own
    ? `all requests were answered 404; is ${own} the right path? Pass another one in the URL: ${baseUrl}/v1, or ${baseUrl}/ for none`
    : `all requests were answered 404; is ${basePath} the right path? Without a path in the URL, it is ${own}, as in the document`;
}

export function isMissing({ statuses }: BudgetedSender["state"]): boolean {
  return statuses.size === 1 && statuses.has(404);
}

function toOperation(
  reported: ReportedOperation,
  visit: Visit | undefined,
  nothing: string | undefined,
  audited: AuditedServer,
): AuditedOperation {
  const { run: { show, accepted, plans }, documented } = audited;
  const plan = plans.get(reported.key ?? "");
  const unreached = visit?.findings.find(({ rule }) => rule === "nothing-reached");
  const visited = nothing === undefined ? visit?.findings.filter((each) => each !== unreached) ?? [] : [];
  const found = visited.map((each) =>
    isAboutValues(each) && documented.hasUnchecked(reported.operation) ? { ...each, isHint: true } : each
  );
  const drift = found.filter((finding) => !isHint(finding, false));
  const findings = drift.map((finding) => ({ verdict: toVerdict(finding), ...toShown(finding, audited) }))
    .toSorted((one, other) => verdictOrder.indexOf(one.verdict) - verdictOrder.indexOf(other.verdict));
  const early = visit?.failure ?? visit?.stopped;
  const isUnknown = visit?.failure !== undefined || !accepted.has(reported.key ?? "");
  const isCut = early !== undefined && isUnknown && drift.length === 0;
  const isReached = visit !== undefined && nothing === undefined && unreached === undefined && !isCut;
  const verdicts = verdictsOf(findings, isReached);
  const reason = unreached && plan
    ? describeUnreached(unreached, plan)
    : visit === undefined
    ? describeUncalled(reported, audited)
    : nothing ?? (early && (isCut ? early : `it was checked in part: ${early}`));
  const summary = documented.summaryOf(reported.operation);
  return {
    operation: show(reported.operation),
    summary: summary === undefined ? null : show(summary),
    verdict: verdicts[0]!, // there is always one
    verdicts,
    requests: visit?.requests ?? 0,
    findings,
    hints: found.filter((finding) => isHint(finding, false)).map((finding) => toShown(finding, audited)),
    reason: reason === undefined ? null : show(reason, mostCharacters),
    notes: reported.changes.map((change) => show(change, mostCharacters)),
  };
}

function describeUncalled(reported: ReportedOperation, audited: AuditedServer): string {
  if (reported.reason !== undefined) return `an audit cannot call it: ${reported.reason}`;
  if (audited.documented.isElsewhere(reported.operation)) return "the document names another host for it";
  return findCallable(reported, audited) === undefined
    ? "it may change something; pass --write to call it"
    : "it was not called";
}

function toShown({ rule, state, requests }: Finding, { run: { show }, baseUrl }: AuditedServer): AuditHint {
  const last = requests.at(-1);
  const shown = show(state, mostCharacters);
  const curls = requests.map(({ secrets, ...request }) => {
    const masked = secrets.filter((name) => !isHarmless(name));
    return show(formatCurl({ ...request, secrets: masked }, baseUrl), mostOfCommand);
  });
  return {
    rule,
    message: last ? `${formatRequest(last, show)} ${shown}` : shown,
    curl: curls.length === 0 ? null : curls.join("\n"),
  };
}

/** The statuses of a server that demands more than its document: another value, a credential, a header field. */
const demanding: readonly number[] = [400, 401, 402, 403, 406, 411, 412, 413, 415, 416, 417, 422, 426, 428];

/** Returns what a finding means. A status such as 404 for a valid request is one that the document does not describe. */
function toVerdict({ rule, status = 400 }: Finding): AuditFinding["verdict"] {
  if (rule === "valid-refused") return demanding.includes(status) ? "stricter" : "undocumented";
  return rule === "invalid-accepted" || rule === "needs-credentials" ? "looser" : "undocumented";
}

/** Returns the verdicts of an operation, the gravest first. `isReached` says that a request told something about it. */
function verdictsOf(findings: readonly Pick<AuditFinding, "verdict">[], isReached: boolean): AuditVerdict[] {
  const found = new Set<AuditVerdict>(findings.map(({ verdict }) => verdict));
  if (!isReached) found.add("never reached");
  if (found.size === 0) found.add("agrees");
  return verdictOrder.filter((verdict) => found.has(verdict));
}

function describeUnreached({ state, remedy }: Finding, { node, names, slots }: TestedRoute): string {
  const schemes = requirementsOf(node.security ?? []).map(({ scheme }) => scheme.name);
  if (remedy?.option === "credentials" && schemes.length > 0) {
    return `${state}; pass a credential that the server accepts: --credential ${schemes[0]}=env:VARIABLE`;
  }
  const needed = names.length > 0 || !slots.body ? names : requiredNames(slots.body.located);
  const options = needed.slice(0, mostNamed).map((name) => `--value ${/^[\w.-]+$/.test(name) ? name : "name"}=…`);
  return options.length === 0 ? state : `${state}; pass what exists, such as an id: ${options.join(" ")}`;
}

const mostNamed = 3;

/** Lists the members that an object must have. A schema that takes too many steps has none. */
function requiredNames(located: LocatedSchema): readonly string[] {
  const shapes = withinSteps(() => normalize([located])) ?? [];
  return [...new Set(shapes.flatMap((shape) => shape.type === "object" ? [...shape.required] : []))];
}
