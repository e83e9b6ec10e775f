import { onePair } from "../measure/compare.ts";
import { median, spread } from "../measure/median.ts";
import { runWorker } from "../measure/run_worker.ts";
import { serve } from "../measure/served.ts";
import type { Section } from "../report/section.ts";
import type { SystemName } from "../systems/load.ts";
import type { Call, ClientInput, ClientOutput, ForeignCase } from "../workers/clients.ts";
import { type Options, runRounds } from "./suite.ts";

const withClients: readonly SystemName[] = ["ours", "hono", "ts-rest", "orpc", "trpc"];

const calls: Readonly<Record<Call, string>> = { find: "GET", rename: "PATCH" };
const callNames = Object.keys(calls) as Call[];

const text =
  `Calls of each system's client to its own server in memory, one after the other: the request is created and answered,
and the body is read. The first columns are ratios to handwritten \`fetch\` code that calls the same server: the cost
of the client. The others are ratios to handwritten \`fetch\` code that calls \`direct\`: the cost of client and server.

The second table has calls of a server that the system did not create, in memory and over a socket, without and with a
signal, as ratios to handwritten \`fetch\` code.`;

const foreignCases: readonly ForeignCase[] = ["memory", "memory, signal", "socket", "socket, signal"];

/** Measures clients from a call to its result. */
export async function measureClients({ short, systems }: Options): Promise<Section> {
  const pace = short ? onePair : { warmUp: 400, duration: 500 };
  const names = systems.filter((name) => withClients.includes(name));
  const { port, stop } = await serve("direct");
  const outputs = await runRounds(
    short ? 1 : 5,
    names,
    (system) => runWorker<ClientOutput>("clients", { system, pace, port } satisfies ClientInput),
  );
  await stop();
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
    }, {
      head: [
        "foreign responses",
        ...foreignCases.flatMap((place) => callNames.map((call) => `${calls[call]}, ${place}`)),
      ],
      rows: [...outputs.values()].filter(([first]) => first?.foreign).map(toForeignRow),
    }],
    figures: callNames.flatMap((call) => {
      const ours = outputs.get("ours") ?? [];
      const ratios = ratiosOf(ours, "sameServer", call);
      if (ratios.length === 0) return [];
      return [
        { measure: `clients.${call}`, ...spread(ratios) },
        ...foreignCases.map((place) => ({
          measure: `clients.${call}.${place}`,
          ...spread(foreignRatiosOf(ours, place, call)),
        })),
      ];
    }),
  };
}

function toForeignRow(outputs: readonly ClientOutput[]): string[] {
  const columns = foreignCases.flatMap((place) => callNames.map((call) => foreignRatiosOf(outputs, place, call)));
  return [outputs[0]?.title ?? "", ...columns.map(formatRatios)];
}

function foreignRatiosOf(outputs: readonly ClientOutput[], place: ForeignCase, call: Call): number[] {
  return outputs.flatMap(({ foreign }) => foreign?.[place][call].ratio ?? []);
}

function formatRatios(ratios: readonly number[]): string {
  return ratios.length > 0 ? median(ratios).toFixed(2) : "";
}

function toRow(outputs: readonly ClientOutput[]): string[] {
  const columns = (["sameServer", "direct"] as const).flatMap((beside) =>
    callNames.map((call) => ratiosOf(outputs, beside, call))
  );
  return [outputs[0]?.title ?? "", ...columns.map(formatRatios)];
}

function ratiosOf(outputs: readonly ClientOutput[], beside: "sameServer" | "direct", call: Call): number[] {
  return outputs.flatMap((output) => output[beside]?.[call].ratio ?? []);
}
