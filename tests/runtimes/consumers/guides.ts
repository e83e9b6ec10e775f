/** The code of README and of the guides on Node, with the npm copy and the packages of npm. */
import { assert, assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { run } from "../command.ts";
import { emptyFolder, install, nodePath, tarball } from "../kit.ts";
import { advance, once } from "../once.ts";
import { readPage, runnableBlocks } from "./pages.ts";

/** A block of code that runs as it is. */
interface Block {
  /** Its page and its number on it. */
  readonly name: string;
  readonly code: string;
}

/** Code that Node cannot run: these blocks serve WebSockets on Deno. */
const denoAlone = "Deno.serve(";
/** A module that Node 20 lacks, or that asks for a newer Node; the guide whose block imports it says so. */
const newerModule = /"(?:node:sqlite|@opentelemetry\/sdk-\w+)"/;

/** The packages that the tools need besides those that the blocks import. */
const tools = [
  "@types/node@24",
  "@types/swagger-ui-dist@3",
  "swagger-ui-dist@5", // which serveDocs() reads
  "deno-std@1",
  "esbuild@^0.28.0",
  "typescript@7",
];

/** Runs each block, and checks its types. */
export function testGuides(): void {
  Deno.test("the guides import npm packages and, from JSR, only @std/assert", () => {
    const others = listBlocks().flatMap(importsOf).filter((name) => /^(?:@std\/|jsr:)/.test(name));
    assertEquals(new Set(others), new Set(["@std/assert"]));
  });

  Deno.test(
    "every block of README and of the guides runs on Node 20",
    advance(async () => {
      const runnable = listBlocks().filter(({ code }) => !newerModule.test(code));
      assert(runnable.length > 70); // the pages are still found
      await runOn("20", runnable);
    }),
  );

  Deno.test(
    "the blocks of the guides that need a newer Node run on Node 24",
    advance(async () => {
      const newer = listBlocks().filter(({ code }) => newerModule.test(code));
      assertEquals(newer.length, 4);
      await runOn("24", newer);
    }),
  );

  Deno.test(
    "every block of README and of the guides compiles with the types of its packages",
    advance(async () => {
      const cwd = await guidesFolder();
      await run({ command: `${cwd}/node_modules/.bin/tsc`, args: ["-p", "."], cwd });
    }),
  );
}

/** The blocks of all pages, except those that only Deno can run. */
function listBlocks(): Block[] {
  const guides = [...Deno.readDirSync(new URL("../../../docs", import.meta.url))].map(({ name }) => `docs/${name}`);
  return ["README.md", ...guides.toSorted()].flatMap((page) =>
    runnableBlocks(readPage(page)).map((code, at) => ({ name: `${page.replaceAll("/", "-")}-${at + 1}`, code }))
  ).filter(({ code }) => !code.includes(denoAlone));
}

/** The names of the packages and modules that a block imports. */
function importsOf({ code }: Block): string[] {
  return [...code.matchAll(/^(?:import|export|\} from) (?:.* from )?"([^".][^"]*)"/gm)].map(([, name = ""]) => name);
}

/** The npm packages that the blocks import, in the versions of deno.json. */
function listPackages(): string[] {
  const packages: Readonly<Record<string, string>> = config.imports;
  const names = new Set(listBlocks().flatMap(importsOf).map((name) => name.match(/^(?:@[^/]+\/)?[^/]+/)![0]));
  return [...names].map((name) => packages[name] ?? "").filter((to) => to.startsWith("npm:"))
    .map((to) => to.slice("npm:".length));
}

/** The blocks as modules, as TypeScript in `src` and as JavaScript in `out`, with all that they import. */
const guidesFolder: () => Promise<string> = once(async () => {
  const cwd = await emptyFolder("guides");
  const standIn = `${cwd}/node_modules/@std/assert`;
  await Deno.writeTextFile(`${cwd}/package.json`, JSON.stringify({ type: "module" }));
  await install(cwd, [await tarball(), ...listPackages(), ...tools]);
  for (const folder of [`${cwd}/src`, standIn]) await Deno.mkdir(folder, { recursive: true });
  for (const { name, code } of listBlocks()) await Deno.writeTextFile(`${cwd}/src/${name}.ts`, toNode(code));
  await writeStandIn(standIn);
  await Deno.writeTextFile(
    `${cwd}/tsconfig.json`,
    JSON.stringify({ compilerOptions, include: ["src", "untyped.d.ts"] }),
  );
  await Deno.writeTextFile(`${cwd}/untyped.d.ts`, 'declare module "deno-std/*";\n');
  await Deno.writeTextFile(`${cwd}/import_all.js`, importAll);
  await Deno.mkdir(`${cwd}/examples`);
  const examples = new URL("../../../examples/import", import.meta.url).pathname;
  await run({ command: "cp", args: ["-r", examples, "examples/import"], cwd });
  const [alone, importing] = [false, true].map((isImporting) =>
    listBlocks().filter(({ code }) => code.includes(importedExamples) === isImporting)
  );
  await esbuild(cwd, alone!.map(toSource), "--outdir=out");
  await esbuild(cwd, importing!.map(toSource), "--outdir=out", "--bundle", "--packages=external");
  return cwd;
});

/** The folder of the modules that some blocks import. */
const importedExamples = '"../examples/import/';

function toSource({ name }: Block): string {
  return `src/${name}.ts`;
}

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: "nodenext",
  target: "es2022",
  types: ["node"],
  noEmit: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
};

/** A block for Node: a test with `Deno.test` becomes a test of `node:test`. */
function toNode(code: string): string {
  const test = code.includes("Deno.test") ? 'import { test } from "node:test";\nconst Deno = { test };\n' : "";
  return `${test}${code}export {};\n`;
}

/** In place of `npx jsr add @std/assert`, which downloads from JSR: the project's own stand-in. */
async function writeStandIn(folder: string): Promise<void> {
  const text = await Deno.readTextFile(new URL("../../../links/std_assert/mod.ts", import.meta.url));
  await Deno.writeTextFile(`${folder}/mod.ts`, text.replace('"deno-std/assert"', '"deno-std/assert/mod.js"'));
  const exports = { types: "./mod.ts", default: "./mod.js" };
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ name: "@std/assert", type: "module", exports }));
  await esbuild(folder, ["mod.ts"], "--outfile=mod.js");
}

async function esbuild(cwd: string, files: readonly string[], ...options: readonly string[]): Promise<void> {
  const command = `${cwd.split("/node_modules/")[0]}/node_modules/.bin/esbuild`;
  await run({ command, args: [...files, "--format=esm", "--log-level=error", ...options], cwd });
}

/** Imports the modules in its arguments, and prints on its last line which of them failed. */
const importAll = `
const failed = {};
for (const name of process.argv.slice(2)) {
  await import("./out/" + name + ".js").catch((error) => failed[name] = String(error));
}
process.on("exit", () => console.log("\\n" + JSON.stringify(failed)));
`;

/** Imports blocks in one process of Node, and asserts that none fails. */
async function runOn(version: string, list: readonly Block[]): Promise<void> {
  const cwd = await guidesFolder();
  const args = ["import_all.js", ...list.map(({ name }) => name)];
  const printed = await run({ command: await nodePath(version), args, cwd });
  assertEquals(JSON.parse(printed.trimEnd().split("\n").at(-1)!), {});
}
