/**
 * Breaks the source in each of the ways that `mutants/` lists, one by one in copies of the project. Runs the tests
 * that should fail: `deno task mutate [--jobs=2] [--only=<part of the name of an area or a file>]`. Prints the
 * survivors. Exits with code 1 if a mutant survives that `mutants/survivors.ts` does not explain. `--check` only
 * applies the mutants in memory and lists those that do not match the source, as `tests/mutants_test.ts` does. It is
 * not part of `deno task ok`, which tests behavior instead of text.
 */
import { type Job, listJobs } from "./mutants/jobs.ts";
import { explained } from "./mutants/survivors.ts";
import { createWorkshop, type Outcome, type Workshop } from "./mutants/workshop.ts";

interface Tested extends Job {
  readonly caughtBy: Outcome;
}

const root = new URL("../", import.meta.url);

/** Runs the tests without a mutant first, because a test that always fails would seem to catch every mutant. */
async function checkWhole(jobs: readonly Job[]): Promise<void> {
  const tests = new Set(jobs.flatMap(({ tests }) => tests));
  const failing = await inWorkshop((workshop) => workshop.test([...tests]));
  if (failing !== undefined) throw new Error(`Cannot start: ${failing} fails without a mutant`);
}

async function inWorkshop<Value>(use: (workshop: Workshop) => Promise<Value>): Promise<Value> {
  const workshop = await createWorkshop(root);
  try {
    return await use(workshop);
  } finally {
    await workshop.remove();
  }
}

/** Takes one job after another from the queue, which several workers share. */
async function work(queue: Job[], tested: Tested[], workshop: Workshop): Promise<void> {
  for (let job = queue.shift(); job; job = queue.shift()) {
    const caughtBy = await workshop.test(job.tests, job);
    tested.push({ ...job, caughtBy });
    console.log(`${caughtBy === undefined ? "SURVIVES" : "caught"}  ${describe(job)}${by(caughtBy)}`);
  }
}

function describe({ area, file, breaks }: Job): string {
  return `${area}: ${breaks} (${file})`;
}

function by(caughtBy: Outcome): string {
  return caughtBy === undefined ? "" : ` -- ${caughtBy}`;
}

function report(tested: readonly Tested[]): boolean {
  const count = (area: string, isCounted: (each: Tested) => boolean): number =>
    tested.filter((each) => each.area === area && isCounted(each)).length;
  console.log("\n| area | mutants | caught | survivors |\n| --- | --- | --- | --- |");
  for (const area of new Set(tested.map(({ area }) => area))) {
    const caught = count(area, ({ caughtBy }) => caughtBy !== undefined);
    const all = count(area, () => true);
    console.log(`| ${area} | ${all} | ${caught} | ${all - caught} |`);
  }
  const survivors = tested.filter(({ caughtBy }) => caughtBy === undefined);
  console.log(`| all | ${tested.length} | ${tested.length - survivors.length} | ${survivors.length} |`);
  for (const each of survivors) console.log(`\n${describe(each)}\n  ${explained[each.breaks] ?? "NOT EXPLAINED"}`);
  return survivors.every(({ breaks }) => breaks in explained);
}

function readOption(name: string, otherwise: string): string {
  return Deno.args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
}

const { jobs: all, faults } = await listJobs(root);
for (const fault of faults) console.error(fault);
if (faults.length > 0) Deno.exit(1);
if (Deno.args.includes("--check")) {
  console.log(`All ${all.length} mutants apply`);
  Deno.exit();
}
const only = readOption("only", "");
const jobs = all.filter(({ area, file }) => area.includes(only) || file.includes(only));
await checkWhole(jobs);
const tested: Tested[] = [];
const queue = [...jobs];
const workers = Array.from({ length: Number(readOption("jobs", "2")) });
await Promise.all(workers.map(() => inWorkshop((workshop) => work(queue, tested, workshop))));
if (!report(tested)) Deno.exit(1);
