import { median, spread } from "../measure/median.ts";
import { runWorker } from "../measure/run_worker.ts";
import type { Section } from "../report/section.ts";
import type { SystemName } from "../systems/load.ts";
import type { Call, ClientInput, ClientOutput } from "../workers/clients.ts";
import { type Options, runRounds } from "./suite.ts";

const withClients: readonly SystemName[] = ["ours", "hono", "ts-rest", "orpc", "trpc"];

const calls: Readonly<Record<Call, string>> = { find: "GET", rename: "PATCH" };
const callNames = Object.keys(calls) as Call[];

const text =
  `Calls of each system's client to its own server in memory, one after the other: the request is created and answered,
and the body is read. The first columns are ratios to handwritten \`fetch\` code that calls the same server: the cost
of the client. The others are ratios to handwritten \`fetch\` code that calls \`direct\`: the cost of client and server.`;

/** Measures clients from a call to its result. */
export async function measureClients({ short, systems }: Options): Promise<Section> {
  const pace = short ? { warmUp: 20, duration: 20 } : { warmUp: 400, duration: 500 };
  const names = systems.filter((name) => withClients.includes(name));
  const outputs = await runRounds(
    short ? 1 : 5,
    names,
    (system) => runWorker<ClientOutput>("clients", { system, pace } satisfies ClientInput),
  );
  return {
    title: "Client round trip",
    text,
    tables: [{
      head: [
        "ratio to handwritten fetch",
        ...callNames.map((call) => `${calls[call]}, client`),
        ...callNames.map((call) => `${calls[call]}, client and server`),
      ],
      rows: [...outputs.values()].map(toRow),
    }],
    figures: callNames.flatMap((call) => {
      const ratios = ratiosOf(outputs.get("ours") ?? [], "sameServer", call);
      return ratios.length > 0 ? [{ measure: `clients.${call}`, ...spread(ratios) }] : [];
    }),
  };
}

function toRow(outputs: readonly ClientOutput[]): string[] {
  const columns = (["sameServer", "direct"] as const).flatMap((beside) =>
    callNames.map((call) => ratiosOf(outputs, beside, call))
  );
  return [outputs[0]?.title ?? "", ...columns.map((ratios) => ratios.length > 0 ? median(ratios).toFixed(2) : "")];
}

function ratiosOf(outputs: readonly ClientOutput[], beside: "sameServer" | "direct", call: Call): number[] {
  return outputs.flatMap((output) => output[beside]?.[call].ratio ?? []);
}
