/** The programs of the benchmark in a folder of their own, with their packages from npm. */
import { run, type Server, startPrinting } from "../../tests/runtimes/command.ts";
import { emptyFolder, npmInstall, tarball } from "../../tests/runtimes/kit.ts";
import { once } from "../../tests/runtimes/once.ts";
import library from "../../deno.json" with { type: "json" };
import bench from "../deno.json" with { type: "json" };

/** The systems that are compared. */
export const systems = { direct: "direct", ours: library.name, hono: "Hono" } as const;

export type SystemName = keyof typeof systems;

export const systemNames = Object.keys(systems) as SystemName[];

const here = new URL("./", import.meta.url).pathname;
const packages = [
  "zod",
  "hono",
  "@hono/zod-validator",
  "@hono/node-server",
  "srvx",
  "fastify",
  "fastify-type-provider-zod",
  "elysia",
];

/** Programs that listen by themselves, in place of a bridge. */
const servers = [
  "streams_ours",
  "node_streams_direct",
  "node_streams_ours",
  "node_direct",
  "node_ours",
  "fastify_zod",
  "fastify_schema",
  "elysia_zod",
  "elysia_schema",
];
const tools = ["esbuild@^0.28.0", "workerd@^1.20261117.1"];

/**
 * Installs the npm copy of this library and the packages of the others, and writes each program: `<name>.js` imports its
 * packages, and for those that bridges serve, `<name>.bundle.js` contains them.
 */
export const installPrograms: () => Promise<string> = once(install);

async function install(): Promise<string> {
  const folder = await emptyFolder("programs");
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  await npmInstall(folder, [await tarball(), ...packagesOf(packages), ...tools]);
  await Deno.mkdir(`${folder}/bench`); // the programs import the contract two folders above
  await run({ command: "cp", args: ["-r", `${here}programs`, "bench"], cwd: folder });
  await run({ command: "cp", args: ["-r", `${here}../contract`, "."], cwd: folder });
  for (const name of systemNames) {
    await bundle(folder, name, [`--outfile=bench/programs/${name}.js`, "--packages=external"]);
    await bundle(folder, name, [`--outfile=bench/programs/${name}.bundle.js`, "--minify"]);
  }
  for (const name of servers) {
    await bundle(folder, name, [`--outfile=bench/programs/${name}.js`, "--packages=external", "--platform=node"]);
  }
  return `${folder}/bench/programs`;
}

async function bundle(cwd: string, name: string, args: readonly string[]): Promise<void> {
  const entry = `bench/programs/${name}.ts`;
  await run({ command: "node_modules/.bin/esbuild", args: [entry, "--bundle", "--format=esm", ...args], cwd });
}

/** The packages in the versions that the benchmark imports. */
export function packagesOf(names: readonly string[]): string[] {
  const imports: Readonly<Record<string, string>> = { ...library.imports, ...bench.imports };
  return names.map((name) => imports[name]!.slice("npm:".length));
}

/** Starts a bundled Worker. */
export async function serveWorker(cwd: string, system: SystemName): Promise<Server> {
  const config = (await Deno.readTextFile(`${cwd}/worker.capnp`)).replace(
    'embed "worker.js"',
    `embed "${system}.bundle.js"`,
  );
  await Deno.writeTextFile(`${cwd}/${system}.capnp`, config);
  const command = `${cwd}/../../node_modules/.bin/workerd`;
  return await startPrinting({ command, args: ["serve", `${system}.capnp`, "--control-fd=1"], cwd });
}
