/** From what the visits found to the report. */
import type { ReportedOperation } from "../import/report.ts";
import type { Finding } from "../testing/finding.ts";
import { isHint } from "../testing/foreign.ts";
import { formatCurl, formatRequest } from "../testing/wire_request.ts";
import { isHarmless } from "./secrets.ts";
import type { AuditedServer } from "./audited_server.ts";
import {
  type AuditedOperation,
  type AuditHint,
  type AuditReport,
  countVerdicts,
  verdicts as verdictOrder,
} from "./report.ts";
import type { Sender } from "./sender.ts";
import { describeUnreached, toVerdict, verdictsOf } from "./verdicts.ts";
import { findCallable, type Visit, type Visits } from "./visit_operations.ts";

/** Creates the report, without its date. */
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

/** The most characters of a sentence, and of a command. */
const [mostCharacters, mostOfCommand] = [1_000, 4_000];

/** Says why no operation was reached, where the responses to all requests say so; `undefined` otherwise. */
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

/** Tests whether all requests were answered 404. */
export function isMissing({ statuses }: Sender["state"]): boolean {
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
  const isUnchecked = documented.hasUnchecked(reported.operation);
  const found = nothing === undefined
    ? visit?.findings.filter((each) => each !== unreached).map((each) => isUnchecked ? withoutStricter(each) : each) ??
      []
    : [];
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

/** Returns a finding, as a hint if the document may refuse the values itself, by a keyword that is not checked. */
function withoutStricter(finding: Finding): Finding {
  const isAboutValues = finding.rule === "valid-refused" && (finding.status === 400 || finding.status === 422);
  return isAboutValues ? { ...finding, isHint: true } : finding;
}

/** Says why an operation was not called. */
function describeUncalled(reported: ReportedOperation, audited: AuditedServer): string {
  if (reported.reason !== undefined) return `an audit cannot call it: ${reported.reason}`;
  if (audited.documented.isElsewhere(reported.operation)) return "the document names another host for it";
  return findCallable(reported, audited) === undefined
    ? "it may change something; pass --write to call it"
    : "it was not called";
}

/** Returns a finding as it is shown: its texts are masked, escaped and cut. */
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
