/**
 * Sends valid and faulty traffic to a server in another process, first on Deno and then on Node, over 127.0.0.1:
 * `deno task soak [--minutes=10] [--runtimes=deno,node] [--seed=…]`, with the minutes for each runtime. It is a Deno
 * test, so that Deno's sanitizers fail it if the client leaves a timer, a connection or a stream open.
 */
import { createTally, drive } from "./drive.ts";
import type { Figures } from "./control.ts";
import { compareMemory, sampleMemory } from "./memory.ts";
import { type Findings, formatFindings, listFaults } from "./report.ts";
import { type Runtime, type Served, startServer } from "./start_server.ts";

const minutes = Number(readOption("minutes", "10"));
const seed = Number(readOption("seed", String(Math.floor(Math.random() * 2 ** 31))));

for (const runtime of readOption("runtimes", "deno,node").split(",") as Runtime[]) {
  Deno.test(`${minutes} minutes of load on ${runtime}, seed ${seed}`, () => soak(runtime));
}

async function soak(runtime: Runtime): Promise<void> {
  const served = await startServer(runtime);
  const tally = createTally();
  const until = performance.now() + minutes * 60_000;
  const [samples] = await Promise.all([sampleMemory(served, until), drive(served.port, seed, until, tally)]);
  const last = await settle(served);
  const endedByItself = await served.stop();
  const findings: Findings = { runtime, minutes, seed, tally, growth: compareMemory(samples), last, endedByItself };
  console.log(formatFindings(findings));
  const faults = listFaults(findings);
  if (faults.length > 0) throw new Error(faults.join("; "));
}

/** Waits some seconds for open calls and streams to end. */
async function settle(served: Served): Promise<Figures> {
  let figures = await served.figures();
  for (let turn = 0; turn < 50 && figures.calls + figures.producers > 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    figures = await served.figures();
  }
  return figures;
}

function readOption(name: string, otherwise: string): string {
  return Deno.args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
}
