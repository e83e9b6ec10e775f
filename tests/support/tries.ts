/**
 * How often properties are tried. A failure prints its seed and path. `PROPERTY_SEED=… PROPERTY_TIMES=…` before the
 * test's command repeats it, or runs it for longer.
 */
import fc from "fast-check";

const times = Number(Deno.env.get("PROPERTY_TIMES") ?? 1);
const seed = Deno.env.get("PROPERTY_SEED");

/** Returns the settings of a property that is tried `count` times, or more often if the environment asks for more. */
export function tries(numRuns: number): { numRuns: number; seed?: number; endOnFailure: boolean } {
  return {
    numRuns: Math.ceil(numRuns * times),
    ...(seed !== undefined && { seed: Number(seed) }),
    endOnFailure: times > 1, // shrinking a long run may take longer than the run
  };
}

/**
 * Returns `fc.assert` with the settings of a property that is tried `count` times. The settings of `fc.configureGlobal()`
 * would be those of all files of a realm.
 */
export function asserting(count: number): typeof fc.assert {
  const assert: (property: never, settings?: object) => unknown = (property, settings) =>
    fc.assert(property, { ...tries(count), ...settings });
  return assert as typeof fc.assert;
}
