import { measureMemory } from "./control.ts";
import type { Served } from "./start_server.ts";

/** The memory of both processes at one time, without garbage, in bytes. */
export interface Sample {
  readonly server: Memory;
  readonly client: Memory;
}

interface Memory {
  readonly rss: number;
  readonly heap: number;
}

/**
 * The limit for memory growth between the warm-up and the end, in bytes. A leak of 100 bytes per request exceeds it
 * within minutes.
 */
const allowed: Memory = { rss: 48 * 2 ** 20, heap: 6 * 2 ** 20 };
/** How many samples there are, and how many of them are warm-up. */
const samples = 20;
const warmUp = 8;

/** Takes samples at equal distances until it is time. */
export async function sampleMemory(served: Served, until: number): Promise<Sample[]> {
  const distance = (until - performance.now()) / samples;
  const taken: Sample[] = [];
  for (let index = 0; index < samples; index++) {
    await new Promise((resolve) => setTimeout(resolve, distance));
    const { rss, heap } = await served.figures();
    taken.push({ server: { rss, heap }, client: measureMemory() });
  }
  return taken;
}

/** A row of the table of memory. */
export interface Growth {
  readonly what: string;
  /** The medians after the warm-up and at the end, in bytes. */
  readonly before: number;
  readonly after: number;
  readonly isFlat: boolean;
}

/** Compares the first samples after the warm-up with the last ones. */
export function compareMemory(taken: readonly Sample[]): Growth[] {
  const settled = taken.slice(warmUp);
  return (["server", "client"] as const).flatMap((side) =>
    (["rss", "heap"] as const).map((kind) => {
      const values = settled.map((sample) => sample[side][kind]);
      const before = median(values.slice(0, 4));
      const after = median(values.slice(-4));
      return { what: `${kind} of the ${side}`, before, after, isFlat: after - before <= allowed[kind] };
    })
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
