/** A copy of the project whose source can be broken without affecting the original. */
export interface Workshop {
  readonly folder: string;
  /** Runs test files with the text of one file replaced, and restores the file afterwards. */
  readonly test: (tests: readonly string[], broken: Broken, patience: number) => Promise<Outcome>;
  /** Runs test files with the whole source. */
  readonly testWhole: (tests: readonly string[]) => Promise<Whole>;
  /** Runs Deno in the copy. */
  readonly run: (args: readonly string[], patience?: number) => Promise<Output>;
  readonly remove: () => Promise<void>;
}

/** How test files behave without a mutant. */
export interface Whole {
  readonly failing: readonly string[];
  /** How many seconds each file takes. */
  readonly seconds: ReadonlyMap<string, number>;
}

/** A source file, and the text that replaces it. */
export interface Broken {
  readonly file: string;
  readonly text: string;
}

/** The outcome of a test run: the test that caught the mutant, or `undefined` if all tests passed. */
export type Outcome = string | undefined;

interface Output {
  readonly success: boolean;
  readonly isHanging: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const flags = ["--allow-all", "--no-check", "--unstable-unsafe-proto", "--sanitize-ops", "--sanitize-resources"];

/** The most milliseconds that a run without a mutant may take. */
const longPatience = 1_800_000;

/** Copies the files of the project that Git does not ignore. */
export async function createWorkshop(root: URL): Promise<Workshop> {
  const folder = await Deno.makeTempDir({ prefix: "mutate-" });
  for (const file of await listProject(root)) {
    await Deno.mkdir(`${folder}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(new URL(file, root), `${folder}/${file}`);
  }
  const run: Workshop["run"] = (args, patience = longPatience) => runDeno(folder, args, patience);
  return {
    folder,
    run,
    test: async (tests, { file, text }, patience) => {
      const whole = await Deno.readTextFile(`${folder}/${file}`);
      try {
        await Deno.writeTextFile(`${folder}/${file}`, text);
        return findCatcher(await run(["test", ...flags, "--fail-fast", ...tests], patience));
      } finally {
        await Deno.writeTextFile(`${folder}/${file}`, whole);
      }
    },
    testWhole: async (tests) => {
      const { success, stdout, stderr } = await run([
        "test",
        ...flags,
        "--parallel",
        "--junit-path=whole.xml",
        ...tests,
      ]);
      const seconds = readSeconds(await Deno.readTextFile(`${folder}/whole.xml`).catch(() => ""));
      const isFailing = (test: string): boolean =>
        new RegExp(`=> \\./${test}|^\\./${test} \\(unc`, "m").test(stdout + stderr);
      const failing = success ? [] : tests.filter(isFailing);
      if (success || failing.length > 0) return { failing, seconds };
      throw new Error(`Cannot test: the run failed, but no test did\n${stderr.slice(-2000)}`);
    },
    remove: () => Deno.remove(folder, { recursive: true }),
  };
}

async function listProject(root: URL): Promise<string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { stdout } = await new Deno.Command("git", { args, cwd: root, stderr: "inherit" }).output();
  const files = new TextDecoder().decode(stdout).split("\0").filter((file) => file !== "");
  const isThere = await Promise.all(files.map((file) => Deno.stat(new URL(file, root)).then(() => true, () => false)));
  return files.filter((_, index) => isThere[index]);
}

/** Adds the times of all tests of each file of a JUnit report. */
function readSeconds(report: string): Map<string, number> {
  const seconds = new Map<string, number>();
  for (const [, file = "", time] of report.matchAll(/classname="\.\/([^"]*)" time="([\d.]+)"/g)) {
    seconds.set(file, (seconds.get(file) ?? 0) + Number(time));
  }
  return seconds;
}

async function runDeno(cwd: string, args: readonly string[], patience: number): Promise<Output> {
  const started = performance.now();
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(patience),
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, isHanging: performance.now() - started >= patience, stdout: out!, stderr: err! };
}

/** Returns the name of the first test that failed, or else what failed. */
function findCatcher({ success, isHanging, stdout, stderr }: Output): Outcome {
  if (success) return undefined;
  if (isHanging) return "the tests hang";
  const output = `${stdout}\n${stderr}`;
  const [, name] = /^(.+?)(?: \.\.\.)? => \.\/tests\//m.exec(output) ?? [];
  if (name !== undefined) return name;
  const [uncaught] = /^\.\/tests\/\S+ \(uncaught error\)/m.exec(output) ?? [];
  if (uncaught !== undefined && !/could not be parsed/.test(output)) return uncaught;
  throw new Error(`Cannot test: the run failed, but no test did\n${output.slice(-2000)}`);
}
