import { median } from "./median.ts";

/** Prepares a batch, runs it, and gives the nanoseconds that one item of it took. */
export type Lap = () => Promise<number>;

/** How long a comparison goes on, in milliseconds. */
export interface Pace {
  readonly warmUp: number;
  readonly duration: number;
}

/** What one process has measured, in nanoseconds: the medians of its laps, and of its pairs of laps. */
export interface Comparison {
  readonly system: number;
  readonly direct: number;
  /** How many times as long as `direct` the system took. */
  readonly ratio: number;
  /** How much longer than `direct` the system took: what both have in common is not in it. */
  readonly beyond: number;
}

const leastPairs = 3;

/** Runs laps of both by turns, so that whatever slows the machine slows both; a pair of neighbours gives one ratio. */
export async function compare(system: Lap, direct: Lap, { warmUp, duration }: Pace): Promise<Comparison> {
  await runPairs(system, direct, warmUp);
  const pairs = await runPairs(system, direct, duration);
  return {
    system: median(pairs.map((pair) => pair.system)),
    direct: median(pairs.map((pair) => pair.direct)),
    ratio: median(pairs.map((pair) => pair.system / pair.direct)),
    beyond: median(pairs.map((pair) => pair.system - pair.direct)),
  };
}

interface Pair {
  readonly system: number;
  readonly direct: number;
}

async function runPairs(system: Lap, direct: Lap, duration: number): Promise<Pair[]> {
  const systemFirst = async (): Promise<Pair> => ({ system: await system(), direct: await direct() });
  const directFirst = async (): Promise<Pair> => ({ direct: await direct(), system: await system() });
  const pairs: Pair[] = [];
  const end = performance.now() + duration;
  while (pairs.length < leastPairs || performance.now() < end) {
    pairs.push(await (pairs.length % 2 === 0 ? systemFirst() : directFirst()));
  }
  return pairs;
}
