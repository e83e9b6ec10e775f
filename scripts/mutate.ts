/**
 * Breaks the source in small ways, one by one in copies of the project, and runs the tests that should fail:
 * `deno task mutate [--only=src/wire,src/fetch] [--sample=40] [--seed=0] [--jobs=2]`. Prints the survivors, and exits
 * with code 1 if one survives that `mutants/survivors.ts` does not explain. `--near` runs only the tests of the folder
 * of the changed file, so that other tests may catch some of the survivors. `--list` only counts the mutants.
 */
import { listSourceMutants, readOption, readSelection } from "./mutants/list.ts";
import { applyMutant, type Mutant } from "./mutants/operators.ts";
import { explain } from "./mutants/survivors.ts";
import { readTestOrder } from "./mutants/test_order.ts";
import { createWorkshop, type Outcome, type Workshop } from "./mutants/workshop.ts";

interface Tested {
  readonly mutant: Mutant;
  readonly caughtBy: Outcome;
}

const root = new URL("../", import.meta.url);
const selection = readSelection(Deno.args);
const isNear = Deno.args.includes("--near");
const { mutants, sources } = await listSourceMutants(root, selection);

async function inWorkshop<Value>(use: (workshop: Workshop) => Promise<Value>): Promise<Value> {
  const workshop = await createWorkshop(root);
  try {
    return await use(workshop);
  } finally {
    await workshop.remove();
  }
}

/** How to test the mutants of a file. */
interface Plan {
  readonly groupsOf: (file: string) => readonly (readonly string[])[];
  /** The milliseconds that a group of tests may take, because a mutant can make it hang. */
  readonly patienceOf: (tests: readonly string[]) => number;
}

/** Leaves out tests that fail without a mutant. They would seem to catch every mutant. */
async function plan(workshop: Workshop): Promise<Plan> {
  const { groupsOf: allGroupsOf } = await readTestOrder(workshop);
  const groupsOf: Plan["groupsOf"] = (file) => isNear ? allGroupsOf(file).slice(0, 2) : allGroupsOf(file);
  const tests = new Set(mutants.flatMap(({ file }) => groupsOf(file).flat()));
  const { failing, seconds } = await workshop.testWhole([...tests]);
  for (const test of failing) console.log(`left out, because it fails without a mutant: ${test}`);
  return {
    groupsOf: (file) => groupsOf(file).map((tests) => tests.filter((test) => !failing.includes(test))),
    patienceOf: (tests) => 60_000 + 5000 * tests.reduce((sum, test) => sum + (seconds.get(test) ?? 1), 0),
  };
}

/** Takes one mutant after another from the queue, which several workers share. */
async function work(queue: Mutant[], tested: Tested[], plan: Plan): Promise<void> {
  await inWorkshop(async (workshop) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const caughtBy = await test(mutant, plan, workshop);
      tested.push({ mutant, caughtBy });
      const outcome = caughtBy === undefined ? "SURVIVES" : "caught";
      console.log(`${tested.length}/${mutants.length} ${outcome} ${describe(mutant)}${by(caughtBy)}`);
    }
  });
}

async function test(mutant: Mutant, { groupsOf, patienceOf }: Plan, workshop: Workshop): Promise<Outcome> {
  const broken = { file: mutant.file, text: applyMutant(sources.get(mutant.file)!, mutant) };
  for (const tests of groupsOf(mutant.file)) {
    if (tests.length === 0) continue; // without names of files, Deno would run all tests
    const caughtBy = await workshop.test(tests, broken, patienceOf(tests));
    if (caughtBy !== undefined) return caughtBy;
  }
  return undefined;
}

function describe({ file, line, within, operator }: Mutant): string {
  return `${file}:${line} ${within}: ${operator}`;
}

function by(caughtBy: Outcome): string {
  return caughtBy === undefined ? "" : ` -- ${caughtBy}`;
}

/** Prints the lines that the mutant removes and adds, at most five of each. */
function printDiff(mutant: Mutant): void {
  const source = sources.get(mutant.file)!;
  const from = source.lastIndexOf("\n", mutant.start) + 1;
  const end = mutant.start + mutant.text.length;
  const upTo = source.indexOf("\n", end);
  const before = source.slice(from, upTo);
  const after = source.slice(from, mutant.start) + mutant.replacement + source.slice(end, upTo);
  for (const [sign, text] of [["-", before], ["+", after]] as const) {
    const lines = text.split("\n");
    for (const line of lines.slice(0, 5)) console.log(`  ${sign} ${line}`);
    if (lines.length > 5) console.log(`  ${sign} … ${lines.length - 5} more lines`);
  }
}

/** Prints a table of all folders and the survivors, and returns whether each of these is explained. */
function report(tested: readonly Tested[]): boolean {
  const survivors = tested.filter(({ caughtBy }) => caughtBy === undefined).map(({ mutant }) => mutant);
  console.log("\n| folder | mutants | caught | survivors | explained |\n| --- | --- | --- | --- | --- |");
  for (const folder of [...new Set(tested.map(({ mutant }) => folderOf(mutant))), "all"]) {
    const isIn = (mutant: Mutant): boolean => folder === "all" || folderOf(mutant) === folder;
    const all = tested.filter(({ mutant }) => isIn(mutant)).length;
    const alive = survivors.filter(isIn);
    const explained = alive.filter((mutant) => explain(mutant) !== undefined).length;
    console.log(`| ${folder} | ${all} | ${all - alive.length} | ${alive.length} | ${explained} |`);
  }
  for (const mutant of survivors) {
    console.log(`\n${describe(mutant)}\n  ${explain(mutant)?.because ?? "NOT EXPLAINED"}`);
    printDiff(mutant);
  }
  return survivors.every((mutant) => explain(mutant) !== undefined);
}

function folderOf({ file }: Mutant): string {
  return file.slice(0, file.lastIndexOf("/"));
}

function list(): void {
  const counts = Map.groupBy(mutants, ({ operator }) => operator);
  for (const [operator, { length }] of counts) console.log(`${length} ${operator}`);
  console.log(`${mutants.length} mutants in ${sources.size} files`);
}

async function main(): Promise<boolean> {
  const planned = await inWorkshop(plan);
  const tested: Tested[] = [];
  const queue = [...mutants];
  const workers = Array.from({ length: Number(readOption(Deno.args, "jobs", "2")) });
  await Promise.all(workers.map(() => work(queue, tested, planned)));
  return report(tested);
}

if (Deno.args.includes("--list")) list();
else if (!await main()) Deno.exit(1);
