/** A copy of the project whose source can be broken without affecting the original. */
export interface Workshop {
  /** Runs test files of the copy with the text of one file replaced, and restores the file afterwards. */
  readonly test: (tests: readonly string[], broken?: Broken) => Promise<Outcome>;
  readonly remove: () => Promise<void>;
}

/** A source file, and the text that replaces it. */
export interface Broken {
  readonly file: string;
  readonly text: string;
}

/** The outcome of a test run: the test that caught the mutant, or `undefined` if all tests passed. */
export type Outcome = string | undefined;

const copied = ["src", "tests", "links", "examples", "README.md", "deno.json", "deno.lock", ".gitignore"];
const doors = [
  "mod",
  "request",
  "response",
  "server",
  "fetch",
  "client",
  "retry",
  "tanstack_query",
  "xhr",
  "mcp",
  "openapi",
  "openapi_cli",
  "diff",
  "diff_cli",
  "mock",
  "testing",
  "slim",
  "slim_cli",
]
  .map((name) => `${name}.ts`);
const flags = ["--allow-all", "--no-check", "--unstable-unsafe-proto", "--sanitize-ops", "--sanitize-resources"];

/**
 * The most milliseconds that the tests of a mutant may take, because a mutant can make them hang. The run without
 * mutants has more tests.
 */
const patience = 60_000;
const longPatience = 600_000;

export async function createWorkshop(root: URL): Promise<Workshop> {
  const folder = await Deno.makeTempDir({ prefix: "mutate-" });
  for (const name of [...copied, ...doors]) await copy(new URL(name, root).pathname, `${folder}/${name}`);
  return {
    test: async (tests, broken) => {
      if (!broken) return await runTests(folder, tests, longPatience);
      const whole = await Deno.readTextFile(`${folder}/${broken.file}`);
      try {
        await Deno.writeTextFile(`${folder}/${broken.file}`, broken.text);
        return await runTests(folder, tests, patience);
      } finally {
        await Deno.writeTextFile(`${folder}/${broken.file}`, whole);
      }
    },
    remove: () => Deno.remove(folder, { recursive: true }),
  };
}

async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name, isSymlink } of Deno.readDir(from)) {
    if (!isSymlink && name !== "node_modules") await copy(`${from}/${name}`, `${to}/${name}`);
  }
}

async function runTests(cwd: string, tests: readonly string[], patience: number): Promise<Outcome> {
  const args = ["test", ...flags, "--fail-fast", ...tests.map((test) => `tests/${test}`)];
  const command = new Deno.Command(Deno.execPath(), {
    args,
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(patience),
  });
  const started = performance.now();
  const { success, stdout, stderr } = await command.output();
  if (success) return undefined;
  if (performance.now() - started >= patience) return "the tests hang";
  return findFailure(`${new TextDecoder().decode(stdout)}\n${new TextDecoder().decode(stderr)}`);
}

/**
 * Returns the name of the first failed test. Throws if the run failed otherwise, for example because a module does not parse.
 */
function findFailure(output: string): string {
  const [, name] = /^(.+?)(?: \.\.\.)? => \.\/tests\//m.exec(output) ?? [];
  if (name !== undefined) return name;
  const [uncaught] = /^\.\/tests\/\S+ \(uncaught error\)/m.exec(output) ?? [];
  if (uncaught !== undefined && !/could not be parsed|SyntaxError: /.test(output)) return uncaught;
  throw new Error(`Cannot test: the run failed, but no test did\n${output.slice(-2000)}`);
}
