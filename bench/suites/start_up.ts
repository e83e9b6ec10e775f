import { median, spread } from "../measure/median.ts";
import { runWorker } from "../measure/run_worker.ts";
import type { Section } from "../report/section.ts";
import type { StartUpInput, StartUpOutput } from "../workers/start_up.ts";
import { type Options, runRounds } from "./suite.ts";

const text =
  `In a fresh process that has loaded the schema library and created the schemas: the import of the system with its
declaration of the contract, and then the creation of the handler and its first response (parameter, JSON out).
Modules come from Deno's cache.`;

/** Measures the time of a process until its first response. */
export async function measureStartUp({ short, systems }: Options): Promise<Section> {
  // that the others start is seen in the other suites
  const names = ["direct" as const, ...short ? systems.slice(0, 1) : systems];
  const run = (system: typeof names[number]) => runWorker<StartUpOutput>("start_up", { system } satisfies StartUpInput);
  if (!short) await runRounds(1, names, run); // fills the cache
  const outputs = await runRounds(short ? 1 : 9, names, run);
  return {
    title: "Start-up",
    text,
    tables: [{ head: ["ms", "import", "first response", "both"], rows: [...outputs.values()].map(toRow) }],
    figures: systems.includes("ours")
      ? [{ measure: "startup", ...spread((outputs.get("ours") ?? []).map(total)) }]
      : [],
  };
}

function toRow(outputs: readonly StartUpOutput[]): string[] {
  const columns = [
    outputs.map(({ imported }) => imported),
    outputs.map(({ answered }) => answered),
    outputs.map(total),
  ];
  return [outputs[0]?.title ?? "", ...columns.map((values) => median(values).toFixed(1))];
}

function total({ imported, answered }: StartUpOutput): number {
  return imported + answered;
}
