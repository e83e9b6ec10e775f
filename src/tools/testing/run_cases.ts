/** Runs the cases of a phase: generates and sends a request for each, and shrinks those that break a rule. */
import { type Choices, createChoices, readChoices, recordChoices } from "../json_schema/choices.ts";
import { type Breach, type Finding, toFinding } from "./finding.ts";
import { isHint } from "./foreign.ts";
import type { RoutePlan } from "./route_plan.ts";
import { isDisproved } from "./status_rules.ts";
import { type CheckedRequest, sendAndCheck } from "./send_and_check.ts";
import type { Drawn, TestRun } from "./test_run.ts";

export interface Phase {
  readonly plan: RoutePlan;
  /** The choices of each case: a seed for endless choices, or the first choices, after which all are zero. */
  readonly cases: Iterable<string | readonly number[]>;
  /** Generates the request of a case; `undefined` if the choices do not lead to one. */
  readonly draw: (choices: Choices) => Promise<Drawn | undefined>;
  /** Whether its requests violate HTTP, rather than what the contract says about values. */
  readonly isMalformed?: boolean;
  /** Checks further rules, after those of every response. */
  readonly checkMore?: (checked: CheckedRequest) => Promise<Breach | undefined>;
  /** Called with each case, after its findings. */
  readonly note?: (checked: CheckedRequest) => void;
}

/** The most changes that are tried to shrink one finding. */
export const maxShrinking = 500;

/** Runs a phase. Returns one finding per broken rule. */
export async function runCases(phase: Phase, run: TestRun): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const start of phase.cases) {
    if (run.isSpent()) break;
    const choices = recordChoices(
      typeof start === "string" ? createChoices(start) : readChoices(Uint8Array.from(start)),
    );
    const checked = await tryCase(phase, choices, run);
    if (!checked) continue;
    for (const breach of checked.breaches) {
      const isKnown = findings.some((finding) => isSameKind(finding, breach));
      if (isKnown || !run.reports(breach.rule, routeOf(checked, phase))) continue;
      findings.push(await shrinkCase({ breach, checked, choices: choices.drawn }, phase, run));
    }
    phase.note?.(checked);
  }
  return findings.filter((finding) => !isDisproved(finding, run));
}

async function tryCase(phase: Phase, choices: Choices, run: TestRun): Promise<CheckedRequest | undefined> {
  const drawn = await phase.draw(choices);
  if (!drawn || !run.allows(drawn.request)) return undefined;
  const checked = await sendAndCheck(drawn, phase.plan, run);
  const more = checked.breaches.length === 0 ? await phase.checkMore?.(checked) : undefined;
  const breaches = more ? [more] : checked.breaches;
  if (!run.isForeign) return { ...checked, breaches };
  const { isMalformed = false } = phase;
  return { ...checked, breaches: breaches.map((each) => ({ ...each, isHint: isHint(each, isMalformed) })) };
}

/** Tests whether two breaches are of one rule. A hint does not stand for what is more than one. */
function isSameKind(one: Breach, other: Breach): boolean {
  return one.rule === other.rule && (one.isHint ?? false) === (other.isHint ?? false);
}

interface Broken {
  readonly breach: Breach;
  readonly checked: CheckedRequest;
  readonly choices: readonly number[];
}

async function shrinkCase(broken: Broken, phase: Phase, run: TestRun): Promise<Finding> {
  const route = routeOf(broken.checked, phase);
  let smallest = broken;
  await shrink(broken.choices, async (choices) => {
    if (run.isSpent()) return false;
    const checked = await tryCase(phase, readChoices(Uint8Array.from(choices)), run);
    const breach = checked?.breaches.find((each) => isSameKind(each, broken.breach));
    if (!checked || !breach || routeOf(checked, phase) !== route) return false;
    if (sizeOf(checked) > sizeOf(smallest.checked)) return false;
    smallest = { breach, checked, choices };
    return true;
  });
  const requestOf = ({ breach, checked }: Broken) => breach.request ?? checked.request;
  return toFinding(smallest.breach, route, [requestOf(smallest)], [requestOf(broken)]);
}

function sizeOf({ request: { path, body, headers } }: CheckedRequest): number {
  return path.length + (body?.length ?? 0) + JSON.stringify(headers).length;
}

function routeOf({ observed }: CheckedRequest, { plan }: Phase): string {
  return (observed?.plan ?? plan).node.key;
}

/** Deletes and zeroes parts of a sequence and keeps each change that passes the test, until none helps. */
export async function shrink(
  choices: readonly number[],
  passes: (choices: readonly number[]) => Promise<boolean>,
): Promise<void> {
  let best = withoutZeros(choices);
  let tries = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const change of changes) {
      for (let at = 0; at < best.length;) {
        const candidate = change(best, at, best[at] ?? 0);
        if (candidate && tries++ === maxShrinking) return;
        if (candidate && await passes(candidate)) {
          best = withoutZeros(candidate);
          isSmaller = true;
        } else at++;
      }
    }
  }
}

/** Makes a sequence smaller at an index; returns `undefined` if it cannot. */
type Reduction = (choices: readonly number[], at: number, choice: number) => readonly number[] | undefined;

const changes: readonly Reduction[] = [
  (choices, at) => choices.slice(0, at),
  ...[16, 4, 2, 1].map((length): Reduction => (choices, at) => choices.toSpliced(at, length)),
  (choices, at, choice) => choice === 0 ? undefined : choices.with(at, 0),
  (choices, at, choice) => choice > 1 ? choices.with(at, choice >> 1) : undefined,
  (choices, at, choice) => choice === 0 ? undefined : choices.with(at, choice - 1),
];

/** Removes trailing zeros, because reading past the end returns zeros anyway. */
function withoutZeros(choices: readonly number[]): readonly number[] {
  return choices.slice(0, choices.findLastIndex((choice) => choice !== 0) + 1);
}
