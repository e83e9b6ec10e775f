import { isResult, type Result } from "../server/result.ts";
import { type ErrorPhase, Stop, toFailure } from "../server/stop.ts";

/** A verifier or guard answered the request with a result. */
export class EarlyResult extends Stop {
  /** @param isAnonymous Whether the response is the same for every caller. */
  constructor(readonly result: Result, readonly isAnonymous = false) {
    super();
  }
}

/** Converts what a function of the application threw: a result is the answer, and everything else a failure. */
export function recoverEarlyResult(phase: ErrorPhase, thrown: unknown, isAnonymous = false): Stop {
  try {
    if (isResult(thrown)) return new EarlyResult(thrown, isAnonymous);
  } catch {
    // a revoked Proxy throws when its type is tested
  }
  return toFailure(phase, thrown);
}
