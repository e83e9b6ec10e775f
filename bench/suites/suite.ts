import type { Section } from "../report/section.ts";
import type { SystemName } from "../systems/load.ts";

/** How much is measured. */
export interface Options {
  /** One short pass, which checks that everything works. Its figures mean little. */
  readonly short: boolean;
  readonly systems: readonly SystemName[];
}

/** A group of measurements. */
export type Suite = (options: Options) => Promise<Section>;

/**
 * Runs each task several times. All tasks run before any runs again, so that a busy minute affects all of them alike.
 */
export async function runRounds<Name extends string, Output>(
  rounds: number,
  names: readonly Name[],
  run: (name: Name) => Promise<Output>,
): Promise<Map<Name, Output[]>> {
  const outputs = new Map<Name, Output[]>(names.map((name) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const name of names) {
      console.error(`  round ${round} of ${rounds}: ${name}`);
      outputs.get(name)?.push(await run(name));
    }
  }
  return outputs;
}
