/** Measures the time that middleware adds to a response, in this library and in Hono, in turns. */
import { scenarios } from "../contract/scenarios.ts";
import { answerLap } from "../measure/answer_lap.ts";
import { compare, type Lap, type Pace } from "../measure/compare.ts";
import { loadSystem } from "../systems/load.ts";
import type { Passing, System } from "../systems/system.ts";

export interface MiddlewareInput {
  readonly count: number;
  readonly passing: Passing;
  readonly pace: Pace;
}

/** The time that the middleware adds to a response, in nanoseconds. */
export interface MiddlewareOutput {
  readonly ours: number;
  readonly hono: number;
}

async function measure({ count, passing, pace }: MiddlewareInput): Promise<MiddlewareOutput> {
  const [ours, hono] = await Promise.all([loadSystem("ours"), loadSystem("hono")]);
  const { request, status, batch } = scenarios.text;
  const lap = ({ createLayers, title }: System, count: number): Lap => {
    if (!createLayers) throw new Error(`Cannot measure middleware: ${title} has none here`);
    return answerLap(createLayers(count, passing), { requests: [request], size: batch, status });
  };
  const added = async (system: System): Promise<number> =>
    (await compare(lap(system, count), lap(system, 0), pace)).beyond;
  return { ours: await added(ours), hono: await added(hono) };
}

if (import.meta.main) console.log(JSON.stringify(await measure(JSON.parse(Deno.args[0] ?? "{}"))));
