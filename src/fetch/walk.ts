import { type ErrorPhase, type Outcome, Stop, toFailure } from "../server/stop.ts";

/** One step of a walk. */
export interface WalkStep<Value, Next, Given> {
  /** The phase that fails if the step throws or rejects. */
  readonly phase: ErrorPhase;
  /** Takes what the step before gave, and what all steps of the walk are given. */
  readonly take: (value: Value, given: Given) => Outcome<Next>;
}

/** Four steps, each of which takes what the one before it gives. */
export type WalkSteps<First, Second, Third, Fourth, End, Given> = readonly [
  WalkStep<First, Second, Given>,
  WalkStep<Second, Third, Given>,
  WalkStep<Third, Fourth, Given>,
  WalkStep<Fourth, End, Given>,
];

/**
 * Plans a walk: steps in their order, each taken as soon as the value of the one before is there. A {@linkcode Stop} ends the walk:
 * `stop` gives its end. A walk never throws or rejects. It is a loop because calls of {@linkcode whenReady} within each other took half
 * as long again for a text in memory.
 */
export function planWalk<First, Second, Third, Fourth, End, Given>(
  steps: WalkSteps<First, Second, Third, Fourth, End, Given>,
  stop: (stop: Stop, given: Given) => End | Promise<End>,
): (first: First, given: Given) => End | Promise<End> {
  const walk = (from: number, first: unknown, given: Given): unknown => {
    let value = first;
    for (let at = from; at < steps.length; at++) {
      const step = steps[at] as WalkStep<unknown, unknown, Given>; // which takes what the one before gave
      try {
        value = step.take(value, given);
      } catch (error) {
        value = toFailure(step.phase, error);
      }
      if (value instanceof Promise) return walkLater(at, value, given);
      if (value instanceof Stop) return stop(value, given);
    }
    return value;
  };
  const walkLater = (at: number, value: Promise<unknown>, given: Given): Promise<unknown> =>
    value.then(
      (value) => value instanceof Stop ? stop(value, given) : walk(at + 1, value, given),
      (error) => stop(toFailure(steps[at]!.phase, error), given),
    );
  return (first, given) => walk(0, first, given) as End | Promise<End>; // what the last step or `stop` gave
}
