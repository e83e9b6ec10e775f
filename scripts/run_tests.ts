/**
 * Runs the tests and all code blocks of the docs: `deno task test [options of deno test]`. A run without options that
 * passes is recorded with a hash of all files. `--unless-passed` runs nothing if that run was of the same files, with
 * the same version of Deno.
 */
const root = new URL("../", import.meta.url);
const record = new URL(".reports/passed", root);
const flags = [
  "--allow-all",
  "--doc",
  "--parallel",
  // Report leaks.
  "--sanitize-ops",
  "--sanitize-resources",
  "--unstable-unsafe-proto",
  "--junit-path=.reports/junit.xml",
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
  const { code } = await new Deno.Command(Deno.execPath(), { args: ["test", ...flags, ...options], cwd: root }).spawn()
    .status;
  // A file that changed during the run was perhaps not tested.
  const isSame = before !== undefined && before === await hashFiles();
  if (code === 0 && options.length === 0 && isSame) await Deno.writeTextFile(record, before);
  return code;
}

const options = Deno.args.filter((arg) => arg !== "--unless-passed");
const passed = options.length < Deno.args.length && await Deno.readTextFile(record).catch(() => undefined);
if (passed && passed === await hashFiles()) console.log("The tests have passed with these files (.reports/passed).");
else Deno.exit(await runTests(options));
