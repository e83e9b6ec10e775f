import { type ScenarioName, scenarios } from "../contract/scenarios.ts";
import { type Load, load } from "../measure/load.ts";
import { median, spread } from "../measure/median.ts";
import { requestOf } from "../measure/prove.ts";
import { serve, type Served } from "../measure/served.ts";
import { formatCell } from "../report/cell.ts";
import type { Section, Table } from "../report/section.ts";
import { loadSystem, type SystemName } from "../systems/load.ts";
import type { System } from "../systems/system.ts";
import { type Options, runRounds } from "./suite.ts";

const names = ["text", "parameter", "patch"] as const satisfies ScenarioName[];
type Name = typeof names[number];

const text =
  `\`Deno.serve\` on 127.0.0.1 with 32 connections, each with one pending request. A system and \`direct\` have a process
each, and are loaded in turn. A figure is the median ratio of neighboring loads, with their middle half in brackets.
Requests per second also depend on the load generator and on other work of the machine; the server's processor time per
request depends on them less.`;

/** The results of one load. */
interface Loaded {
  /** Requests per second. */
  readonly rate: number;
  /** Of the server, in microseconds per request. */
  readonly processorTime: number;
}

/** A load on a system, and an adjacent one on `direct`. */
interface Pair {
  readonly system: Loaded;
  readonly direct: Loaded;
}

/** All pairs of one system, by scenario. */
interface Row {
  readonly title: string;
  readonly pairs: readonly (readonly Pair[])[];
}

/** Measures the most common scenarios of the contract over a socket. */
export async function measureSockets({ short, systems }: Options): Promise<Section> {
  const bounds: Load = { connections: 32, duration: short ? 20 : 500 };
  // A short pass starts each server once, for all scenarios.
  const groups: readonly (readonly Name[])[] = short ? [names] : names.map((name) => [name]);
  const tasks = systems.flatMap((system) => groups.map((group) => `${system} ${group.join(" ")}` as const));
  const outputs = await runRounds(short ? 1 : 3, tasks, (task) => {
    const [system, ...group] = task.split(" ") as [SystemName, ...Name[]];
    return measurePairs(system, group, bounds, short ? 1 : 3);
  });
  const measured = [...outputs].flatMap(([task, results]) => results.map((pairs) => ({ task, pairs })));
  const pairsOf = (system: SystemName): Pair[][] =>
    names.map((name) =>
      measured.filter(({ task }) => task.startsWith(`${system} `)).flatMap(({ pairs }) => pairs.get(name) ?? [])
    );
  const rows = await Promise.all(systems.map(async (name) => ({
    title: (await loadSystem(name)).title,
    pairs: pairsOf(name),
  })));
  const ours = systems.includes("ours") ? pairsOf("ours") : [];
  return {
    title: "Over a socket",
    text,
    tables: [toTable("rate", "requests per second", rows), toTable("processorTime", "processor time, µs", rows)],
    figures: ours.map((pairs, index) => ({ measure: `sockets.${names[index]}`, ...spread(ratios(pairs, "rate")) })),
  };
}

function toTable(measure: keyof Loaded, title: string, rows: readonly Row[]): Table {
  const direct = names.map((_, index) =>
    median(rows.flatMap(({ pairs }) => pairs[index] ?? []).map(({ direct }) => direct[measure]))
  );
  return {
    head: [`${title}, ratio to direct`, ...names.map((name) => scenarios[name].title)],
    rows: [
      ["direct", ...direct.map((value) => value.toFixed(value < 100 ? 1 : 0))],
      ...rows.map(({ title, pairs }) => [title, ...pairs.map((each) => formatCell(ratios(each, measure), 2))]),
    ],
  };
}

function ratios(pairs: readonly Pair[], measure: keyof Loaded): number[] {
  return pairs.map(({ system, direct }) => system[measure] / direct[measure]);
}

/** Starts a system and `direct`, and measures `count` pairs of each scenario. */
async function measurePairs(
  name: SystemName,
  scenarios: readonly Name[],
  bounds: Load,
  count: number,
): Promise<ReadonlyMap<Name, readonly Pair[]>> {
  const [system, direct] = await Promise.all([loadSystem(name), loadSystem("direct")]);
  const [served, servedDirect] = await Promise.all([serve(name), serve("direct")]);
  const measure = async (scenario: Name): Promise<Pair[]> => {
    const loadOne = () => measureLoad(served, system, scenario, bounds);
    const loadOther = () => measureLoad(servedDirect, direct, scenario, bounds);
    const systemFirst = async (): Promise<Pair> => ({ system: await loadOne(), direct: await loadOther() });
    const directFirst = async (): Promise<Pair> => ({ direct: await loadOther(), system: await loadOne() });
    await systemFirst(); // warms up both
    const pairs: Pair[] = [];
    for (let pair = 0; pair < count; pair++) pairs.push(await (pair % 2 === 0 ? systemFirst() : directFirst()));
    return pairs;
  };
  try {
    const pairs = new Map<Name, readonly Pair[]>();
    for (const scenario of scenarios) pairs.set(scenario, await measure(scenario));
    return pairs;
  } finally {
    await Promise.all([served.stop(), servedDirect.stop()]);
  }
}

async function measureLoad(served: Served, system: System, scenario: ScenarioName, bounds: Load): Promise<Loaded> {
  const asked = { port: served.port, request: requestOf(system, scenario)!, status: scenarios[scenario].status };
  const startTime = await served.processorTime();
  const start = performance.now();
  const answers = await load(asked, bounds);
  const seconds = (performance.now() - start) / 1_000;
  return { rate: answers / seconds, processorTime: (await served.processorTime() - startTime) / answers };
}
