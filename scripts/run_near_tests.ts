/**
 * Runs the tests of the folders whose files differ from the last commit, and those of the library as a whole:
 * `deno task test:near`. It says within seconds what a small change broke; `deno task test` runs all tests.
 */
const root = new URL("../", import.meta.url);

/** Tests of what every change may break: messages, entry points, imports between folders. */
const always = ["tests/setup_messages_test.ts", "tests/doors_test.ts", "tests/boundaries_test.ts"];

/** Test folders that take more than seconds. */
const slow = [
  "tests/types",
  "tests/examples",
  "tests/guides",
  "tests/runtimes",
  "tests/browser",
  "tests/site",
  "tests/thorough",
];

async function git(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await new Deno.Command("git", { args: [...args], cwd: root }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

/** Returns the files or folders that hold the tests of a changed file. */
async function testsOf(file: string): Promise<string[]> {
  if (/^docs\/.*\.md$/.test(file)) return [file];
  const folder = /^(?:src|tests)\/(?:(?:tools|integrations)\/)?[^/]+(?=\/)/.exec(file)?.[0].replace(
    /^src(?:\/tools|\/integrations)?/,
    "tests",
  );
  if (folder === undefined || slow.includes(folder)) return [];
  const isThere = await Deno.stat(new URL(folder, root)).then(() => true, () => false);
  return [...(isThere ? [folder] : []), ...(file.startsWith("src/") ? [file] : [])];
}

const changed = [
  ...await git("diff", "--name-only", "--diff-filter=d", "HEAD"),
  ...await git("ls-files", "--others", "--exclude-standard"),
];
const tests = new Set((await Promise.all(changed.map(testsOf))).flat());
if (tests.size === 0) console.log("No file with tests near it differs from the last commit.");
else {
  const args = ["test", "--allow-all", "--doc", "--no-check", "--parallel", "--quiet", "--unstable-unsafe-proto"];
  const command = new Deno.Command(Deno.execPath(), { args: [...args, ...always, ...tests], cwd: root });
  Deno.exit((await command.spawn().status).code);
}
