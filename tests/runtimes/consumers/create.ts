/** Projects that the create command makes pass their own tests on their runtimes. */
import { assertMatch, assertStringIncludes } from "@std/assert";
import { run } from "../command.ts";
import { bunFolder, currentBun, folderWith, install, jsrCopy, nodePath, tarball } from "../kit.ts";
import { advance } from "../once.ts";

/** Creates a project for each runtime with the npm copy, and runs its tests and its type check. */
export function testCreate(): void {
  Deno.test(
    "a new project for Node passes its tests and its type check",
    advance(async () => {
      const cwd = await createProject("node");
      const env = pathWith(await nodePath("24"));
      await useCopy(`${cwd}/package.json`);
      await install(cwd, []); // the workspace below is installed with npm
      assertStringIncludes(await run({ command: "npm", args: ["test"], cwd, env }), "fail 0");
      await run({ command: "npm", args: ["run", "check"], cwd, env });
    }),
  );

  Deno.test(
    "a new workspace for Node compiles its contract, which a client reads, and passes its tests",
    advance(async () => {
      const cwd = await createProject("node", "--workspace");
      const env = pathWith(await nodePath("24"));
      for (const member of ["contract", "server", "client"]) await useCopy(`${cwd}/${member}/package.json`);
      await run({ command: "npm", args: ["install"], cwd, env });
      await run({ command: "npm", args: ["run", "check"], cwd, env });
      assertStringIncludes(await Deno.readTextFile(`${cwd}/contract/dist/contract.d.ts`), "readonly notes:");
      assertStringIncludes(await run({ command: "npm", args: ["test"], cwd, env }), "fail 0");

      const types = `${cwd}/../node_modules/.bin/scope-api-types`; // with the compiler of the workspace
      await run({ command: types, args: [`${cwd}/contract/contract.ts`], cwd, env });
      const source = await Deno.readTextFile(`${cwd}/contract/contract.ts`);
      await Deno.writeTextFile(
        `${cwd}/contract/contract.ts`,
        `import type { Api } from "./contract.types.ts";\n${source.replace("contract =", "contract: Api =")}`,
      );
      await run({ command: "npm", args: ["run", "check"], cwd, env });
      assertStringIncludes(
        await Deno.readTextFile(`${cwd}/contract/dist/contract.d.ts`),
        "export declare const contract: Api;",
      );
    }),
  );

  Deno.test(
    "a new project for Bun passes its tests and its type check",
    advance(async () => {
      const cwd = await createProject("bun");
      const env = pathWith(`${await bunFolder(currentBun)}/bun`);
      await useCopy(`${cwd}/package.json`);
      await run({ command: "bun", args: ["install"], cwd, env });
      await run({ command: "bun", args: ["test"], cwd, env });
      await run({ command: "bun", args: ["run", "check"], cwd, env });
    }),
  );

  Deno.test(
    "a new project for Deno passes its tests and its type check",
    advance(async () => {
      const cwd = await createProject("deno");
      const written = JSON.parse(await Deno.readTextFile(`${cwd}/deno.json`));
      await Deno.writeTextFile(`${cwd}/deno.json`, JSON.stringify({ ...written, links: [await jsrCopy()] }));
      const deno = Deno.execPath();
      await run({ command: deno, args: ["check"], cwd }); // the tests, too
      assertMatch(
        await run({ command: deno, args: ["task", "test", "--no-check"], cwd, env: { NO_COLOR: "1" } }),
        /\b21 passed\b.* 0 failed/,
      );
    }),
  );
}

/** Installs the npm copy in an empty folder, and runs its command there. */
async function createProject(runtime: string, ...options: readonly string[]): Promise<string> {
  const folder = await folderWith([`create ${runtime}`, ...options].join(" "), []);
  const command = `${folder}/node_modules/.bin/scope-api-create`;
  await run({ command, args: [`${folder}/my-api`, "--runtime", runtime, ...options], cwd: folder });
  return `${folder}/my-api`;
}

/** Makes a manifest depend on the packed copy instead of what the registry has. */
async function useCopy(manifest: string): Promise<void> {
  const copy = JSON.stringify(`file:${await tarball()}`);
  const text = await Deno.readTextFile(manifest);
  await Deno.writeTextFile(manifest, text.replace(/(?<="@scope\/api": )"[^"]*"/, copy));
}

/** The environment in which a program takes precedence over the machine's own. */
function pathWith(program: string): Record<string, string> {
  return { PATH: `${program.replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}` };
}
