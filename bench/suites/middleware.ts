import { onePair } from "../measure/compare.ts";
import { median, spread } from "../measure/median.ts";
import { runWorker } from "../measure/run_worker.ts";
import type { Section } from "../report/section.ts";
import type { Passing } from "../systems/system.ts";
import type { MiddlewareInput, MiddlewareOutput } from "../workers/middleware.ts";
import { type Options, runRounds } from "./suite.ts";

const text =
  `Middleware that changes nothing, around the static text. It either returns the promise of the inner handler or
awaits it. A figure is the time that this number of middleware functions adds to one response.`;

const cases: readonly { readonly name: string; readonly count: number; readonly passing: Passing }[] = [
  { name: "one returns", count: 1, passing: "hands on" },
  { name: "five return", count: 5, passing: "hands on" },
  { name: "one awaits", count: 1, passing: "waits" },
  { name: "five await", count: 5, passing: "waits" },
];

/** Measures the cost of middleware, compared with Hono's. */
export async function measureMiddleware({ short }: Options): Promise<Section> {
  const pace = short ? onePair : { warmUp: 200, duration: 400 };
  const outputs = await runRounds(short ? 1 : 5, cases.map(({ name }) => name), (name) => {
    const { count, passing } = cases.find((each) => each.name === name)!;
    return runWorker<MiddlewareOutput>("middleware", { count, passing, pace } satisfies MiddlewareInput);
  });
  const row = (title: string, system: keyof MiddlewareOutput): string[] => [
    title,
    ...cases.map(({ name }) => (median((outputs.get(name) ?? []).map((each) => each[system])) / 1_000).toFixed(2)),
  ];
  const fives = ["five return", "five await"].map((name) => outputs.get(name) ?? []);
  // the slower of the two kinds, process by process
  const ratios = fives[0]!.map((_, round) => Math.max(...fives.map((five) => five[round]!.ours / five[round]!.hono)));
  return {
    title: "Middleware",
    text,
    tables: [{
      head: ["µs added", ...cases.map(({ name }) => name)],
      rows: [row("@scope/api", "ours"), row("Hono", "hono")],
    }],
    figures: [{ measure: "middleware", ...spread(ratios) }],
  };
}
