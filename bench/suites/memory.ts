import { type Guarantee, type Scenario, type ScenarioName, scenarioNames, scenarios } from "../contract/scenarios.ts";
import { type Comparison, onePair } from "../measure/compare.ts";
import { median, type Spread, spread } from "../measure/median.ts";
import { runWorker } from "../measure/run_worker.ts";
import type { Section } from "../report/section.ts";
import type { SystemName } from "../systems/load.ts";
import type { MemoryInput, MemoryOutput } from "../workers/memory.ts";
import { type Options, runRounds } from "./suite.ts";

const text =
  `The time from the creation of a request to its response, without reading the body. Each process runs one system and
\`direct\`, one batch each in turn. A figure is the ratio of the two: the median of the pairs in a process, and then
of the processes. A status in brackets differs from the contract's. The second table shows the difference instead of
the ratio. It does not include the creation of the request, which takes the same time in both.`;

/** The results of one system from all its processes. */
interface Row extends Pick<MemoryOutput, "title" | "schemas" | "hasProtocol" | "proof"> {
  readonly name: SystemName;
  readonly ratios: Readonly<Partial<Record<ScenarioName, Spread>>>;
  /** The median of its processes, in nanoseconds. */
  readonly beyond: Readonly<Partial<Record<ScenarioName, number>>>;
}

/** Measures the scenarios of the contract in memory. */
export async function measureMemory({ short, systems }: Options): Promise<Section> {
  const pace = short ? onePair : { warmUp: 250, duration: 450 };
  const outputs = await runRounds(
    short ? 1 : 5,
    systems,
    (system) => runWorker<MemoryOutput>("memory", { system, scenarios: scenarioNames, pace } satisfies MemoryInput),
  );

  const rows = [...outputs].map(([name, outputs]) => toRow(name, outputs));
  const ours = rows.find(({ name }) => name === "ours");
  const losses = ours ? findLosses(ours, rows) : [];
  return {
    title: "In memory",
    text,
    tables: [figuresTable(rows, [...outputs.values()].flat()), beyondTable(rows), guaranteesTable(rows)],
    figures: ours ? [...toFigures(ours), { measure: "memory.losses", ...spread([losses.length]) }] : [],
    losses,
  };
}

function toRow(name: SystemName, outputs: readonly MemoryOutput[]): Row {
  const ratios: Partial<Record<ScenarioName, Spread>> = {};
  const beyond: Partial<Record<ScenarioName, number>> = {};
  for (const scenario of scenarioNames) {
    const comparisons = comparisonsOf(outputs, scenario);
    if (comparisons.length === 0) continue;
    ratios[scenario] = spread(comparisons.map(({ ratio }) => ratio));
    beyond[scenario] = median(comparisons.map((comparison) => comparison.beyond));
  }
  const { title, schemas, hasProtocol, proof } = outputs[0]!;
  return { name, title, hasProtocol, proof, ratios, beyond, ...(schemas !== undefined && { schemas }) };
}

function comparisonsOf(outputs: readonly MemoryOutput[], scenario: ScenarioName): Comparison[] {
  return outputs.flatMap(({ comparisons }) => comparisons[scenario] ?? []);
}

function toFigures({ ratios }: Row): Section["figures"] {
  return Object.entries(ratios).map(([name, spread]) => ({ measure: `memory.${name}`, ...spread }));
}

function figuresTable(rows: readonly Row[], outputs: readonly MemoryOutput[]): Section["tables"][number] {
  const microseconds = scenarioNames.map((name) =>
    (median(comparisonsOf(outputs, name).map(({ direct }) => direct)) / 1_000).toFixed(2)
  );
  return {
    head: ["ratio to direct", ...scenarioNames.map((name) => scenarios[name].title)],
    rows: [
      ["direct, µs", ...microseconds],
      ...rows.map((row) => [row.title, ...scenarioNames.map((name) => formatRatio(row, name))]),
    ],
  };
}

function beyondTable(rows: readonly Row[]): Section["tables"][number] {
  return {
    head: ["µs beyond direct", ...scenarioNames.map((name) => scenarios[name].title)],
    rows: rows.map(({ title, beyond }) => [
      title,
      ...scenarioNames.map((name) => beyond[name] === undefined ? "wrong" : (beyond[name] / 1_000).toFixed(2)),
    ]),
  };
}

function formatRatio({ ratios, proof }: Row, name: ScenarioName): string {
  const ratio = ratios[name];
  if (ratio === undefined) return "wrong";
  const status = proof.statuses[name];
  return ratio.median.toFixed(2) + (status === scenarios[name].status ? "" : ` (${status})`);
}

const guarantees: Readonly<Record<Guarantee, string>> = {
  input: "validates input",
  output: "validates output",
  strips: "strips unknown fields",
  wrongMethod: "405",
};

/** Lists the observed guarantees, not the documented ones. */
function guaranteesTable(rows: readonly Row[]): Section["tables"][number] {
  const names = Object.keys(guarantees) as Guarantee[];
  return {
    head: ["observed guarantees", ...Object.values(guarantees), "schemas", "requests"],
    rows: rows.map(({ title, schemas = "ArkType", hasProtocol, proof }) => [
      title,
      ...names.map((name) => proof.guarantees[name] ? "yes" : "no"),
      schemas,
      hasProtocol ? "own protocol" : "HTTP",
    ]),
  };
}

/** Lists the scenarios in which a peer is faster. Hono with validated output counts whatever else it guarantees. */
function findLosses(ours: Row, rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    if (row === ours) return [];
    return scenarioNames.filter((name) => isAhead(row, ours, name)).map((name) => {
      const [theirs, own] = [row, ours].map(({ ratios }) => ratios[name]?.median.toFixed(2));
      const note = theirs === own ? ", which is a tie at two digits" : "";
      return `${row.title}, ${scenarios[name].title}: ${theirs} against ${own}${note}`;
    });
  });
}

function isAhead(row: Row, ours: Row, name: ScenarioName): boolean {
  const { needs }: Scenario = scenarios[name];
  const counts = row.name === "hono" || needs.every((guarantee) => row.proof.guarantees[guarantee]);
  return counts && (row.ratios[name]?.median ?? Infinity) < (ours.ratios[name]?.median ?? 0);
}
