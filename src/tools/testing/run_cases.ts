/** Runs the cases of a phase: generates and sends a request for each, and shrinks those that break a rule. */
import { type Choices, createChoices, readChoices, recordChoices } from "../json_schema/choices.ts";
import type { Breach, Finding } from "./finding.ts";
import { type Known, learn, type Locator } from "./known.ts";
import type { RoutePlan } from "./route_plan.ts";
import { type CheckedExchange, type Drawn, sendAndCheck, type Session } from "./session.ts";
import type { WireRequest } from "./wire_request.ts";

/** A phase of the tests of one route. */
export interface Phase {
  readonly plan: RoutePlan;
  /** The choices of each case: a seed for endless choices, or the first choices, after which all are zero. */
  readonly cases: Iterable<string | readonly number[]>;
  /** Generates the request of a case; `undefined` if the choices do not lead to one. */
  readonly draw: (choices: Choices, known: Known) => Promise<Drawn | undefined>;
  /** Whether to learn from its responses what exists. Responses to modified requests may only repeat what was sent. */
  readonly isTelling?: boolean;
  /** Checks further rules, after those of every response. */
  readonly checkMore?: (checked: CheckedExchange, run: PhaseRun) => Promise<Breach | undefined>;
}

/** The state that the phases of a test share. */
export interface PhaseRun extends Session {
  readonly known: Known;
  readonly locator: Locator;
  /** Tests whether to report findings of a rule. */
  readonly reports: (rule: Finding["rule"], route: string) => boolean;
  /** Tests whether the server has made the test wait for so long, or read so much, that it must end. */
  readonly isSpent: () => boolean;
  /** Called with every exchange. */
  readonly note?: (checked: CheckedExchange) => void;
}

/** The most exchanges that shrinking one finding may take. */
export const maxShrinking = 500;

/** Runs a phase. Returns one finding per broken rule. */
export async function runCases(phase: Phase, run: PhaseRun): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const start of phase.cases) {
    if (run.isSpent()) break;
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

async function tryCase(phase: Phase, choices: Choices, run: PhaseRun): Promise<CheckedExchange | undefined> {
  const drawn = await phase.draw(choices, run.known);
  if (!drawn || !run.settings.allows(drawn.request)) return undefined;
  const checked = await sendAndCheck(drawn, phase.plan, run);
  const more = checked.breaches.length === 0 ? await phase.checkMore?.(checked, run) : undefined;
  return more ? { ...checked, breaches: [more] } : checked;
}

/** A case that broke a rule. */
interface Broken {
  readonly breach: Breach;
  readonly checked: CheckedExchange;
  readonly choices: readonly number[];
}

async function shrinkCase(broken: Broken, phase: Phase, run: PhaseRun): Promise<Finding> {
  const route = routeOf(broken.checked, phase);
  let smallest = broken;
  await shrink(broken.choices, async (choices) => {
    if (run.isSpent()) return false;
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

/** Tests whether a request is longer than another one. */
function isLarger({ request }: CheckedExchange, { request: other }: CheckedExchange): boolean {
  return sizeOf(request) > sizeOf(other);
}

function sizeOf({ path, body, headers }: WireRequest): number {
  return path.length + (body?.length ?? 0) + JSON.stringify(headers).length;
}

function routeOf({ exchange }: CheckedExchange, { plan }: Phase): string {
  return exchange?.plan?.node.key ?? plan.node.key;
}

/** Shrinks a sequence of choices for as long as it leads to the same finding. */

/**
 * Deletes and zeroes parts of a sequence and keeps each change that passes the test. Ends when no change helps, or
 * after `maxTries`.
 */
export async function shrink(
  choices: readonly number[],
  passes: (choices: readonly number[]) => Promise<boolean>,
  maxTries: number,
): Promise<readonly number[]> {
  let best = withoutZeros(choices);
  let tries = 0;
  const attempt = async (candidate: readonly number[]): Promise<boolean> => {
    if (tries >= maxTries || isSame(candidate, best)) return false;
    tries++;
    if (!await passes(candidate)) return false;
    best = withoutZeros(candidate);
    return true;
  };
  for (let isSmaller = true; isSmaller && tries < maxTries;) {
    isSmaller = false;
    for (const change of changes) {
      for (let at = 0; at < best.length && tries < maxTries;) {
        const candidate = change(best, at, best[at] ?? 0);
        if (candidate && await attempt(candidate)) isSmaller = true;
        else at++;
      }
    }
  }
  return best;
}

/** Makes a sequence smaller at an index; returns `undefined` if it cannot. */
type Change = (choices: readonly number[], at: number, choice: number) => readonly number[] | undefined;

const changes: readonly Change[] = [
  (choices, at) => choices.slice(0, at),
  ...[16, 4, 2, 1].map((length): Change => (choices, at) => choices.toSpliced(at, length)),
  (choices, at, choice) => choice === 0 ? undefined : choices.with(at, 0),
  (choices, at, choice) => choice > 1 ? choices.with(at, choice >> 1) : undefined,
  (choices, at, choice) => choice === 0 ? undefined : choices.with(at, choice - 1),
];

/** Removes trailing zeros, because reading past the end returns zeros anyway. */
function withoutZeros(choices: readonly number[]): readonly number[] {
  return choices.slice(0, choices.findLastIndex((choice) => choice !== 0) + 1);
}

function isSame(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((choice, index) => choice === right[index]);
}
