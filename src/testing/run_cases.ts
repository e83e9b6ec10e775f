/** Runs the cases of a phase: draws a request of each, sends it, and shrinks what breaks a rule. */
import { type Choices, createChoices, readChoices, recordChoices } from "../json_schema/choices.ts";
import { type Breach, type Finding } from "./finding.ts";
import { type Known } from "./known.ts";
import { learn, type Locator } from "./learn.ts";
import { type RoutePlan } from "./route_plan.ts";
import { check, type Checked, type Drawn, type Session } from "./session.ts";
import { shrink } from "./shrink.ts";
import { type WireRequest } from "./wire_request.ts";

/** A phase of the tests of one route. */
export interface Phase {
  /** The route. */
  readonly plan: RoutePlan;
  /** The choices of each case: a seed for endless ones, or the first ones, after which all are zero. */
  readonly cases: Iterable<string | readonly number[]>;
  /** Draws the request of a case; `undefined` for choices that lead to none. */
  readonly draw: (choices: Choices, known: Known) => Promise<Drawn | undefined>;
  /** Whether its answers tell what exists: spoilt requests may be answered with what they brought along. */
  readonly isTelling?: boolean;
  /** Checks more than the rules of every answer do. */
  readonly checkMore?: (checked: Checked, run: PhaseRun) => Promise<Breach | undefined>;
}

/** What a phase is run with. */
export interface PhaseRun extends Session {
  readonly known: Known;
  readonly locator: Locator;
  /** Whether findings of a rule are to be reported. */
  readonly reports: (rule: Finding["rule"], route: string) => boolean;
  /** Notes every exchange. */
  readonly note?: (checked: Checked) => void;
}

/** The most exchanges that the shrinking of one finding takes. */
export const maxShrinking = 500;

/** Runs a phase; one finding for each rule that is broken. */
export async function runCases(phase: Phase, run: PhaseRun): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const start of phase.cases) {
    const choices = recordChoices(
      typeof start === "string" ? createChoices(start) : readChoices(Uint8Array.from(start)),
    );
    const checked = await tryCase(phase, choices, run);
    if (!checked) continue;
    run.note?.(checked);
    for (const breach of checked.breaches) {
      const route = routeOf(checked, phase);
      const isKnown = findings.some(({ rule }) => rule === breach.rule);
      if (isKnown || !run.reports(breach.rule, route)) continue;
      findings.push(await shrinkCase({ breach, checked, choices: choices.drawn }, phase, run));
    }
    if (phase.isTelling && checked.exchange) learn(checked.exchange, run.known, run.locator);
  }
  return findings;
}

async function tryCase(phase: Phase, choices: Choices, run: PhaseRun): Promise<Checked | undefined> {
  const drawn = await phase.draw(choices, run.known);
  if (!drawn || !run.settings.allows(drawn.request)) return undefined;
  const checked = await check(drawn, phase.plan, run);
  const more = checked.breaches.length === 0 ? await phase.checkMore?.(checked, run) : undefined;
  return more ? { ...checked, breaches: [more] } : checked;
}

/** A case that broke a rule. */
interface Broken {
  readonly breach: Breach;
  readonly checked: Checked;
  readonly choices: readonly number[];
}

async function shrinkCase(broken: Broken, phase: Phase, run: PhaseRun): Promise<Finding> {
  const route = routeOf(broken.checked, phase);
  let smallest = broken;
  await shrink(broken.choices, async (choices) => {
    const checked = await tryCase(phase, readChoices(Uint8Array.from(choices)), run);
    const breach = checked?.breaches.find(({ rule }) => rule === broken.breach.rule);
    if (!checked || !breach || routeOf(checked, phase) !== route || isLarger(checked, smallest.checked)) return false;
    smallest = { breach, checked, choices };
    return true;
  }, maxShrinking);
  return {
    ...smallest.breach,
    route,
    requests: [smallest.breach.request ?? smallest.checked.request],
    before: [broken.breach.request ?? broken.checked.request],
  };
}

/** Whether a request has more to read than another. */
function isLarger({ request }: Checked, { request: other }: Checked): boolean {
  return sizeOf(request) > sizeOf(other);
}

function sizeOf({ path, body, headers }: WireRequest): number {
  return path.length + (body?.length ?? 0) + JSON.stringify(headers).length;
}

function routeOf({ exchange }: Checked, { plan }: Phase): string {
  return exchange?.plan?.node.key ?? plan.node.key;
}
