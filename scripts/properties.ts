/**
 * Runs every property test more often than a test run does: `deno task properties [--times=10] [--seed=…]`. It prints
 * the seed, which reproduces a failure. The tests read both options from `tests/support/tries.ts`.
 */
import { listFiles } from "./list_files.ts";

const root = new URL("../", import.meta.url).pathname;

/** Returns the test files that contain properties. */
async function listPropertyTests(): Promise<string[]> {
  const tests = (await listFiles(`${root}tests`)).filter((file) => file.endsWith("_test.ts"));
  const texts = await Promise.all(tests.map((file) => Deno.readTextFile(`${root}tests/${file}`)));
  return tests.filter((_, index) => texts[index]!.includes('/tries.ts"')).map((file) => `${root}tests/${file}`);
}

function readOption(name: string, otherwise: number): number {
  const text = Deno.args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text === undefined ? otherwise : Number(text);
}

const times = readOption("times", 10);
const seed = readOption("seed", Math.floor(Math.random() * 2 ** 31));
const tests = await listPropertyTests();

console.log(`${tests.length} files of property tests, tried ${times} times as often, seed ${seed}`);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", "--allow-all", "--unstable-unsafe-proto", ...tests],
  cwd: root,
  env: { PROPERTY_TIMES: String(times), PROPERTY_SEED: String(seed) },
  stdin: "null",
}).spawn().status;
console.log(`seed ${seed}`);
Deno.exit(code);
