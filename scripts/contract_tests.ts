/**
 * Runs contract tests against servers that implement their contracts correctly, with one seed after another. Every
 * finding is a bug in the server or in the tests. `--exchanges=1000000` sets when to stop, and `--seed=7` where to
 * begin.
 *
 * @module
 */
import { type ContractTest, ContractTestError, contractTests, type TargetHandler } from "@scope/api/testing";
import { contract as bodies, createHandler as createBodies } from "../tests/testing/bodies.ts";
import { contract as things, createHandler as createThings } from "../tests/testing/things.ts";

const options = new Map(Deno.args.map((argument) => argument.replace(/^--/, "").split("=") as [string, string]));
const most = Number(options.get("exchanges") ?? 100_000);
let seed = Number(options.get("seed") ?? 1);
let exchanges = 0;
let findings = 0;

/** A server that counts its requests. */
function count(handler: TargetHandler): TargetHandler {
  return (request) => {
    exchanges++;
    return handler(request);
  };
}

function createTests(seed: number): ContractTest[] {
  return [
    ...contractTests(things, { target: () => count(createThings()), credentials: { token: "test" }, seed }),
    ...contractTests(bodies, { target: () => count(createBodies()), seed }),
  ];
}

const started = performance.now();
for (; exchanges < most; seed++) {
  for (const { name, run } of createTests(seed)) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ContractTestError)) throw error;
      findings += error.findings.length;
      console.error(`${name}, seed ${seed}\n${error.message}\n`);
    }
  }
}
const seconds = (performance.now() - started) / 1000;
console.log(`${exchanges} exchanges, ${findings} findings, ${Math.round(exchanges / seconds)} exchanges a second`);
if (findings > 0) Deno.exit(1);
