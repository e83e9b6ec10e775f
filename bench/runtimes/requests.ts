/** Requests per second on Node, Bun and workerd, with Zod. */
import { run, type Server, startPrinting } from "../../tests/runtimes/command.ts";
import { bunFolder, currentBun, nodePath } from "../../tests/runtimes/kit.ts";
import { type ScenarioName, scenarios } from "../contract/scenarios.ts";
import { load } from "../measure/load.ts";
import { median } from "../measure/median.ts";
import { formatCell } from "../report/cell.ts";
import type { Section, Table } from "../report/section.ts";
import { installPrograms, serveWorker } from "./install.ts";

/** A server of a table: its title, and a function that starts it. */
type Row = readonly [title: string, start: () => Promise<Server>];

/** The servers of one runtime. The first is the baseline. */
interface Runtime {
  readonly title: string;
  readonly rows: readonly [Row, ...Row[]];
}

const names = ["text", "parameter", "patch"] as const satisfies ScenarioName[];

const text = `The requests of [RESULTS.md](RESULTS.md) with Zod, over a socket with 32 connections that have one request
in flight each. A server and the handwritten one are loaded in turn. A figure is the median ratio of neighboring loads,
with their middle half in brackets. Each peer is set up as its documentation says; \`@hono/node-server\` replaces the
global \`Response\`.`;

/** Measures the servers on every runtime. */
export async function measureRequests(short: boolean): Promise<Section> {
  const tables: Table[] = [];
  for (const runtime of await listRuntimes(await installPrograms())) {
    console.error(runtime.title);
    tables.push(await measureRates(runtime, short));
  }
  return { title: "Requests per second", text, tables, figures: [] };
}

async function listRuntimes(cwd: string): Promise<Runtime[]> {
  const [node, bun] = [await nodePath("24"), `${await bunFolder(currentBun)}/bun`];
  const version = (await run({ command: node, args: ["--version"], cwd })).trim().slice(1);
  const workerd = JSON.parse(await Deno.readTextFile(`${cwd}/../../node_modules/workerd/package.json`)).version;
  const start = (command: string, ...args: readonly string[]) => () =>
    startPrinting({ command, args, cwd, env: { NODE_ENV: "production" } });
  return [
    {
      title: `Node ${version}`,
      rows: [
        ["handwritten, node:http", start(node, "listen_node.js", "./node_direct.js")],
        ["@scope/api, createNodeHandler()", start(node, "listen_node.js", "./node_ours.js")],
        ["Fastify with Zod", start(node, "listen_node.js", "./fastify_zod.js")],
        ["Hono with Zod, @hono/node-server", start(node, "serve_hono.js", "./hono.js")],
      ],
    },
    {
      title: `Bun ${currentBun}`,
      rows: [
        ["handwritten, Bun.serve", start(bun, "serve_bun.js", "./direct.js")],
        ["@scope/api", start(bun, "serve_bun.js", "./ours.js")],
        ["Elysia with Zod", start(bun, "listen_bun.js", "./elysia_zod.js")],
        ["Hono with Zod", start(bun, "serve_bun.js", "./hono.js")],
      ],
    },
    {
      title: `workerd ${workerd}`,
      rows: [
        ["handwritten", () => serveWorker(cwd, "direct")],
        ["@scope/api", () => serveWorker(cwd, "ours")],
        ["Hono with Zod", () => serveWorker(cwd, "hono")],
      ],
    },
  ];
}

/** Loads every server beside the baseline. */
async function measureRates(
  { title, rows: [[first, startBaseline], ...others] }: Runtime,
  short: boolean,
): Promise<Table> {
  const rates: number[][] = names.map(() => []);
  const rows: string[][] = [];
  for (const [system, start] of others) {
    const [served, baseline] = await Promise.all([start(), startBaseline()]);
    try {
      const cells = [];
      for (const [at, name] of names.entries()) {
        const pairs = await loadPairs(served, baseline, name, short);
        rates[at]!.push(...pairs.map(([, rate]) => rate));
        cells.push(formatCell(pairs.map(([rate, other]) => rate / other), 2));
      }
      rows.push([system, ...cells]);
    } finally {
      await Promise.all([served.stop(), baseline.stop()]);
    }
  }
  return {
    head: [`${title}: requests per second, ratio to handwritten`, ...names.map((name) => scenarios[name].title)],
    rows: [[first, ...rates.map((all) => median(all).toFixed(0))], ...rows],
  };
}

/** Requests per second of a server and of the baseline, one after the other, after a warm-up. */
async function loadPairs(
  served: Server,
  baseline: Server,
  name: ScenarioName,
  short: boolean,
): Promise<[number, number][]> {
  const rateOf = async ({ baseUrl }: Server, duration: number): Promise<number> => {
    const { request, status } = scenarios[name];
    const count = await load({ port: Number(new URL(baseUrl).port), request, status }, { connections: 32, duration });
    return count / duration * 1_000;
  };
  for (const one of [served, baseline]) await rateOf(one, short ? 100 : 1_000);
  const pairs: [number, number][] = [];
  for (let pair = 0; pair < (short ? 1 : 9); pair++) {
    const first = pair % 2 === 0 ? await rateOf(served, 500) : undefined;
    const other = await rateOf(baseline, 500);
    pairs.push([first ?? await rateOf(served, 500), other]);
  }
  return pairs;
}
