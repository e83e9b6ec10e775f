/** Start-up on Node and workerd, with Zod. */
import { run } from "../../tests/runtimes/command.ts";
import { nodePath } from "../../tests/runtimes/kit.ts";
import { formatCell } from "../report/cell.ts";
import type { Section, Table } from "../report/section.ts";
import { installPrograms, serveWorker, type SystemName, systemNames, systems } from "./install.ts";

const text = `**Node**: from the import of the program to its first response, in a new process. **workerd**: from
the start of the process with a bundled Worker to its first response over a socket. Both create the schemas with Zod. A
figure is the median of 15, with their middle half in brackets. Bundles are those of esbuild with \`--minify\`.`;

/** Measures every kind of start, of all systems in turn. */
export async function measureStarts(short: boolean): Promise<Section> {
  return { title: "Start-up", text, tables: [await measureKinds(await installPrograms(), short)], figures: [] };
}

async function measureKinds(cwd: string, short: boolean): Promise<Table> {
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
