import { type ErrorPhase, type Outcome, Stop, toFailure } from "../server/stop.ts";

/** One step of processing a request. */
export interface PipelineStep<Value, Next, Argument> {
  /** The phase of the error if the step throws or rejects. */
  readonly phase: ErrorPhase;
  /** Takes the value of the previous step, and the argument that all steps share. */
  readonly take: (value: Value, argument: Argument) => Outcome<Next>;
}

/** Four steps, each of which takes the value of the previous one. */
export type PipelineSteps<First, Second, Third, Fourth, End, Argument> = readonly [
  PipelineStep<First, Second, Argument>,
  PipelineStep<Second, Third, Argument>,
  PipelineStep<Third, Fourth, Argument>,
  PipelineStep<Fourth, End, Argument>,
];

/**
 * Plans a sequence of steps. Each runs as soon as the value of the previous one is available. A {@linkcode Stop} ends
 * the sequence, and `stop` then returns its value. The sequence never throws or rejects. It is a loop, because nested
 * calls of {@linkcode whenReady} took 50 % longer for a text in memory.
 */
export function planPipeline<First, Second, Third, Fourth, End, Argument>(
  steps: PipelineSteps<First, Second, Third, Fourth, End, Argument>,
  stop: (stop: Stop, argument: Argument) => End | Promise<End>,
): (first: First, argument: Argument) => End | Promise<End> {
  const run = (from: number, first: unknown, argument: Argument): unknown => {
    let value = first;
    for (let at = from; at < steps.length; at++) {
      const step = steps[at] as PipelineStep<unknown, unknown, Argument>; // it takes the value of the previous step
      try {
        value = step.take(value, argument);
      } catch (error) {
        value = toFailure(step.phase, error);
      }
      if (value instanceof Promise) return runLater(at, value, argument);
      if (value instanceof Stop) return stop(value, argument);
    }
    return value;
  };
  const runLater = (at: number, value: Promise<unknown>, argument: Argument): Promise<unknown> =>
    value.then(
      (value) => value instanceof Stop ? stop(value, argument) : run(at + 1, value, argument),
      (error) => stop(toFailure(steps[at]!.phase, error), argument),
    );
  return (first, argument) => run(0, first, argument) as End | Promise<End>; // the value of the last step or of `stop`
}
