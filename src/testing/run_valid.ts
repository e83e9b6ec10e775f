/** Sends valid requests, and checks that they reach something. */
import { isOptional, requirementsOf } from "../contract/security_list.ts";
import { createChoices, readChoices } from "../json_schema/choices.ts";
import { type RuleSettings } from "./exchange.ts";
import { type Finding } from "./finding.ts";
import { learn } from "./learn.ts";
import { drawValid, type PhaseSettings, validPhase } from "./phases.ts";
import { type RoutePlan } from "./route_plan.ts";
import { type PhaseRun, runCases } from "./run_cases.ts";
import { check } from "./session.ts";

/**
 * Runs the valid requests of a route. Adds a finding if the server refused all callers or found nothing for any of
 * them.
 */
export async function runValid(
  plan: RoutePlan,
  run: PhaseRun,
  settings: PhaseSettings,
): Promise<Finding[]> {
  const { node, names } = plan;
  const given = settings.values[node.key]?.params ?? {};
  if (names.some((name) => !Object.hasOwn(given, name))) await explore(plan, run, settings);
  const statuses = new Map<number, number>();
  const findings = await runCases(validPhase(plan, settings), {
    ...run,
    note: ({ exchange }) => {
      if (exchange) statuses.set(exchange.answer.status, (statuses.get(exchange.answer.status) ?? 0) + 1);
    },
  });
  const missed = findings.length === 0
    ? describeMiss(plan, statuses, { shared: run.settings.shared, caller: settings.caller })
    : undefined;
  if (missed === undefined || !run.reports("nothing-reached", node.key)) return findings;
  return [{ rule: "nothing-reached", route: node.key, state: missed, requests: [], before: [] }];
}

/** The statuses of requests that found nothing, or whose caller was refused. */
const missing: readonly number[] = [401, 403, 404];

/** Describes why no request reached the handler. `shared` are the responses of all routes, which guards return. */
function describeMiss(
  { node }: RoutePlan,
  statuses: ReadonlyMap<number, number>,
  { shared, caller }: Pick<RuleSettings, "shared"> & Pick<PhaseSettings, "caller">,
): string | undefined {
  const { key, responses, security = [] } = node;
  const schemes = requirementsOf(security).map(({ scheme }) => scheme.name);
  if (statuses.size === 0) {
    const isUnknown = schemes.length > 0 && !isOptional(security) &&
      !schemes.some((name) => caller.credentials.has(name));
    return isUnknown
      ? `no valid request was found, because it requires a credential; ${hintFor(schemes)}`
      : `no valid request was found; pass valid ones in the option values: { ${JSON.stringify(key)}: { … } }`;
  }
  const isMissing = (status: number): boolean =>
    missing.includes(status) || (status >= 400 && status < 500 && Object.hasOwn(shared, status));
  if (![...statuses.keys()].every(isMissing) || Object.keys(responses).map(Number).every(isMissing)) return undefined;
  const counts = [...statuses].map(([status, count]) => `${count} times ${status}`).join(", ");
  const isRefused = [...statuses.keys()].every((status) => status === 401 || status === 403);
  const hint = isRefused ? hintFor(schemes) : "pass ids that exist in the option values";
  return `its valid requests were answered ${counts} and nothing else; ${hint}`;
}

function hintFor(schemes: readonly string[]): string {
  const entries = schemes.map((name) => `${JSON.stringify(name)}: …`).join(", ");
  return `pass one that the server accepts in the option credentials: { ${entries} }`;
}

/** Sends valid requests to all other routes twice, to learn what exists. Skips DELETE routes. */
async function explore(plan: RoutePlan, run: PhaseRun, settings: PhaseSettings): Promise<void> {
  const { known, locator } = run;
  for (let round = 0; round < 2; round++) {
    for (const other of run.settings.plans.values()) {
      if (other === plan || other.node.method === "DELETE") continue;
      const choices = round === 0
        ? readChoices(new Uint8Array())
        : createChoices(`${settings.seed} explore ${other.node.key}`);
      const drawn = await drawValid(other, settings, choices, known);
      if (!drawn || !run.settings.allows(drawn.request)) continue;
      const { exchange } = await check(drawn, other, run);
      if (exchange) learn(exchange, known, locator);
    }
  }
}
