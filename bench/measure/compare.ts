import { median } from "./median.ts";

/** Prepares and runs a batch. Resolves to the nanoseconds per item. */
export type Lap = () => Promise<number>;

/** The length of a comparison, in milliseconds. */
export interface Pace {
  readonly warmUp: number;
  readonly duration: number;
}

/** The results of one process, in nanoseconds: the medians of its laps, and of its pairs of laps. */
export interface Comparison {
  readonly system: number;
  readonly direct: number;
  /** The system's time divided by the time of `direct`. */
  readonly ratio: number;
  /** The system's time minus the time of `direct`, without the work that both share. */
  readonly beyond: number;
}

/** The shortest comparison, which only shows that both run: one pair of laps, without a warm-up. */
export const onePair: Pace = { warmUp: 0, duration: 0 };

const leastPairs = 3;

/**
 * Runs laps of both in turns, so that anything that slows the machine slows both. Each pair of adjacent laps yields one
 * ratio.
 */
export async function compare(system: Lap, direct: Lap, { warmUp, duration }: Pace): Promise<Comparison> {
  if (warmUp > 0) await runPairs(system, direct, warmUp);
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
  const least = duration > 0 ? leastPairs : 1;
  const end = performance.now() + duration;
  while (pairs.length < least || performance.now() < end) {
    pairs.push(await (pairs.length % 2 === 0 ? systemFirst() : directFirst()));
  }
  return pairs;
}
