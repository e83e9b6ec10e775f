/**
 * How often the properties of hostile input are tried. A failure prints its seed and path;
 * `PROPERTY_SEED=… PROPERTY_TIMES=…` before the test's command repeats it, or goes on for longer.
 */

const times = Number(Deno.env.get("PROPERTY_TIMES") ?? 1);
const seed = Deno.env.get("PROPERTY_SEED");

/** The settings of a property that is tried so many times, or a multiple of that where the environment asks for more. */
export function tries(numRuns: number): { numRuns: number; seed?: number; endOnFailure: boolean } {
  return {
    numRuns: Math.ceil(numRuns * times),
    ...(seed !== undefined && { seed: Number(seed) }),
    endOnFailure: times > 1, // shrinking a long run may take longer than the run
  };
}

/** Runs `use`, and gives every rejection that nobody handled meanwhile. */
export async function rejectionsOf(use: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const hear = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", hear);
  try {
    await use();
    await settled();
  } finally {
    globalThis.removeEventListener("unhandledrejection", hear);
  }
  return unhandled;
}

/** Waits until what has been set going has come to rest: microtasks and a few turns of the timer. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
