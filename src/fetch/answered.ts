import { isResult, type Result } from "../server/result.ts";
import { type ErrorPhase, Stop, toFailure } from "../server/stop.ts";

/** A verifier or guard answered a request with a result. */
export class Answered extends Stop {
  /** @param isAnonymous Whether the answer is the same for whoever called. */
  constructor(readonly result: Result, readonly isAnonymous = false) {
    super();
  }
}

/** What is made of what a function of the application threw: a result is an answer, anything else a failure. */
export function recoverAnswer(phase: ErrorPhase, thrown: unknown, isAnonymous = false): Stop {
  try {
    if (isResult(thrown)) return new Answered(thrown, isAnonymous);
  } catch {
    // a revoked Proxy cannot be asked what it is
  }
  return toFailure(phase, thrown);
}
