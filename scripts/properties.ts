/**
 * Tries every property test so many times: `deno task properties [--runs=1000] [--seed=…]`. The seed is printed, and with it
 * a failure comes again. A test that says how often it is tried keeps to that; those of `tests/hostile` take a multiple of it.
 */
import { listPropertyTests } from "./properties/list_property_tests.ts";

const usual = 100; // fast-check's own

function readOption(name: string, otherwise: number): number {
  const text = Deno.args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text === undefined ? otherwise : Number(text);
}

const root = new URL("../", import.meta.url).pathname;
const runs = readOption("runs", 1000);
const seed = readOption("seed", Math.floor(Math.random() * 2 ** 31));
const tests = await listPropertyTests(`${root}tests`);

console.log(`${tests.length} files of property tests, ${runs} runs each, seed ${seed}`);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", "--allow-all", "--unstable-unsafe-proto", "--preload=scripts/properties/configure.ts", ...tests],
  cwd: root,
  env: {
    PROPERTY_RUNS: String(runs),
    PROPERTY_TIMES: String(Math.max(1, Math.round(runs / usual))),
    PROPERTY_SEED: String(seed),
  },
  stdin: "null",
}).spawn().status;
console.log(`seed ${seed}`);
Deno.exit(code);
