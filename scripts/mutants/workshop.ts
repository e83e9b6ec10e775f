/** A copy of the project whose source can be broken without affecting the original. */
export interface Workshop {
  readonly folder: string;
  /** Runs test files with the text of one file replaced, and restores the file afterwards. */
  readonly test: (tests: readonly string[], broken: Broken) => Promise<Outcome>;
  /** Runs test files with the whole source, and returns those that fail. */
  readonly findFailing: (tests: readonly string[]) => Promise<string[]>;
  /** Runs Deno in the copy. */
  readonly run: (args: readonly string[], patience?: number) => Promise<Output>;
  readonly remove: () => Promise<void>;
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

/** The most milliseconds that a group of tests may take, because a mutant can make it hang. */
const patience = 120_000;
const longPatience = 1_200_000;

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
    test: async (tests, { file, text }) => {
      const whole = await Deno.readTextFile(`${folder}/${file}`);
      try {
        await Deno.writeTextFile(`${folder}/${file}`, text);
        return findCatcher(await run(["test", ...flags, "--fail-fast", ...tests], patience));
      } finally {
        await Deno.writeTextFile(`${folder}/${file}`, whole);
      }
    },
    findFailing: async (tests) => {
      const { success, stdout, stderr } = await run(["test", ...flags, "--parallel", ...tests]);
      if (success) return [];
      const failing = tests.filter((test) =>
        new RegExp(`=> \\./${test}|^\\./${test} \\(unc`, "m").test(stdout + stderr)
      );
      if (failing.length === 0) throw new Error(`Cannot test: the run failed, but no test did\n${stderr.slice(-2000)}`);
      return failing;
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
