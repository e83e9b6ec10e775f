/**
 * Builds a route table in a new process, then measures its matches compared with those of `direct` at the same size.
 */
import { tableRequest } from "../contract/scenarios.ts";
import { answerLap } from "../measure/answer_lap.ts";
import { compare, type Comparison, type Lap, type Pace } from "../measure/compare.ts";
import { loadSystem, type SystemName } from "../systems/load.ts";
import type { Handler, System } from "../systems/system.ts";

export interface TableInput {
  readonly system: SystemName;
  readonly size: number;
  readonly pace: Pace;
}

export interface TableOutput {
  readonly title: string;
  /** Milliseconds to create the handler. */
  readonly construction: number;
  /** Milliseconds until the first response, because some systems defer work to it. */
  readonly firstAnswer: number;
  readonly comparison: Comparison;
}

const leastBatch = 8;
const mostBatch = 256;

/**
 * Returns the size of a batch that takes about 20 milliseconds. With many routes, some systems need that long for one
 * request.
 */
async function batchFor(trial: Lap): Promise<number> {
  await trial();
  return Math.max(leastBatch, Math.min(mostBatch, Math.round(20e6 / await trial())));
}

/** The most routes that are requested in turns, spread over the table. */
const mostAsked = 64;

async function measure({ system: name, size, pace }: TableInput): Promise<TableOutput> {
  const [system, direct] = await Promise.all([loadSystem(name), loadSystem("direct")]);
  const start = performance.now();
  const handler = system.createTable(size);
  const built = performance.now();
  await answerLap(handler, toBatch(system, 1, 1))();
  const answered = performance.now();

  const batch = await batchFor(answerLap(handler, toBatch(system, size, leastBatch)));
  const lap = (one: System, handler: Handler) => answerLap(handler, toBatch(one, size, batch));
  return {
    title: system.title,
    construction: built - start,
    firstAnswer: answered - built,
    comparison: await compare(lap(system, handler), lap(direct, direct.createTable(size)), pace),
  };
}

function toBatch({ protocol }: System, routes: number, size: number): Parameters<typeof answerLap>[1] {
  const asked = Math.min(routes, size, mostAsked);
  const indices = Array.from({ length: asked }, (_, index) => Math.floor(index * routes / asked));
  return { requests: indices.map(protocol?.tableRequest ?? tableRequest), size, status: 200 };
}

if (import.meta.main) console.log(JSON.stringify(await measure(JSON.parse(Deno.args[0] ?? "{}"))));
