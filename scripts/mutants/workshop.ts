/** A copy of the project in which the source may be broken while nobody else sees it. */
export interface Workshop {
  /** Runs test files of the copy with one text of one file replaced, and puts the file back. */
  readonly test: (tests: readonly string[], broken?: Broken) => Promise<Outcome>;
  readonly remove: () => Promise<void>;
}

/** A file of the source and what stands in it meanwhile. */
export interface Broken {
  readonly file: string;
  readonly text: string;
}

/** What a run of tests came to: by which test a mutant was caught, or `undefined` where all passed. */
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

/** How long the tests of a mutant may take, in milliseconds: a mutant may well make them hang. Unbroken, many are run at once. */
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

/** A module that does not parse is caught by no test, but wrongly written. */
function findFailure(output: string): string {
  const [, name] = /^(.+?)(?: \.\.\.)? => \.\/tests\//m.exec(output) ?? [];
  if (name !== undefined) return name;
  const [uncaught] = /^\.\/tests\/\S+ \(uncaught error\)/m.exec(output) ?? [];
  if (uncaught !== undefined && !/could not be parsed|SyntaxError: /.test(output)) return uncaught;
  throw new Error(`Cannot test: the run failed, but no test did\n${output.slice(-2000)}`);
}
