import { mutants } from "./all.ts";
import { type Mutant } from "./mutant.ts";
import { explained } from "./survivors.ts";

/** A mutant with the text of its whole file after it is applied. */
export interface Job extends Mutant {
  readonly area: string;
  readonly file: string;
  /** The test files below `tests/`. One of them must fail. */
  readonly tests: readonly string[];
  readonly text: string;
}

/** A list of mutants, applied in memory. */
export interface Jobs {
  readonly jobs: readonly Job[];
  /** One sentence for each mutant, test file or explanation that does not match the project. */
  readonly faults: readonly string[];
}

/** Applies all mutants in memory, and lists those that do not match the project in `root`. */
export async function listJobs(root: URL): Promise<Jobs> {
  const jobs: Job[] = [];
  const faults: string[] = [];
  for (const [area, files] of Object.entries(mutants)) {
    for (const { file, tests, mutants } of files) {
      faults.push(...await findMissing(root, file, tests));
      const whole = await Deno.readTextFile(new URL(file, root)).catch(() => undefined);
      for (const mutant of whole === undefined ? [] : mutants) {
        const text = replaceOnce(whole!, mutant);
        if (text === undefined) faults.push(describeFault(whole!, file, mutant));
        else jobs.push({ ...mutant, area, file, tests, text });
      }
    }
  }
  return { jobs, faults: [...faults, ...findUnused()] };
}

async function findMissing(root: URL, file: string, tests: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const path of [file, ...tests.map((test) => `tests/${test}`)]) {
    if (await Deno.stat(new URL(path, root)).catch(() => undefined)) continue;
    missing.push(`${path}, which the mutants of ${file} need, does not exist`);
  }
  return missing;
}

/** Returns the text with the mutant applied, or `undefined` if its `find` does not occur exactly once. */
function replaceOnce(whole: string, { find, replace }: Mutant): string | undefined {
  const parts = whole.split(find);
  return parts.length === 2 && find !== replace ? parts.join(replace) : undefined;
}

function describeFault(whole: string, file: string, { find, breaks }: Mutant): string {
  const times = whole.split(find).length - 1;
  return `${JSON.stringify(breaks)}: ${JSON.stringify(find)} occurs ${times} times in ${file}, must be replaced once`;
}

/** Explanations refer to mutants by name, so each name must exist and must be unique. */
function findUnused(): string[] {
  const names = Object.values(mutants).flatMap((files) => files.flatMap(({ mutants }) => mutants));
  const counts = Map.groupBy(names, ({ breaks }) => breaks);
  return [
    ...[...counts].filter(([, { length }]) => length > 1).map(([name]) => `${JSON.stringify(name)} is used twice`),
    ...Object.keys(explained).filter((name) => !counts.has(name)).map((name) =>
      `${JSON.stringify(name)} is explained, but no mutant has this name`
    ),
  ];
}
