/**
 * Runs the tests and all code blocks of the docs: `deno task test [options of deno test]`. Without options, they run in
 * a process that cannot create code from strings (`eval`, `new Function`), as under a strict content security policy.
 * Only the tests whose own tools need that run in a second process. The test files of a folder share a realm. A run
 * without options that passes is recorded with a hash of all files. `--unless-passed` runs nothing if that run was of
 * the same files, with the same version of Deno.
 */
import { isTest, listFiles, writeBlocks, writeRealms } from "./realms.ts";

const root = new URL("../", import.meta.url);
const record = new URL(".reports/passed", root);
const flags = [
  "--allow-all",
  "--no-check", // `deno task types` checks them
  "--parallel",
  // Report leaks.
  "--sanitize-ops",
  "--sanitize-resources",
  "--unstable-unsafe-proto",
];
const strict = "--v8-flags=--disallow-code-generation-from-strings";

/**
 * Tests whose own tools create code from strings: Ajv, which checks documents and schemas, the evaluation of written
 * rows, and ArkType, which without that changes some recursive values that it validates.
 */
const withCodeGeneration = [
  "tests/examples/tasks_mcp_test.ts",
  "tests/examples/tasks_test.ts",
  "tests/import/losses_test.ts",
  "tests/mcp/sdk_test.ts",
  "tests/openapi/",
  "tests/slim/sockets_test.ts",
];

/** Returns a hash of every file that Git does not ignore, or `undefined` where there is no repository. */
async function hashFiles(): Promise<string | undefined> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const git = new Deno.Command("git", { args, cwd: root, stderr: "null" });
  const { success, stdout } = await git.output().catch(() => ({ success: false, stdout: new Uint8Array() }));
  if (!success) return undefined;
  const hashes = [await digest(new TextEncoder().encode(JSON.stringify([Deno.version, Deno.build])))];
  for (const file of new TextDecoder().decode(stdout).split("\0")) {
    const bytes = await Deno.readFile(new URL(file, root)).catch(() => new Uint8Array());
    hashes.push(file, await digest(bytes));
  }
  return await digest(new TextEncoder().encode(hashes.join("\0")));
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

async function runTests(options: readonly string[]): Promise<number> {
  await Deno.remove(record).catch(() => {});
  const before = await hashFiles();
  const code = options.length > 0 ? await runDenoTest("junit", "--doc", ...options) : await runAll();
  // A file that changed during the run was perhaps not tested.
  const isSame = before !== undefined && before === await hashFiles();
  if (code === 0 && options.length === 0 && isSame) await Deno.writeTextFile(record, before);
  return code;
}

/** Runs everything, also if some of it fails. */
async function runAll(): Promise<number> {
  const files = await listFiles("", await readExcluded());
  const tests = files.filter(isTest);
  const lenient = tests.filter((file) => withCodeGeneration.some((path) => file.startsWith(path)));
  const code = await runRealms("junit", tests.filter((file) => !lenient.includes(file)), files, strict);
  return lenient.length > 0 ? await runRealms("code_generation", lenient, []) || code : code;
}

/** The folders and files that the configuration excludes. */
async function readExcluded(): Promise<string[]> {
  const text = await Deno.readTextFile(new URL("deno.json", root)).catch(() => "{}");
  return JSON.parse(text).exclude ?? [];
}

/** Runs test files, and the code blocks of files, by `deno test`, many in a realm. */
async function runRealms(
  report: string,
  tests: readonly string[],
  files: readonly string[],
  ...options: readonly string[]
): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "tests-" });
  try {
    const realms = [...await writeRealms(folder, tests), ...await writeBlocks(folder, files)];
    return await runDenoTest(report, ...options, ...realms);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs `deno test`, which writes `.reports/<report>.xml`, and returns its exit code. */
async function runDenoTest(report: string, ...options: readonly string[]): Promise<number> {
  const args = ["test", ...flags, `--junit-path=.reports/${report}.xml`, ...options];
  return (await new Deno.Command(Deno.execPath(), { args, cwd: root }).spawn().status).code;
}

const options = Deno.args.filter((arg) => arg !== "--unless-passed");
const passed = options.length < Deno.args.length && await Deno.readTextFile(record).catch(() => undefined);
if (passed && passed === await hashFiles()) console.log("The tests have passed with these files (.reports/passed).");
else Deno.exit(await runTests(options));
