/** The processor time of long streams on Node, beside handwritten code and bridges. */
import { type Server, startPrinting } from "../../tests/runtimes/command.ts";
import { nodePath } from "../../tests/runtimes/kit.ts";
import type { Section } from "../report/section.ts";
import { installPrograms } from "./install.ts";
import { startTiming } from "./processor.ts";

/** The servers. The first is the baseline. */
const rows = {
  "handwritten, node:http": ["listen_node.js", "./node_streams_direct.js"],
  "@scope/api/node": ["listen_node.js", "./node_streams_ours.js"],
  "@scope/api, @hono/node-server": ["serve_hono.js", "./streams_ours.js"],
  "@scope/api, srvx": ["serve_srvx.js", "./streams_ours.js"],
};

const kinds = { events: "200,000 events", download: "1 GiB from a generator", upload: "1 GiB read by the handler" };

const text =
  `The processor time of a new server's process for one stream, in milliseconds: the lowest of five, its ratio
to the handwritten server, and the highest resident memory in MiB. The events are validated with Zod. The client reads
and writes as fast as the server does.`;

/** Measures each kind of stream on each server. */
export async function measureStreams(short: boolean): Promise<Section> {
  const cwd = await installPrograms();
  const command = await nodePath("24");
  const cells: Record<string, string[]> = {};
  for (const kind of Object.keys(kinds)) {
    console.error(kind);
    const lowest: Record<string, number> = {};
    const memory: Record<string, number> = {};
    for (let round = 0; round < (short ? 1 : 5); round++) {
      for (const [title, args] of Object.entries(rows)) {
        const server = await startPrinting({ command, args, cwd, env: { NODE_ENV: "production" } });
        const timeSince = await startTiming(server.pid);
        await ask(server, kind);
        lowest[title] = Math.min(lowest[title] ?? Infinity, await timeSince());
        memory[title] = Math.max(memory[title] ?? 0, await highestMemory(server.pid));
        await server.stop();
      }
    }
    for (const [title, time] of Object.entries(lowest)) {
      const ratio = time / lowest[Object.keys(rows)[0]!]!;
      (cells[title] ??= []).push(`${(time / 1e6).toFixed(0)} (${ratio.toFixed(2)}), ${memory[title]!.toFixed(0)}`);
    }
  }
  const table = {
    head: ["Node 24: ms, ratio, MiB", ...Object.values(kinds)],
    rows: Object.entries(cells).map(([title, row]) => [title, ...row]),
  };
  return { title: "Streams on Node", text, tables: [table], figures: [] };
}

/** Sends or receives a stream on a connection of its own, to its end. */
async function ask({ baseUrl }: Server, kind: string): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(baseUrl).port) });
  const buffer = new Uint8Array(256 * 1024);
  const length = kind === "upload" ? 2 ** 30 : 0;
  const head = [
    `${length > 0 ? "POST" : "GET"} /${kind} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    ...(length > 0 ? ["content-type: application/octet-stream", `content-length: ${length}`] : []),
  ];
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n`));
  for (let sent = 0; sent < length;) sent += await connection.write(buffer.subarray(0, length - sent));
  while (await connection.read(buffer) !== null);
}

/** The highest resident memory of a process so far, in MiB. */
async function highestMemory(pid: number): Promise<number> {
  const [, kibibytes] = (await Deno.readTextFile(`/proc/${pid}/status`)).match(/VmHWM:\s+(\d+)/) ?? [];
  return Number(kibibytes) / 1_024;
}
