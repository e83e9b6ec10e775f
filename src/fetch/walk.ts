import { type ErrorPhase, type Outcome, Stop, toFailure } from "../server/stop.ts";

/** One step of processing a request. */
export interface WalkStep<Value, Next, Given> {
  /** The phase of the error if the step throws or rejects. */
  readonly phase: ErrorPhase;
  /** Takes the value of the previous step, and the argument that all steps share. */
  readonly take: (value: Value, given: Given) => Outcome<Next>;
}

/** Four steps, each of which takes the value of the previous one. */
export type WalkSteps<First, Second, Third, Fourth, End, Given> = readonly [
  WalkStep<First, Second, Given>,
  WalkStep<Second, Third, Given>,
  WalkStep<Third, Fourth, Given>,
  WalkStep<Fourth, End, Given>,
];

/**
 * Plans a sequence of steps. Each runs as soon as the value of the previous one is available. A {@linkcode Stop} ends
 * the sequence, and `stop` then returns its value. The sequence never throws or rejects. It is a loop, because nested
 * calls of {@linkcode whenReady} took 50 % longer for a text in memory.
 */
export function planWalk<First, Second, Third, Fourth, End, Given>(
  steps: WalkSteps<First, Second, Third, Fourth, End, Given>,
  stop: (stop: Stop, given: Given) => End | Promise<End>,
): (first: First, given: Given) => End | Promise<End> {
  const walk = (from: number, first: unknown, given: Given): unknown => {
    let value = first;
    for (let at = from; at < steps.length; at++) {
      const step = steps[at] as WalkStep<unknown, unknown, Given>; // it takes the value of the previous step
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
  return (first, given) => walk(0, first, given) as End | Promise<End>; // the value of the last step or of `stop`
}
