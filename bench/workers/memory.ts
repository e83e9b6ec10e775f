/** Measures one system and `direct`, scenario by scenario. */
import { type ScenarioName, scenarios } from "../contract/scenarios.ts";
import { answerLap } from "../measure/answer_lap.ts";
import { compare, type Comparison, type Pace } from "../measure/compare.ts";
import { type Proof, prove, proveSame, requestOf } from "../measure/prove.ts";
import { loadSystem, type SystemName } from "../systems/load.ts";
import type { System } from "../systems/system.ts";

export interface MemoryInput {
  readonly system: SystemName;
  readonly scenarios: readonly ScenarioName[];
  readonly pace: Pace;
}

export interface MemoryOutput extends Pick<System, "title" | "schemas"> {
  /** Whether its requests are not those of the contract. */
  readonly hasProtocol: boolean;
  readonly proof: Proof;
  readonly comparisons: Readonly<Partial<Record<ScenarioName, Comparison>>>;
}

async function measure(input: MemoryInput): Promise<MemoryOutput> {
  const [system, direct] = await Promise.all([loadSystem(input.system), loadSystem("direct")]);
  const proof = await prove(system);
  if (input.system === "ours") await proveSame(system, direct);

  const comparisons: Partial<Record<ScenarioName, Comparison>> = {};
  for (const name of input.scenarios) {
    const status = proof.statuses[name];
    if (status === undefined) continue;
    const lap = (one: System, status: number) =>
      answerLap(one.create(), { requests: [requestOf(one, name)!], size: scenarios[name].batch, status });
    comparisons[name] = await compare(lap(system, status), lap(direct, scenarios[name].status), input.pace);
  }
  const { title, schemas, protocol } = system;
  return { title, ...(schemas !== undefined && { schemas }), hasProtocol: protocol !== undefined, proof, comparisons };
}

if (import.meta.main) {
  console.log(JSON.stringify(await measure(JSON.parse(Deno.args[0] ?? "{}"))));
}
