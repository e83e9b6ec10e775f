import type { Dependency } from "../../tests/support/module_graph.ts";
import { listFiles } from "../list_files.ts";
import type { Workshop } from "./workshop.ts";

/** Tests that do not run the source in their own process: they compile it, or start programs. */
const slow = /^tests\/(?:bench|browser|examples|guides|runtimes|site|thorough|types)\//;

/** Finds the tests that may detect a mutant. */
export interface TestOrder {
  /** The tests of a source file, in groups that are run one after another: its own, those of its folder, all others. */
  readonly groupsOf: (file: string) => readonly (readonly string[])[];
}

/** Reads which tests import which files, directly or through other modules. */
export async function readTestOrder({ folder, run }: Workshop): Promise<TestOrder> {
  const files = (await listFiles(`${folder}/tests`)).map((file) => `tests/${file}`);
  const tests = files.filter((file) => file.endsWith("_test.ts") && !slow.test(file));
  const reached = await readReached(folder, tests, run);
  return {
    groupsOf: (file) => {
      const own = file.replace(/^src\//, "tests/").replace(/\.ts$/, "_test.ts");
      const near = own.slice(0, own.lastIndexOf("/") + 1);
      const isNear = (test: string): boolean => near !== "tests/" && test.startsWith(near);
      const far = [...reached].filter(([, files]) => files.has(file)).map(([test]) => test);
      return [
        tests.filter((test) => test === own),
        tests.filter((test) => test !== own && isNear(test)),
        far.filter((test) => test !== own && !isNear(test)),
      ];
    },
  };
}

/** Returns the files that each test imports at run time. */
async function readReached(
  folder: string,
  tests: readonly string[],
  run: Workshop["run"],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const imports = await readImports(folder, tests, run);
  return new Map(tests.map((test) => {
    const reached = new Set<string>();
    const queue = [test];
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      queue.push(...imports.get(file) ?? []);
    }
    return [test, reached];
  }));
}

async function readImports(
  folder: string,
  tests: readonly string[],
  run: Workshop["run"],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const every = `${folder}/every_test.ts`;
  await Deno.writeTextFile(every, tests.map((test) => `import "./${test}";\n`).join(""));
  const { stdout } = await run(["info", "--json", every]);
  await Deno.remove(every);
  const { modules } = JSON.parse(stdout) as {
    readonly modules: readonly { readonly specifier: string; readonly dependencies?: readonly Dependency[] }[];
  };
  const toPath = (specifier: string): string => specifier.replace(`file://${folder}/`, "");
  return new Map(modules.map(({ specifier, dependencies = [] }) => [
    toPath(specifier),
    dependencies.flatMap(({ code }) => code?.specifier === undefined ? [] : [toPath(code.specifier)]),
  ]));
}
