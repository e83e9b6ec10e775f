/**
 * The library does not create code from strings, which a strict content security policy and some runtimes forbid.
 * `deno task test` runs nearly all tests in such a process; this test does so however it is started, with programs that
 * use every feature.
 */
import { assert, assertEquals } from "@std/assert";

const flags = ["--v8-flags=--disallow-code-generation-from-strings", "--no-check", "--quiet"];
const everything = ["tests/hostile/codecs_test.ts", "tests/hostile/silence_test.ts", "tests/hostile/wire_test.ts"];

/** Runs Deno in a mode that cannot create code from strings. */
async function runStrictly(command: readonly string[]): Promise<{ success: boolean; text: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...command],
    env: { PROPERTY_TIMES: "0.1", NO_COLOR: "1" },
  }).output();
  return { success, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

/** Whether this process cannot create code from strings, either. */
function isStrict(): boolean {
  try {
    new Function();
    return false;
  } catch {
    return true;
  }
}

Deno.test("the library works if code cannot be generated from strings", async () => {
  const made = "try { new Function('return 1')(); console.log('made'); } catch (error) { console.log(error.name); }";
  assertEquals((await runStrictly(["eval", flags[0]!, made])).text.trim(), "EvalError");
  if (isStrict()) return; // this run shows it
  const { success, text } = await runStrictly(["test", "--allow-all", ...flags, "--parallel", ...everything]);
  assert(success, text);
});
