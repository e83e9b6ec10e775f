/** An earlier version in a registry of npm, which is the one that npm is configured with. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type EarlierVersion, failEarlier, packageFacts } from "./load_side.ts";
import { type ProgramResult, runProgram } from "./programs.ts";
import { readTarball } from "./tarball.ts";

/**
 * A package of a registry with its version, tag or range. All other specifiers of npm are refused: those of git
 * repositories run scripts, and those of folders and URLs are no packages.
 */
const specifier = /^(?:@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*(?:@[\w.~^<>=*+-]+)?$/i;

/** Downloads a package, and reads it without running its code; `undefined` if no version is in the range. */
export async function openNpm(reference: string): Promise<EarlierVersion | undefined> {
  if (!specifier.test(reference)) {
    failEarlier(`npm:${reference} is not a package of a registry, such as npm:@acme/contract@latest`);
  }
  const folder = await mkdtemp(join(tmpdir(), "scope-api-diff-"));
  try {
    const { code, stdout } = await npm(folder, ["pack", reference, "--json", "--pack-destination", folder]);
    const printed = parsePrinted(stdout);
    if (code !== 0) return explainFailure(reference, printed);
    const [file] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    if (file === undefined) failEarlier(`npm has no tarball of ${reference}`);
    return toEarlier(readPackage(await readFile(join(folder, file)), reference));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function npm(folder: string, args: readonly string[], cwd = process.cwd()): Promise<ProgramResult> {
  const { npm_execpath: script = "" } = process.env;
  const isScript = process.platform === "win32" && script.endsWith("npm-cli.js"); // Windows runs npm only by a shell
  const common = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];
  return await runProgram({
    program: isScript ? "node" : "npm",
    args: [...(isScript ? [script] : []), ...args, ...common, "--cache", join(folder, "cache")],
    folder: cwd,
    watched: folder,
  });
}

function parsePrinted(stdout: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(stdout));
  } catch {
    return undefined;
  }
}

/** Returns `undefined` if the registry has no such version, and throws any other failure. */
function explainFailure(reference: string, printed: unknown): undefined {
  const { code } = Object(Object(printed).error);
  const isExact = /@v?=?\d+\.\d+\.\d/.test(reference);
  if (code === "E404" || (code === "ETARGET" && !isExact)) return undefined;
  return failEarlier(`npm cannot download ${reference}: ${summaryOf(printed)}`);
}

function summaryOf(printed: unknown): string {
  const { summary } = Object(Object(printed).error);
  return typeof summary === "string" ? summary.trim().split("\n", 1)[0]! : "it does not say why";
}

interface ReadPackage {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly name: string;
  readonly version: string;
}

function readPackage(packed: Uint8Array, reference: string): ReadPackage {
  try {
    const files = readTarball(packed);
    const manifest = files.get("package.json") ?? failWith("it has no package.json");
    const { name, version } = Object(JSON.parse(new TextDecoder().decode(manifest)));
    if (typeof name !== "string" || typeof version !== "string" || !specifier.test(`${name}@${version}`)) {
      failWith("its package.json has no name and version");
    }
    return { files, name, version };
  } catch (cause) {
    return failEarlier(`the tarball of ${reference} cannot be read: ${(cause as Error).message}`);
  }
}

function failWith(state: string): never {
  throw new TypeError(state);
}

function toEarlier({ files, name, version }: ReadPackage): EarlierVersion {
  return {
    ...packageFacts(name, version),
    read: (path) => {
      const content = files.get(path);
      return Promise.resolve(content && new TextDecoder().decode(content));
    },
    checkOut: (use) => "Deno" in globalThis ? use(`npm:${name}@${version}`) : install(`${name}@${version}`, name, use),
  };
}

/** Installs a package with its dependencies, in a folder of its own and without its scripts. */
async function install<Result>(
  specifier: string,
  name: string,
  use: (module: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "scope-api-diff-"));
  try {
    const project = join(folder, "project");
    await mkdir(project);
    await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
    await copyFile(join(process.cwd(), ".npmrc"), join(project, ".npmrc")).catch(() => {}); // most have none
    const { code, stdout } = await npm(folder, ["install", specifier, "--json"], project);
    if (code !== 0) failEarlier(`npm cannot install ${specifier}: ${summaryOf(parsePrinted(stdout))}`);
    const entry = join(project, "entry.js");
    await writeFile(entry, `export * from ${JSON.stringify(name)};\n`);
    return await use(pathToFileURL(entry).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
