/**
 * Counts the steps of one computation. Schemas come from documents of others, and a small one can take exponential
 * time. Everything in this folder is synchronous, so the counter belongs to the outermost computation that set a limit.
 */

/** The end of a computation that took too many steps. */
export class StepLimitError extends RangeError {
  override readonly name = "StepLimitError";

  constructor(message = "Cannot process a JSON Schema: it takes too many steps") {
    super(message);
  }
}

/** The steps that one operation may take, unless an outer computation has fewer left. */
export const usualSteps = 1_000_000;

let left = Infinity;

export interface Allowance {
  left: number;
}

/**
 * Runs a computation with a limit on its steps. The steps also count for the computation that contains it.
 *
 * @throws {StepLimitError} If the computation exceeds its limit.
 */
export function limitSteps<Result>(most: number | Allowance, run: () => Result): Result {
  const outer = left;
  const own = Math.min(typeof most === "number" ? most : most.left, outer);
  left = own;
  try {
    return run();
  } finally {
    const taken = own - left;
    left = outer === Infinity ? outer : outer - taken; // which is not a number if no limit was taken from none
    if (typeof most === "object") most.left -= taken;
  }
}

export function spend(steps = 1): void {
  left -= steps;
  if (left < 0) throw new StepLimitError();
}
