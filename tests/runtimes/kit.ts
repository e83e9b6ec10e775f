/** The parts of the consumers: the packed copy, package managers and runtimes, installed in folders of this run. */
import config from "../../deno.json" with { type: "json" };
import { floors } from "../../scripts/npm_manifest.ts";
import { stageJsr } from "../../scripts/stage_jsr.ts";
import { type Call, run } from "./command.ts";
import { once, onceFor } from "./once.ts";

/** The name that consumers import the package by. */
export const packageName = config.name;

const root = new URL("../../", import.meta.url).pathname;
const here = new URL(".", import.meta.url).pathname;

/** The folder that everything of this run is in. */
const work = await Deno.makeTempDir({ prefix: "runtimes-" });

/** Makes an empty folder. */
export async function emptyFolder(name: string): Promise<string> {
  const folder = `${work}/${name}`;
  await Deno.mkdir(folder);
  return folder;
}

/** Removes all folders. */
export function removeFolders(): Promise<void> {
  return Deno.remove(work, { recursive: true });
}

/** Builds the npm copy and packs it; returns the path of the tarball. */
export const tarball: () => Promise<string> = once(async () => {
  await run({ command: Deno.execPath(), args: ["task", "npm"], cwd: root });
  const packed = await run({
    command: "npm",
    args: ["pack", "--silent", "--pack-destination", work],
    cwd: `${root}npm`,
  });
  return `${work}/${packed.trim()}`;
});

/** Copies the files that JSR would receive into a folder, to be linked to. */
export const jsrCopy: () => Promise<string> = once(async () => {
  const folder = await emptyFolder("jsr");
  await stageJsr(folder);
  return folder;
});

/**
 * Installs npm packages into a folder, or those of its manifest, by Bun, in a tenth of npm's time. What pages install
 * with npm is installed with npm.
 */
export async function install(folder: string, packages: readonly string[]): Promise<void> {
  const manifest = `${folder}/package.json`; // without one, Bun takes that of a folder above
  if (!await Deno.stat(manifest).then(() => true, () => false)) await Deno.writeTextFile(manifest, "{}");
  const command = `${await bunFolder(currentBun)}/bun`;
  const args = packages.length > 0 ? ["add", "--silent", ...packages] : ["install", "--silent"];
  await run({ command, args, cwd: folder });
}

/** Installs npm packages into a folder by npm. */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  await run({ command: "npm", args: ["install", "--silent", "--no-audit", "--no-fund", ...packages], cwd: folder });
}

/** A folder with the npm copy and these packages, which are installed once for all folders with the same ones. */
export async function folderWith(name: string, packages: readonly string[]): Promise<string> {
  const folder = await emptyFolder(name);
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  await Deno.symlink(`${await installed(packages.join(" "))}/node_modules`, `${folder}/node_modules`);
  return folder;
}

const installed = onceFor(async (packages) => {
  const folder = await Deno.makeTempDir({ dir: work });
  await install(folder, [await tarball(), ...packages.split(" ").filter((name) => name !== "")]);
  return folder;
});

/** Whether versions are tested, too, that are between older and newer ones: `EVERY_VERSION=1` before the command. */
export const everyVersion = Deno.env.has("EVERY_VERSION");

/** The versions of TypeScript that compile programs of consumers. Deno has its own between the last two. */
export const compilers = [floors.typescript, "5.9", "7"] as const;

/**
 * Those of this run. TypeScript 5.9, which checks the programs of all other tests, is among them if the environment asks
 * for every version.
 */
export const currentCompilers: readonly (typeof compilers[number])[] = compilers.filter((version) =>
  everyVersion || version !== "5.9"
);

/** A folder with the npm copy, the compilers, and the packages that programs for them import. */
export async function compilersFolder(name: string): Promise<string> {
  return await folderWith(name, [
    ...compilers.map((version) => `typescript-${version}@npm:typescript@${version}`),
    "@types/node@22",
    "@standard-schema/spec",
    "@tanstack/react-query@5", // and with it @tanstack/query-core
    "react@19",
    "@types/react@19",
    "arktype",
    "valibot",
    "zod@4",
  ]);
}

/** The call of a compiler in a folder of {@linkcode compilersFolder}. */
export function tsc(version: typeof compilers[number], cwd: string, args: readonly string[]): Call {
  return { command: "node", args: [`${cwd}/node_modules/typescript-${version}/bin/tsc`, ...args], cwd };
}

