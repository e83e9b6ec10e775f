import { onePair } from "../measure/compare.ts";
import { median, spread } from "../measure/median.ts";
import { runWorker } from "../measure/run_worker.ts";
import type { Section } from "../report/section.ts";
import type { SystemName } from "../systems/load.ts";
import type { TableInput, TableOutput } from "../workers/tables.ts";
import { type Options, runRounds } from "./suite.ts";

const allSizes = [1, 32, 256, 2_048];

const text =
  `Tables with this number of routes, \`/api/resource<n>/items/:id\`, with validated input and output. Requests go to up
to 64 routes in turn, spread over the table. The ratio is to \`direct\` with the same number of routes, which finds
the resource in a \`Map\`. The last two columns are for the largest table, in a process that has built no other: the
time to create the handler, and the time of the first response, because some systems do part of the work then.`;

/** Measures route tables: the cost of a match as they grow, and the cost of building them. */
export async function measureTables({ short, systems }: Options): Promise<Section> {
  const pace = short ? onePair : { warmUp: 200, duration: 300 };
  const sizes = short ? allSizes.slice(1, 2) : allSizes;
  const tasks = sizes.flatMap((size) => systems.map((system) => `${system} ${size}` as const));
  const outputs = await runRounds(short ? 1 : 3, tasks, (task) => {
    const [system, size] = task.split(" ");
    return runWorker<TableOutput>(
      "tables",
      { system: system as SystemName, size: Number(size), pace } satisfies TableInput,
    );
  });
  const at = (system: SystemName, size: number): TableOutput[] => outputs.get(`${system} ${size}`) ?? [];
  return {
    title: "Route tables",
    text,
    tables: [
      {
        head: ["ratio to direct", ...sizes.map((size) => `${size} routes`), "constructed, ms", "first response, ms"],
        rows: systems.map((system) => toRow(sizes.map((size) => at(system, size)))),
      },
      {
        head: ["µs beyond direct", ...sizes.map((size) => `${size} routes`)],
        rows: systems.map((system) => toBeyondRow(sizes.map((size) => at(system, size)))),
      },
    ],
    figures: systems.includes("ours") ? toFigures(sizes, (size) => at("ours", size)) : [],
  };
}

function toRow(bySize: readonly (readonly TableOutput[])[]): string[] {
  const largest = bySize.at(-1) ?? [];
  return [
    largest[0]?.title ?? "",
    ...bySize.map((outputs) => median(outputs.map(({ comparison }) => comparison.ratio)).toFixed(2)),
    median(largest.map(({ construction }) => construction)).toFixed(1),
    median(largest.map(({ firstAnswer }) => firstAnswer)).toFixed(1),
  ];
}

function toBeyondRow(bySize: readonly (readonly TableOutput[])[]): string[] {
  return [
    bySize.at(-1)?.[0]?.title ?? "",
    ...bySize.map((outputs) => (median(outputs.map(({ comparison }) => comparison.beyond)) / 1_000).toFixed(2)),
  ];
}

function toFigures(sizes: readonly number[], at: (size: number) => readonly TableOutput[]): Section["figures"] {
  const largest = sizes.at(-1) ?? 0;
  return [
    ...sizes.map((size) => ({
      measure: `tables.${size}`,
      ...spread(at(size).map(({ comparison }) => comparison.ratio)),
    })),
    { measure: `tables.construction.${largest}`, ...spread(at(largest).map(({ construction }) => construction)) },
  ];
}
