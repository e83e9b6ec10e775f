import { createClient } from "@scope/api/client";
import { contract } from "./contract.ts";
import { faults } from "./faults.ts";
import { createRandom } from "./random.ts";
import type { Scenario, Stage } from "./scenario.ts";
import { wellFormed } from "./well_formed.ts";

/** The result of a load. */
export interface Tally {
  /** How often each scenario was run, and how often it went otherwise than promised. */
  readonly scenarios: Map<string, { readonly kind: "well-formed" | "fault"; runs: number; failures: number }>;
  /** The messages of the first few failures. */
  readonly failures: string[];
  /** Listeners that calls left on the one signal that most of them were passed. */
  listeners: number;
}

/** How many clients there are at once. */
const clients = 16;
/** How many scenarios, in 100, are faults. */
const faultShare = 40;
/** How many failures are reported. */
const told = 10;

const all = [
  ...Object.entries(wellFormed).map(([name, run]) => ({ name, run, kind: "well-formed" }) as const),
  ...Object.entries(faults).map(([name, run]) => ({ name, run, kind: "fault" }) as const),
];

/** Runs scenarios by chance, many at once, until it is time. */
export async function drive(port: number, seed: number, until: number, tally: Tally): Promise<void> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const signal = watchListeners(new AbortController().signal, tally);
  // a server may end the connection of a request that it refused, and who has it next would meet with that
  using apartClient = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const apart: Stage["fetch"] = (input, init) => fetch(input, { ...init, client: apartClient });
  const work = async (_: unknown, index: number): Promise<void> => {
    const next = createRandom(seed + index);
    const random = (below: number): number => Math.floor(next() * below);
    const near = { baseUrl, port, random, signal };
    const stages = {
      "well-formed": { ...near, client: createClient(contract, { baseUrl }), fetch },
      "fault": { ...near, client: createClient(contract, { baseUrl, fetch: apart }), fetch: apart },
    };
    while (performance.now() < until) {
      const kind = random(100) < faultShare ? "fault" : "well-formed";
      const choices = all.filter((each) => each.kind === kind);
      const { name, run } = choices[random(choices.length)]!;
      await runOnce(name, kind, run, stages[kind], tally);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
}

export function createTally(): Tally {
  return { scenarios: new Map(), failures: [], listeners: 0 };
}

async function runOnce(
  name: string,
  kind: "well-formed" | "fault",
  run: Scenario,
  stage: Stage,
  { scenarios, failures }: Tally,
): Promise<void> {
  const row = scenarios.get(name) ?? { kind, runs: 0, failures: 0 };
  scenarios.set(name, row);
  row.runs++;
  try {
    await run(stage);
  } catch (error) {
    row.failures++;
    if (failures.length < told) failures.push(`${name}: ${error} (cause: ${(error as Error).cause})`.slice(0, 1000));
  }
}

/** A signal that counts the listeners it has. */
function watchListeners(signal: AbortSignal, tally: Tally): AbortSignal {
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    tally.listeners++;
    addEventListener.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    tally.listeners--;
    removeEventListener.apply(signal, given);
  };
  return signal;
}
