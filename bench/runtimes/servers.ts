/** Requests per second and start-up on Node, Bun and workerd, with Zod. */
import { run, type Server, startPrinting } from "../../tests/runtimes/command.ts";
import { bunFolder, currentBun, nodePath } from "../../tests/runtimes/kit.ts";
import { type ScenarioName, scenarios } from "../contract/scenarios.ts";
import { load } from "../measure/load.ts";
import { median } from "../measure/median.ts";
import { formatCell } from "../report/cell.ts";
import type { Section, Table } from "../report/section.ts";
import { installPrograms, type SystemName, systemNames, systems } from "./install.ts";

/** A runtime that serves the programs. */
interface Runtime {
  readonly title: string;
  /** Starts a program; resolves once it has a port. */
  readonly serve: (system: SystemName) => Promise<Server>;
}

const names = ["text", "parameter", "patch"] as const satisfies ScenarioName[];

const text = `The requests of [RESULTS.md](RESULTS.md) with Zod, over a socket with 32 connections that have one request
in flight each. A server and that of \`direct\`, which is handwritten code, are loaded in turn. A figure is the median
ratio of neighboring loads, with their middle half in brackets. \`@hono/node-server\` replaces the global \`Response\`.`;

const startText = `**Node**: from the import of the program to its first response, in a new process. **workerd**: from
the start of the process with a bundled Worker to its first response over a socket. Both create the schemas with Zod. A
figure is the median of 15, with their middle half in brackets. Bundles are those of esbuild with \`--minify\`.`;

/** Measures the programs on every runtime. */
export async function measureServers(short: boolean): Promise<Section[]> {
  const cwd = await installPrograms();
  const runtimes = await listRuntimes(cwd);
  const tables: Table[] = [];
  for (const runtime of runtimes) {
    console.error(runtime.title);
    tables.push(await measureRates(runtime, short));
  }
  console.error("start-up");
  return [
    { title: "Requests per second", text, tables, figures: [] },
    { title: "Start-up", text: startText, tables: [await measureStarts(cwd, short)], figures: [] },
  ];
}

async function listRuntimes(cwd: string): Promise<Runtime[]> {
  const [node, bun] = [await nodePath("24"), `${await bunFolder(currentBun)}/bun`];
  const version = (await run({ command: node, args: ["--version"], cwd })).trim().slice(1);
  const onNode = (bridge: string, file: string): Runtime => ({
    title: `Node ${version}, ${bridge}`,
    serve: (system) =>
      startPrinting({ command: node, args: [file, `./${system}.js`], cwd, env: { NODE_ENV: "production" } }),
  });
  return [
    onNode("srvx", "serve_srvx.js"),
    onNode("@hono/node-server", "serve_hono.js"),
    {
      title: `Bun ${currentBun}`,
      serve: (system) => startPrinting({ command: bun, args: ["serve_bun.js", `./${system}.js`], cwd }),
    },
    { title: `workerd ${await workerdVersion(cwd)}`, serve: (system) => serveWorker(cwd, system) },
  ];
}

async function workerdVersion(cwd: string): Promise<string> {
  return JSON.parse(await Deno.readTextFile(`${cwd}/../../node_modules/workerd/package.json`)).version;
}

async function serveWorker(cwd: string, system: SystemName): Promise<Server> {
  const config = (await Deno.readTextFile(`${cwd}/worker.capnp`)).replace(
    'embed "worker.js"',
    `embed "${system}.bundle.js"`,
  );
  await Deno.writeTextFile(`${cwd}/${system}.capnp`, config);
  const command = `${cwd}/../../node_modules/.bin/workerd`;
  return await startPrinting({ command, args: ["serve", `${system}.capnp`, "--control-fd=1"], cwd });
}

/** Loads every system beside `direct`. */
async function measureRates({ title, serve }: Runtime, short: boolean): Promise<Table> {
  const direct: number[][] = names.map(() => []);
  const rows: string[][] = [];
  for (const system of systemNames.filter((name) => name !== "direct")) {
    const [served, baseline] = await Promise.all([serve(system), serve("direct")]);
    try {
      const cells = [];
      for (const [at, name] of names.entries()) {
        const pairs = await loadPairs(served, baseline, name, short);
        direct[at]!.push(...pairs.map(([, rate]) => rate));
        cells.push(formatCell(pairs.map(([rate, other]) => rate / other), 2));
      }
      rows.push([systems[system], ...cells]);
    } finally {
      await Promise.all([served.stop(), baseline.stop()]);
    }
  }
  return {
    head: [`${title}: requests per second, ratio to direct`, ...names.map((name) => scenarios[name].title)],
    rows: [["direct", ...direct.map((rates) => median(rates).toFixed(0))], ...rows],
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

/** Measures every kind of start, of all systems in turn. */
async function measureStarts(cwd: string, short: boolean): Promise<Table> {
  const node = await nodePath("24");
  const timeImport = async (file: string): Promise<number> =>
    Number((await run({ command: node, args: ["start.js", file], cwd, env: { NODE_ENV: "production" } })).trim());
  const kinds: ((system: SystemName) => Promise<number>)[] = [
    (system) => timeImport(`./${system}.js`),
    (system) => timeImport(`./${system}.bundle.js`),
    (system) => timeWorker(cwd, system),
  ];
  const times = new Map(systemNames.map((system) => [system, kinds.map((): number[] => [])]));
  for (let round = 0; round < (short ? 1 : 15); round++) {
    for (const system of systemNames) {
      for (const [at, time] of kinds.entries()) times.get(system)![at]!.push(await time(system));
    }
  }
  return {
    head: ["ms", "Node 24, packages", "Node 24, one bundle", "workerd, one bundle", "bundle, gzip, KiB"],
    rows: await Promise.all(systemNames.map(async (system) => [
      systems[system],
      ...times.get(system)!.map((values) => formatCell(values, 1)),
      (await gzipSize(`${cwd}/${system}.bundle.js`)).toFixed(1),
    ])),
  };
}

async function timeWorker(cwd: string, system: SystemName): Promise<number> {
  const start = performance.now();
  const server = await serveWorker(cwd, system);
  await (await fetch(`${server.baseUrl}/api/users/42`)).text();
  const time = performance.now() - start;
  await server.stop();
  return time;
}

async function gzipSize(path: string): Promise<number> {
  const { body } = new Response(await Deno.readFile(path));
  return (await new Response(body!.pipeThrough(new CompressionStream("gzip"))).bytes()).length / 1_024;
}
