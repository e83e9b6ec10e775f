/** The time that TypeScript takes to check a program with many routes, and an editor to respond in it. */
import { run } from "../../tests/runtimes/command.ts";
import { emptyFolder, npmInstall, tarball } from "../../tests/runtimes/kit.ts";
import { median } from "../measure/median.ts";
import type { Section, Table } from "../report/section.ts";
import { generateProgram, type LibraryName, writers } from "./generate.ts";
import { packagesOf } from "./install.ts";
import { openEditor } from "./language_server.ts";

const counts = [50, 200, 500];

const text =
  `The same API with Zod, in groups of ten routes: each has a path parameter, a query, a body, a 200 and a 404.
A second module calls each of them. For Hono, the first module contains the handlers, whose types the client has;
[the comparison](../docs/comparison.md#hono-rpc) says what compiling these types first changes. Rows with
"declarations" import what \`tsc --declaration\` made of the first module, and that with "interface" has the file that
[scope-api-types](../docs/types.md#large-contracts) writes. "tsc" is the whole run
of the compiler, in seconds, with declarations of packages not checked. "types" is how many TypeScript 5.9 instantiates
in it, in thousands: the cost of inference, the same on every machine. The others are milliseconds of \`tsserver\` 5.9
in the second module, each after a change of its text: the members of \`client.group0\`, and the type of a result. A
cell of these is the median and the 95th percentile of 20, or of as many as fit in a minute.`;

const compilerOptions = {
  strict: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

/** Measures every library with every number of routes. */
export async function measureEditors(short: boolean): Promise<Section[]> {
  const folder = await installCompilers();
  const names = Object.keys(writers) as LibraryName[];
  const tables: Table[] = [];
  for (const count of short ? counts.slice(0, 1) : counts) {
    const rows: string[][] = [];
    for (const name of names) {
      for (const form of formsOf(name)) {
        const title = form === "source" ? writers[name].title : `${writers[name].title}, ${form}`;
        console.error(`${count} routes, ${title}`);
        rows.push([title, ...await measureProgram(folder, { name, form, count }, short)]);
      }
    }
    tables.push({ head: [`${count} routes`, "tsc 5.9, s", "tsc 7, s", "types", "members, ms", "type, ms"], rows });
  }
  return [{ title: "Types in a compiler and in an editor", text, tables, figures: [] }];
}

async function installCompilers(): Promise<string> {
  const folder = await emptyFolder("editors");
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  const libraries = Object.values(writers).flatMap(({ packages }) => packages);
  const compilers = ["typescript@~5.9.3", "typescript-7@npm:typescript@7"];
  await npmInstall(folder, [await tarball(), ...packagesOf(["zod", ...libraries]), ...compilers]);
  return folder;
}

/** How a client sees the types of an API. */
type Form = "source" | "declarations" | "interface";

/** The forms of a library. That of ts-rest has no declarations: they are longer than TypeScript writes. */
function formsOf(name: LibraryName): readonly Form[] {
  if (name === "tsRest") return ["source"];
  return name === "ours" ? ["source", "declarations", "interface"] : ["source", "declarations"];
}

async function measureProgram(
  folder: string,
  { name, form, count }: { readonly name: LibraryName; readonly form: Form; readonly count: number },
  short: boolean,
): Promise<string[]> {
  const cwd = `${folder}/${name}${count}${form}`;
  await Deno.mkdir(cwd);
  const { api, client: source } = generateProgram(name, count);
  const client = form === "declarations" ? source.replaceAll('"./api.ts"', '"./api.js"') : source;
  await Deno.writeTextFile(`${cwd}/api.ts`, api);
  await Deno.writeTextFile(`${cwd}/client.ts`, client);
  await Deno.writeTextFile(`${cwd}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ["client.ts"] }));
  if (form === "declarations") await compileApi(cwd);
  if (form === "interface") await writeInterface(cwd, api);
  const seconds = [];
  for (const compiler of ["typescript/bin/tsc", "typescript-7/bin/tsc"]) {
    const times = [];
    const start = Date.now();
    do times.push(await timeCompiler(cwd, compiler)); while (!short && times.length < 5 && Date.now() - start < 30_000);
    seconds.push((median(times) / 1_000).toFixed(1));
  }
  return [...seconds, await countTypes(cwd), ...await timeEditor(cwd, client, short ? 2 : 20)];
}

/** The number of types that the compiler instantiates, in thousands. */
async function countTypes(cwd: string): Promise<string> {
  const args = ["../node_modules/typescript/bin/tsc", "-p", ".", "--extendedDiagnostics"];
  const [, count] = (await run({ command: "node", args, cwd })).match(/Instantiations:\s+(\d+)/) ?? [];
  return (Number(count) / 1_000).toFixed(1);
}

/** Replaces the first module by its declarations. */
async function compileApi(cwd: string): Promise<void> {
  const options = { ...compilerOptions, noEmit: false, declaration: true, emitDeclarationOnly: true };
  await Deno.writeTextFile(`${cwd}/build.json`, JSON.stringify({ compilerOptions: options, files: ["api.ts"] }));
  await run({ command: "node", args: ["../node_modules/typescript/bin/tsc", "-p", "build.json"], cwd });
  await Deno.remove(`${cwd}/api.ts`);
}

/** Declares the contract with the interface that the command writes for it. */
async function writeInterface(cwd: string, api: string): Promise<void> {
  await run({ command: `${cwd}/../node_modules/.bin/scope-api-types`, args: ["api.ts"], cwd });
  const declared = api.replace("export const contract =", "export const contract: Api =");
  await Deno.writeTextFile(`${cwd}/api.ts`, `import type { Api } from "./api.types.ts";\n${declared}`);
}

async function timeCompiler(cwd: string, compiler: string): Promise<number> {
  const start = performance.now();
  await run({ command: "node", args: [`../node_modules/${compiler}`, "-p", "."], cwd });
  return performance.now() - start;
}

/** Asks for members and for a type, each after a change. */
async function timeEditor(cwd: string, client: string, rounds: number): Promise<string[]> {
  await using editor = openEditor(`${cwd}/../node_modules/typescript/lib/tsserver.js`, cwd);
  await editor.open("client.ts", client);
  const lines = client.split("\n");
  const last = lines.length; // the number of the empty line at the end
  const result = lines.findLastIndex((line) => line.startsWith("const r"));
  const [members, types]: [number[], number[]] = [[], []];
  const start = Date.now();
  for (let round = 0; round < rounds + 1 && (round < 3 || Date.now() - start < 60_000); round++) {
    const typed = "client.group0.";
    await editor.change("client.ts", last, typed);
    const completed = await editor.request("completionInfo", { line: last, offset: typed.length + 1 });
    if (!JSON.stringify(completed.body).includes('"r0x9"')) throw new Error(`no members in ${cwd}`);
    await editor.change("client.ts", last, "", typed.length);
    const described = await editor.request("quickinfo", { line: result + 1, offset: "const r".length });
    if (!JSON.stringify(described.body).includes("title")) console.error(JSON.stringify(described.body));
    if (round > 0) {
      members.push(completed.time);
      types.push(described.time);
    }
  }
  return [members, types].map((times) => `${median(times).toFixed(0)}, ${percentile(times, 0.95).toFixed(0)}`);
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
