/** Runs the cases of a phase: generates and sends a request for each, and shrinks those that break a rule. */
import { type Choices, createChoices, readChoices, recordChoices } from "../json_schema/choices.ts";
import { type Breach, type Finding, toFinding } from "./finding.ts";
import { isHint } from "./foreign.ts";
import type { TestedRoute } from "./route_plan.ts";
import { isDisproved } from "./status_rules.ts";
import { type CheckedRequest, sendAndCheck } from "./send_and_check.ts";
import type { Drawn, TestRun } from "./test_run.ts";
import { sizeOf as sizeOfRequest } from "./wire_request.ts";

/** The choices of a case: a seed for endless choices, or the first choices, after which all are zero. */
export type Start = string | readonly number[];

export function toChoices(start: Start): Choices {
  return typeof start === "string" ? createChoices(start) : readChoices(Uint8Array.from(start));
}

export interface Phase {
  readonly plan: TestedRoute;
  readonly cases: Iterable<Start>;
  readonly draw: (choices: Choices) => Promise<Drawn | undefined>;
  /** Whether its requests violate HTTP, rather than what the contract says about values. */
  readonly isMalformed?: boolean;
  readonly checkMore?: (checked: CheckedRequest) => Promise<Breach | undefined>;
  readonly note?: (checked: CheckedRequest) => void;
}

export const maxShrinking = 500;

export async function runCases(phase: Phase, run: TestRun): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const start of phase.cases) {
    if (run.isSpent()) break;
    const choices = recordChoices(toChoices(start));
    const checked = await tryCase(phase, choices, run);
    if (!checked) continue;
    for (const breach of checked.breaches) {
      const isKnown = findings.some((finding) => isSameKind(finding, breach));
      if (isKnown || !run.reports(breach.rule, routeOf(checked, phase))) continue;
      findings.push(await shrinkCase({ breach, checked }, choices.drawn, phase, run));
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

interface BrokenCase {
  readonly breach: Breach;
  readonly checked: CheckedRequest;
}

async function shrinkCase(broken: BrokenCase, drawn: readonly number[], phase: Phase, run: TestRun): Promise<Finding> {
  const route = routeOf(broken.checked, phase);
  const smallest = await shrink(broken, drawn, run, async (choices, { checked: least }) => {
    const checked = await tryCase(phase, choices, run);
    const breach = checked?.breaches.find((each) => isSameKind(each, broken.breach));
    if (!checked || !breach || routeOf(checked, phase) !== route) return undefined;
    return sizeOf(checked) > sizeOf(least) ? undefined : { breach, checked };
  });
  const requestOf = ({ breach, checked }: BrokenCase) => breach.request ?? checked.request;
  return toFinding(smallest.breach, route, [requestOf(smallest)], [requestOf(broken)]);
}

function sizeOf({ request }: CheckedRequest): number {
  return sizeOfRequest(request) + JSON.stringify(request.headers).length;
}

function routeOf({ observed }: CheckedRequest, { plan }: Phase): string {
  return (observed?.plan ?? plan).node.key;
}

/** Shrinks choices while `retry` returns something that is broken likewise, and is not larger than the smallest. */
export async function shrink<Broken>(
  broken: Broken,
  drawn: readonly number[],
  { isSpent }: Pick<TestRun, "isSpent">,
  retry: (choices: Choices, smallest: Broken) => Promise<Broken | undefined>,
): Promise<Broken> {
  let smallest = broken;
  let best = withoutZeros(drawn);
  let tries = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const change of changes) {
      for (let at = 0; at < best.length;) {
        const candidate = change(best, at, best[at] ?? 0);
        if (candidate && (isSpent() || tries++ === maxShrinking)) return smallest;
        const smaller = candidate && await retry(toChoices(candidate), smallest);
        if (smaller !== undefined) {
          smallest = smaller;
          best = withoutZeros(candidate!); // which was tried
          isSmaller = true;
        } else at++;
      }
    }
  }
  return smallest;
}

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