/** The path of a version of Node: the machine's own if it has that version, otherwise npm's. */
export const nodePath: (version: string) => Promise<string> = onceFor(async (version) => {
  const args = ["-p", "`${process.versions.node} ${process.execPath}`"];
  const [own = "", path = ""] = (await run({ command: "node", args, cwd: work })).trim().split(" ");
  if (own.startsWith(`${version}.`)) return path;
  const other = await run({
    command: "npx",
    args: ["-y", "-p", `node@${version}`, "node", "-p", "process.execPath"],
    cwd: work,
  });
  return other.trim();
});

/** The folder of a version of Deno, whose binary npm carries. */
export const denoFolder: (version: string) => Promise<string> = onceFor((version) => binFolder("deno", version));

/** The oldest version of each that the package supports, as npm has it. */
export const oldest = { deno: `${floors.deno}.0`, node: `${floors.node}.0`, bun: `${floors.bun}.0` };

/** The version of Bun that is tested besides the oldest one. */
export const currentBun = "1.4.5";

/** The folder of a version of Bun, whose binary npm carries. */
export const bunFolder: (version: string) => Promise<string> = onceFor((version) => binFolder("bun", version));

async function binFolder(name: string, version: string): Promise<string> {
  const folder = await emptyFolder(`${name}-${version}`);
  await npmInstall(folder, [`${name}@${version}`]);
  return `${folder}/node_modules/.bin`;
}

/** The packages that the suite itself imports. */
export const dependencies: readonly string[] = ["arktype@2", "cborg@6", "@tanstack/query-core@5"];

/** The suite's own modules, in a folder where the package and the suite's other dependencies are installed. */
export const npmFolder: () => Promise<string> = once(async () => {
  const folder = await emptyFolder("npm");
  await copySuite(folder);
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  const tools = ["esbuild@^0.28.0", "workerd@^1.20261117.1", "playwright-core@^1.65.1", "undici@^7.30.0"];
  const bridges = ["srvx@^1.0.8", "@hono/node-server@^2.1.8", "hono"];
  await install(folder, [await tarball(), ...dependencies, ...bridges, ...tools]);
  return folder;
});

const servers = ["server.ts", "node_server.ts", "framed_server.ts", "shaped_server.ts", "unread_server.ts"];
const modules = ["case.ts", "client_cases.ts", "contract.ts", ...servers, "wait_for.ts"];

/** Copies the suite's own modules into a folder. */
export async function copySuite(folder: string): Promise<void> {
  await run({
    command: "cp",
    args: ["-r", ...modules, "client", "entries", folder],
    cwd: here,
  });
}

/**
 * Bundles one of the suite's modules into its own folder, as JavaScript; packages are left out if they are `external`.
 */
export async function bundleSuite(entry: string, file: string, external: boolean): Promise<string> {
  const folder = await npmFolder();
  const args = [entry, "--bundle", "--format=esm", "--log-level=error", `--outfile=${folder}/${file}`];
  await run({
    command: `${folder}/node_modules/.bin/esbuild`,
    args: external ? [...args, "--packages=external"] : args,
    cwd: folder,
  });
  return `${folder}/${file}`;
}

/** The path of Chromium: Debian's, installed if it is missing. */
export const chromiumPath: () => Promise<string> = once(async () => {
  const found = await findChromium();
  if (found) return found;
  const apt = (args: readonly string[]): Promise<string> =>
    run({ command: "apt-get", args: ["-qq", ...args], cwd: work, env: { DEBIAN_FRONTEND: "noninteractive" } });
  await apt(["update"]);
  await apt(["install", "-y", "--no-install-recommends", "chromium-headless-shell"]);
  return await findChromium() ?? "/usr/bin/chromium";
});

async function findChromium(): Promise<string | undefined> {
  for (const path of ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"]) {
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
}

/** Starts the slowest steps first, all at once. A step that fails here fails again in the test that needs it. */
export async function prepare(): Promise<void> {
  await Promise.allSettled([
    npmFolder(),
    ...[currentBun, oldest.bun].map(bunFolder),
    ...[oldest.node, ...everyVersion ? ["22"] : [], "24"].map(nodePath),
    denoFolder(oldest.deno),
    chromiumPath(),
  ]);
}
