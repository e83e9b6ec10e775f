/**
 * Breaks the server as `mutate.ts` does. Counts how many of the mutants the contract tests of examples/tasks catch, with
 * an unbroken reference: `deno run -A scripts/mutate_tasks.ts [--only=src/fetch] [--sample=30] [--seed=0] [--jobs=2]`.
 */
import { listSourceMutants, readOption, readSelection } from "./mutants/list.ts";
import { applyMutant, type Mutant } from "./mutants/operators.ts";

const root = new URL("../", import.meta.url);

/** The program that runs for each mutant: the tests of the project, against the example in a broken copy. */
const runner = `
import { ContractTestError, contractTests } from "@scope/api/testing";
import { contract } from "${root}examples/tasks/contract.ts";
import { handler } from "./examples/tasks/server.ts";
import { handler as whole } from "${root}examples/tasks/server.ts";

let isVisible = false;

/** Asks the broken server, and notes whether it answers otherwise than the whole one. */
async function target(request) {
  const [broken, right] = await Promise.all([handler(request.clone()), whole(request)]);
  const differs = ["content-type", "allow", "location", "www-authenticate", "cache-control"]
    .some((name) => broken.headers.get(name) !== right.headers.get(name));
  isVisible ||= differs || broken.status !== right.status;
  await right.body?.cancel();
  return broken;
}

for (const { name, run } of contractTests(contract, { target, credentials: { bearer: "test" }, runs: 40 })) {
  await run().catch((error) => {
    console.log(error instanceof ContractTestError ? \`\${name}: \${error.findings[0].rule}\` : \`\${name}: \${error}\`);
    Deno.exit(3);
  });
}
Deno.exit(isVisible ? 4 : 0);
`;

/** Creates a copy of the project whose files import one another instead of the project's files. */
async function createCopy(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "mutate-tasks-" });
  const { exports, imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const files = Object.values<string>(exports).map((file) => file.slice(2));
  await new Deno.Command("cp", { args: ["-r", "src", "examples", "links", ...files, folder], cwd: root.pathname })
    .output();
  const doorsOf = (base: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries<string>(exports).map(([door, file]) => [`@scope/api${door.slice(1)}`, `${base}${file.slice(2)}`]),
    );
  const own = doorsOf(`file://${folder}/`);
  const whole = doorsOf(String(root));
  const scopes = { [`file://${folder}/`]: own };
  const main = { ...imports, ...whole };
  await Deno.writeTextFile(`${folder}/import_map.json`, JSON.stringify({ imports: main, scopes }));
  return folder;
}

/**
 * Whether the tests see a mutant. It is hidden if the unbroken server responds to all their requests in the same way.
 */
interface Sight {
  readonly state: "seen" | "unseen" | "hidden";
  /** The first test that fails. */
  readonly by: string;
}

async function look(folder: string, mutant: Mutant): Promise<Sight> {
  const path = `${folder}/${mutant.file}`;
  const whole = sources.get(mutant.file)!;
  await Deno.writeTextFile(path, applyMutant(whole, mutant));
  try {
    return await run(folder);
  } finally {
    await Deno.writeTextFile(path, whole);
  }
}

async function run(folder: string): Promise<Sight> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--allow-all",
      `--import-map=${folder}/import_map.json`,
      `${folder}/runner.ts`,
    ],
    cwd: folder,
    env: { NO_COLOR: "1", TASKS_DB: ":memory:", TASKS_TOKEN: "test" },
    stdin: "null",
    signal: AbortSignal.timeout(120_000),
  }).output();
  if (code === 0 || code === 4) return { state: code === 0 ? "hidden" : "unseen", by: "" };
  const said = new TextDecoder().decode(code === 3 ? stdout : stderr);
  const by = said.trim().split("\n").findLast((line) => line.includes(": "))?.slice(0, 120) ?? "it does not start";
  return { state: "seen", by };
}

/** Writes a runner in the copy that imports the tests from the project itself. */
async function addRunner(folder: string): Promise<void> {
  await Deno.writeTextFile(
    `${folder}/runner.ts`,
    runner.replace('"@scope/api/testing"', JSON.stringify(`${root}testing.ts`)),
  );
}

const selection = readSelection(Deno.args);
const only = selection.only.length > 0 ? selection.only : ["src/fetch/", "src/server/"];
const { mutants, sources } = await listSourceMutants(root, { ...selection, only });
const queue = [...mutants];
const looked: Sight[] = [];

async function work(): Promise<void> {
  const folder = await createCopy();
  await addRunner(folder);
  const { state, by } = await run(folder);
  if (state !== "hidden") throw new Error(`Cannot start: ${state} ${by}`);
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const sight = await look(folder, mutant);
    looked.push(sight);
    console.log(`${sight.state} ${mutant.file}:${mutant.line} ${mutant.within}: ${mutant.operator} ${sight.by}`);
  }
  await Deno.remove(folder, { recursive: true });
}

function count(state: Sight["state"]): number {
  return looked.filter((each) => each.state === state).length;
}

await Promise.all(Array.from({ length: Number(readOption(Deno.args, "jobs", "2")) }, work));
const visible = count("seen") + count("unseen");
console.log(`${looked.length} mutants, ${visible} change an answer, ${count("seen")} of these are seen`);
