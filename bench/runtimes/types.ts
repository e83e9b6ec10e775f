/** The time that TypeScript takes to check a program with many routes, and an editor to respond in it. */
import { run } from "../../tests/runtimes/command.ts";
import { emptyFolder, npmInstall, tarball } from "../../tests/runtimes/kit.ts";
import { once } from "../../tests/runtimes/once.ts";
import { median } from "../measure/median.ts";
import type { Section } from "../report/section.ts";
import { compilerOptions, formatTimes, startEditors, timeEditor } from "./editors.ts";
import { generateProgram, type LibraryName, writers } from "./generate.ts";
import { packagesOf } from "./install.ts";

const text =
  `The same API with Zod, in groups of ten routes: each has a path parameter, a query, a body, a 200 and a 404.
A second module calls each of them. For Hono, the first module contains the handlers, whose types the client has;
[the comparison](../docs/comparison.md#hono-rpc) says what compiling these types first changes. Rows with
"declarations" import what \`tsc --declaration\` made of the first module, and that with "interface" has the file that
[scope-api-types](../docs/types.md#large-contracts) writes. "tsc" is the whole run of the compiler, in seconds, with
declarations of packages not checked: the median of three, or of as many as start within ten seconds. "types" is how
many TypeScript 5.9 instantiates in it, in thousands: the cost of inference, the same on every machine. The others are
milliseconds of \`tsserver\` 5.9, and of the language server of TypeScript 7, in the second module, each after a change
of its text: the members of \`client.group0\`, and the type of a result. A cell of these is the median and the 95th
percentile of 20, or of as many as fit in 15 seconds, at least three.`;

/** Measures every library with a number of routes. */
export async function measureTypes(count: number, short: boolean): Promise<Section> {
  const folder = await installCompilers();
  const rows: string[][] = [];
  for (const name of Object.keys(writers) as LibraryName[]) {
    for (const form of name === "ours" ? forms : forms.slice(0, 2)) {
      const title = form === "source" ? writers[name].title : `${writers[name].title}, ${form}`;
      console.error(`${count} routes, ${title}`);
      rows.push([title, ...await measureProgram(folder, { name, form, count }, short)]);
    }
  }
  const times = ["members 5.9, ms", "type 5.9, ms", "members 7, ms", "type 7, ms"];
  const head = [`${count} routes`, "tsc 5.9, s", "types", "tsc 7, s", ...times];
  return { title: `Types of ${count} routes`, text, tables: [{ head, rows }], figures: [] };
}

const installCompilers: () => Promise<string> = once(async () => {
  const folder = await emptyFolder("types");
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  const libraries = Object.values(writers).flatMap(({ packages }) => packages);
  await npmInstall(folder, [await tarball(), ...packagesOf(["zod", ...libraries]), ...compilers]);
  return folder;
});

/** Both compilers, under names of their own. */
export const compilers = ["typescript@~5.9.3", "typescript-7@npm:typescript@7"];

/** How a client sees the types of an API. */
type Form = typeof forms[number];

const forms = ["source", "declarations", "interface"] as const;

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
  const [tsc5, tsc7] = [await timeCompiler(cwd, "typescript", short), await timeCompiler(cwd, "typescript-7", short)];
  const cells = [tsc5.seconds, tsc5.instantiations, tsc7.seconds];
  for (const start of Object.values(startEditors)) {
    await using editor = await start(cwd, "client.ts");
    const asked = { text: client, typed: "client.group0.", member: "r0x9", variable: "const r", property: "title" };
    const { members, types } = await timeEditor(editor, asked, short ? 2 : 20);
    cells.push(formatTimes(members), formatTimes(types));
  }
  return cells;
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

/** The seconds that a compiler takes, and the number of types that it instantiates, in thousands. */
async function timeCompiler(
  cwd: string,
  compiler: string,
  short: boolean,
): Promise<{ readonly seconds: string; readonly instantiations: string }> {
  const args = [`../node_modules/${compiler}/bin/tsc`, "-p", ".", "--extendedDiagnostics"];
  const times: number[] = [];
  let output = "";
  for (const end = Date.now() + (short ? 0 : 10_000); times.length === 0 || times.length < 3 && Date.now() < end;) {
    const start = performance.now();
    output = await run({ command: "node", args, cwd });
    times.push(performance.now() - start);
  }
  const [, instantiated] = output.match(/Instantiations:\s+(\d+)/) ?? [];
  return {
    seconds: (median(times) / 1_000).toFixed(1),
    instantiations: (Number(instantiated) / 1_000).toFixed(1),
  };
}
