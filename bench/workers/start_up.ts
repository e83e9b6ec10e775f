/** Times the import of a system and its first response, in a process that has already loaded the schemas. */
import "../contract/answers.ts";
import "../contract/schemas.ts";
import { toRequest } from "../contract/scenarios.ts";
import { requestOf } from "../measure/prove.ts";
import { loadSystem, type SystemName } from "../systems/load.ts";

export interface StartUpInput {
  readonly system: SystemName;
}

export interface StartUpOutput {
  readonly title: string;
  /** Milliseconds until the modules of the system are loaded. */
  readonly imported: number;
  /** Milliseconds from then until the first response is read. Includes the contract and the handler. */
  readonly answered: number;
}

async function measure({ system: name }: StartUpInput): Promise<StartUpOutput> {
  const start = performance.now();
  const system = await loadSystem(name);
  const imported = performance.now();
  const response = await system.create()(toRequest(requestOf(system, "parameter")!));
  await response.text();
  return { title: system.title, imported: imported - start, answered: performance.now() - imported };
}

if (import.meta.main) console.log(JSON.stringify(await measure(JSON.parse(Deno.args[0] ?? "{}"))));
