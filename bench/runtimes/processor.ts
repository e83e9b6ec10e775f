/** The processor time of a request on Node and Bun, beside handwritten code and frameworks. */
import { run, type Server, startPrinting } from "../../tests/runtimes/command.ts";
import { bunFolder, currentBun, nodePath } from "../../tests/runtimes/kit.ts";
import { type ScenarioName, scenarios } from "../contract/scenarios.ts";
import { load } from "../measure/load.ts";
import type { Section, Table } from "../report/section.ts";
import { installPrograms } from "./install.ts";

const names = ["text", "parameter", "patch"] as const satisfies ScenarioName[];

/** A server of the table: its name, and the arguments that its runtime is started with. */
type Row = readonly [title: string, ...args: string[]];

/** The rows on Node. The first is the baseline. */
const onNode: readonly Row[] = [
  ["handwritten, node:http", "listen_node.js", "./node_direct.js"],
  ["@scope/api/node", "listen_node.js", "./node_ours.js"],
  ["Fastify with Zod", "listen_node.js", "./fastify_zod.js"],
  ["Fastify with JSON Schema", "listen_node.js", "./fastify_schema.js"],
  ["@scope/api, @hono/node-server", "serve_hono.js", "./ours.js"],
  ["@scope/api, srvx", "serve_srvx.js", "./ours.js"],
  ["Hono with Zod, @hono/node-server", "serve_hono.js", "./hono.js"],
];

/** The rows on Bun. */
const onBun: readonly Row[] = [
  ["handwritten, Bun.serve", "serve_bun.js", "./direct.js"],
  ["@scope/api", "serve_bun.js", "./ours.js"],
  ["Elysia with Zod", "listen_bun.js", "./elysia_zod.js"],
  ["Elysia with its own schemas", "listen_bun.js", "./elysia_schema.js"],
  ["Hono with Zod", "serve_bun.js", "./hono.js"],
];

const text = `The requests of [RESULTS.md](RESULTS.md) over a socket with 32 connections that have one request in flight
each, by a client that never sleeps. All servers of a table run at once and are loaded in turn, each for 0.4 s, 12
times. A figure is the processor time of the server's process a request in microseconds, the lowest of these, and its
ratio to the handwritten server.
Each peer is set up as its documentation says. Fastify with JSON Schema and Hono do not validate responses by
themselves: the program of Hono does it by hand, that of Fastify with JSON Schema does not.`;

/** Measures the servers of both runtimes. Linux alone tells the time of a process in nanoseconds. */
export async function measureProcessor(short: boolean): Promise<Section> {
  const cwd = await installPrograms();
  const [node, bun] = [await nodePath("24"), `${await bunFolder(currentBun)}/bun`];
  const version = (await run({ command: node, args: ["--version"], cwd })).trim().slice(1);
  const tables = [
    await measureRows(`Node ${version}`, { command: node, cwd, rows: onNode }, short),
    await measureRows(`Bun ${currentBun}`, { command: bun, cwd, rows: onBun }, short),
  ];
  return { title: "Processor time of a request", text, tables, figures: [] };
}

/** The servers of one runtime. */
interface Program {
  readonly command: string;
  readonly cwd: string;
  readonly rows: readonly Row[];
}

async function measureRows(title: string, { command, cwd, rows }: Program, short: boolean): Promise<Table> {
  console.error(title);
  const servers = await Promise.all(
    rows.map(([, ...args]) => startPrinting({ command, args, cwd, env: { NODE_ENV: "production" } })),
  );
  try {
    const times = rows.map((): number[] => []);
    for (const name of names) {
      const lowest = await lowestTimes(servers, name, short);
      for (const [at, time] of lowest.entries()) times[at]!.push(time);
    }
    const format = (time: number, at: number): string => `${time.toFixed(1)} (${(time / times[0]![at]!).toFixed(2)})`;
    return {
      head: [`${title}: µs, ratio to handwritten`, ...names.map((name) => scenarios[name].title)],
      rows: rows.map(([title], row) => [title, ...times[row]!.map(format)]),
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** The lowest processor time of a request of each server, in microseconds. */
async function lowestTimes(servers: readonly Server[], name: ScenarioName, short: boolean): Promise<number[]> {
  for (const server of servers) await timeRequest(server, name, short ? 100 : 1_500);
  const lowest = servers.map(() => Infinity);
  for (let round = 0; round < (short ? 1 : 12); round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const at = (turn + round) % servers.length;
      lowest[at] = Math.min(lowest[at]!, await timeRequest(servers[at]!, name, short ? 100 : 400));
    }
  }
  return lowest;
}

async function timeRequest({ baseUrl, pid }: Server, name: ScenarioName, duration: number): Promise<number> {
  const { request, status } = scenarios[name];
  const timeSince = await startTiming(pid);
  const asked = { port: Number(new URL(baseUrl).port), request, status };
  const count = await load(asked, { connections: 32, duration, staysAwake: true });
  return await timeSince() / count / 1_000;
}

/**
 * Returns a function that returns the processor time of a process since now, in nanoseconds. Threads are told apart: Bun
 * ends those that are idle, and a sum without one of them would seem to be less time.
 */
export async function startTiming(pid: number): Promise<() => Promise<number>> {
  const before = await timesOfThreads(pid);
  return async () => {
    let time = 0;
    for (const [thread, total] of await timesOfThreads(pid)) time += total - (before.get(thread) ?? 0);
    return time;
  };
}

async function timesOfThreads(pid: number): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const { name } of Deno.readDir(`/proc/${pid}/task`)) {
    const text = await Deno.readTextFile(`/proc/${pid}/task/${name}/schedstat`).catch(() => ""); // it has just ended
    if (text !== "") times.set(name, Number(text.split(" ", 1)[0]));
  }
  return times;
}
