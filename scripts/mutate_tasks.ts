/**
 * Breaks the server in each of the ways that `mutants/` lists, and counts how many of them the contract tests of examples/tasks see,
 * whose reference is whole: `deno run -A scripts/mutate_tasks.ts [--only=<part of a file's name>] [--every=3] [--jobs=2]`.
 */
import { type Job, listJobs } from "./mutants/jobs.ts";

const root = new URL("../", import.meta.url);

/** What is run for each mutant: the kit of the project, against the example of a copy that is broken. */
const runner = `
import { ContractTestError, contractTests } from "@scope/api/testing";
import { contract } from "${root}examples/tasks/contract.ts";
import { handler } from "./examples/tasks/server.ts";

for (const { name, run } of contractTests(contract, { target: handler, credentials: { bearer: "test" }, runs: 40 })) {
  await run().catch((error) => {
    console.log(error instanceof ContractTestError ? \`\${name}: \${error.findings[0].rule}\` : \`\${name}: \${error}\`);
    Deno.exit(3);
  });
}
Deno.exit(0);
`;

/** A copy of the project whose files import one another, and not the project's. */
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

/** What the tests say of a mutant: the first test that fails, or `undefined`. */
async function see(folder: string, job: Job): Promise<string | undefined> {
  const path = `${folder}/${job.file}`;
  const whole = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, job.text);
  try {
    return await run(folder);
  } finally {
    await Deno.writeTextFile(path, whole);
  }
}

async function run(folder: string): Promise<string | undefined> {
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
  if (code === 0) return undefined;
  const said = new TextDecoder().decode(code === 3 ? stdout : stderr);
  return said.trim().split("\n").findLast((line) => line.includes(": "))?.slice(0, 120) ?? "it does not start";
}

/** A runner that imports the kit from the project itself, though it lies in the copy. */
async function addRunner(folder: string): Promise<void> {
  await Deno.writeTextFile(
    `${folder}/runner.ts`,
    runner.replace('"@scope/api/testing"', JSON.stringify(`${root}testing.ts`)),
  );
}

function readOption(name: string, otherwise: string): string {
  return Deno.args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
}

const only = readOption("only", "");
const { jobs } = await listJobs(root);
const every = Number(readOption("every", "1"));
const queue = jobs.filter(({ file }) => /^src\/(?:fetch|server)\//.test(file) && file.includes(only))
  .filter((_, index) => index % every === 0);
const seen: { readonly job: Job; readonly by: string | undefined }[] = [];

async function work(): Promise<void> {
  const folder = await createCopy();
  await addRunner(folder);
  const whole = await run(folder);
  if (whole !== undefined) throw new Error(`Cannot begin: ${whole}`);
  for (let job = queue.shift(); job; job = queue.shift()) {
    const by = await see(folder, job);
    seen.push({ job, by });
    console.log(
      `${by === undefined ? "unseen" : "seen  "} ${job.area}: ${job.breaks} (${job.file})${
        by === undefined ? "" : ` -- ${by}`
      }`,
    );
  }
  await Deno.remove(folder, { recursive: true });
}

await Promise.all(Array.from({ length: Number(readOption("jobs", "2")) }, work));
for (const area of new Set(seen.map(({ job }) => job.area))) {
  const own = seen.filter(({ job }) => job.area === area);
  console.log(`${area}: ${own.filter(({ by }) => by !== undefined).length} of ${own.length}`);
}
const count = seen.filter(({ by }) => by !== undefined).length;
console.log(`all: ${count} of ${seen.length}, ${Math.round((100 * count) / seen.length)} %`);
