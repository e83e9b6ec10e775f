/**
 * Breaks the source in each of the ways that `mutants/` lists, one by one, each in a copy of the project, and runs the
 * tests that ought to fail: `deno task mutate [--jobs=2] [--only=<part of an area's or a file's name>]`. Prints who
 * survives. Ends with code 1 where a mutant survives that `mutants/survivors.ts` does not explain, and throws where
 * one's text is not found exactly once, so that the list cannot rot. It is no part of `deno task ok`, which pins what
 * the source does, not its words.
 */
import { mutants } from "./mutants/all.ts";
import { type Mutant } from "./mutants/mutant.ts";
import { explained } from "./mutants/survivors.ts";
import { createWorkshop, type Outcome, type Workshop } from "./mutants/workshop.ts";

interface Job extends Mutant {
  readonly area: string;
  readonly file: string;
  readonly tests: readonly string[];
  readonly text: string;
}

interface Tested extends Job {
  readonly caughtBy: Outcome;
}

const root = new URL("../", import.meta.url);

async function listJobs(only: string): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const [area, files] of Object.entries(mutants)) {
    for (const { file, tests, mutants } of files) {
      const whole = await Deno.readTextFile(new URL(file, root));
      for (const mutant of mutants) jobs.push({ ...mutant, area, file, tests, text: replaceOnce(whole, file, mutant) });
    }
  }
  return jobs.filter(({ area, file }) => area.includes(only) || file.includes(only));
}

function replaceOnce(whole: string, file: string, { find, replace, breaks }: Mutant): string {
  const parts = whole.split(find);
  if (parts.length === 2) return parts.join(replace);
  throw new Error(
    `Cannot break ${JSON.stringify(breaks)}: ${JSON.stringify(find)} stands ${parts.length - 1} times in ${file}; ` +
      `write what stands there once`,
  );
}

/** Tests are run unbroken first: a mutant that is caught by a test which fails anyway is not caught. */
async function checkWhole(workshop: Workshop, jobs: readonly Job[]): Promise<void> {
  const failing = await workshop.test([...new Set(jobs.flatMap(({ tests }) => tests))]);
  if (failing !== undefined) throw new Error(`Cannot begin: ${failing} fails before anything is broken`);
}

async function work(jobs: readonly Job[], queue: Job[], tested: Tested[], isFirst: boolean): Promise<void> {
  const workshop = await createWorkshop(root);
  try {
    if (isFirst) await checkWhole(workshop, jobs);
    for (let job = queue.shift(); job; job = queue.shift()) {
      const caughtBy = await workshop.test(job.tests, job);
      tested.push({ ...job, caughtBy });
      console.log(`${caughtBy === undefined ? "SURVIVES" : "caught"}  ${describe(job)}${by(caughtBy)}`);
    }
  } finally {
    await workshop.remove();
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

const jobs = await listJobs(readOption("only", ""));
const queue = [...jobs];
const tested: Tested[] = [];
const workers = Array.from({ length: Number(readOption("jobs", "2")) }, (_, index) => index === 0);
await Promise.all(workers.map((isFirst) => work(jobs, queue, tested, isFirst)));
if (!report(tested)) Deno.exit(1);
