/** The loop that runs the steps of a route. */
import { type ErrorPhase, type Outcome, type Result, Stop, toFailure } from "../define/result.ts";
import type { Sent } from "./answer.ts";
import type { Exchange } from "./exchange.ts";

/** A verifier or guard answered the request with a result. */
export class EarlyResult extends Stop {
  constructor(readonly result: Result) {
    super();
  }
}

/** One step of a request. */
export interface Step {
  /** The phase of the error if the step throws or rejects. */
  readonly phase: ErrorPhase;
  /** Adds to the exchange, or returns why the request ends here. */
  readonly take: (exchange: Exchange) => Outcome<void>;
}

/** Turns a request into its answer when its steps are done, or one has ended it. It never throws or rejects. */
export type Conclude = (end: Stop | void, exchange: Exchange) => Sent | Promise<Sent>;

/** The steps of a route, and what follows them. */
export interface Walk {
  readonly steps: readonly Step[];
  readonly conclude: Conclude;
}

/**
 * Runs steps, each as soon as the previous one is done, and concludes the request at the first that ends it, or after
 * the last. It never throws or rejects, and is synchronous if the steps are.
 */
export function runSteps(walk: Walk, exchange: Exchange, from = 0): Sent | Promise<Sent> {
  const { steps, conclude } = walk;
  for (let at = from; at < steps.length; at++) {
    const step = steps[at]!; // `at` is below the length
    let end: Outcome<void>;
    try {
      end = step.take(exchange);
    } catch (error) {
      end = toFailure(step.phase, error);
    }
    if (end === undefined) continue;
    return end instanceof Promise ? resumeSteps(walk, exchange, at, end) : conclude(end, exchange);
  }
  return conclude(undefined, exchange);
}

function resumeSteps(walk: Walk, exchange: Exchange, at: number, pending: Promise<Stop | void>): Promise<Sent> {
  return pending.then(
    (end) => end ? walk.conclude(end, exchange) : runSteps(walk, exchange, at + 1),
    (error) => walk.conclude(toFailure(walk.steps[at]!.phase, error), exchange),
  );
}
