/** From findings to verdicts. */
import { requirementsOf } from "../../contract/security_scheme.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { limitSteps, StepLimitError, usualSteps } from "../json_schema/steps.ts";
import { isInstance } from "../../mark.ts";
import type { Finding } from "../testing/finding.ts";
import type { RoutePlan } from "../testing/route_plan.ts";
import { type AuditFinding, type AuditVerdict, verdicts } from "./report.ts";

/** The statuses of a server that demands more than its document: another value, a credential, a header field. */
const demanding: readonly number[] = [400, 401, 402, 403, 406, 411, 412, 413, 415, 416, 417, 422, 426, 428];

/** Returns what a finding means. A status such as 404 for a valid request is one that the document does not describe. */
export function toVerdict({ rule, status = 400 }: Finding): AuditFinding["verdict"] {
  if (rule === "valid-refused") return demanding.includes(status) ? "stricter" : "undocumented";
  return rule === "invalid-accepted" || rule === "needs-credentials" ? "looser" : "undocumented";
}

/** Returns the verdicts of an operation, the gravest first. `isReached` says that a request told something about it. */
export function verdictsOf(findings: readonly Pick<AuditFinding, "verdict">[], isReached: boolean): AuditVerdict[] {
  const found = new Set<AuditVerdict>(findings.map(({ verdict }) => verdict));
  if (!isReached) found.add("never reached");
  if (found.size === 0) found.add("agrees");
  return verdicts.filter((verdict) => found.has(verdict));
}

/** Says why no request reached an operation, and which option helps. */
export function describeUnreached({ state, remedy }: Finding, { node, names, slots }: RoutePlan): string {
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
  try {
    const shapes = limitSteps(usualSteps, () => normalize([located]));
    return [...new Set(shapes.flatMap((shape) => shape.type === "object" ? [...shape.required] : []))];
  } catch (error) {
    if (!isInstance(error, StepLimitError)) throw error;
    return [];
  }
}
