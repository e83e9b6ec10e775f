/**
 * Tries every property test so many times as often as a test run does: `deno task properties [--times=10] [--seed=…]`. The
 * seed is printed, and with it a failure comes again.
 */
import { listPropertyTests } from "./properties/list_property_tests.ts";

function readOption(name: string, otherwise: number): number {
  const text = Deno.args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text === undefined ? otherwise : Number(text);
}

const root = new URL("../", import.meta.url).pathname;
const times = readOption("times", 10);
const seed = readOption("seed", Math.floor(Math.random() * 2 ** 31));
const tests = await listPropertyTests(`${root}tests`);

console.log(`${tests.length} files of property tests, tried ${times} times as often, seed ${seed}`);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", "--allow-all", "--unstable-unsafe-proto", "--preload=scripts/properties/configure.ts", ...tests],
  cwd: root,
  env: { PROPERTY_TIMES: String(times), PROPERTY_SEED: String(seed) },
  stdin: "null",
}).spawn().status;
console.log(`seed ${seed}`);
Deno.exit(code);
