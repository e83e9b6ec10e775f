/** Projects that the create command makes pass their own tests on their runtimes. */
import { assertStringIncludes } from "@std/assert";
import { run } from "../command.ts";
import { bunFolder, currentBun, folderWith, jsrCopy, nodePath, npmInstall, tarball } from "../kit.ts";
import { advance } from "../once.ts";

/** Creates a project for each runtime with the npm copy, and runs its tests and its type check. */
export function testCreate(): void {
  Deno.test(
    "a new project for Node passes its tests and its type check",
    advance(async () => {
      const cwd = await createProject("node");
      const env = pathWith(await nodePath("24"));
      await npmInstall(cwd, [await tarball()]);
      assertStringIncludes(await run({ command: "npm", args: ["test"], cwd, env }), "fail 0");
      await run({ command: "npm", args: ["run", "check"], cwd, env });
    }),
  );

  Deno.test(
    "a new project for Bun passes its tests and its type check",
    advance(async () => {
      const cwd = await createProject("bun");
      const env = pathWith(`${await bunFolder(currentBun)}/bun`);
      const manifest = await Deno.readTextFile(`${cwd}/package.json`);
      const copy = JSON.stringify(await tarball()); // instead of what the registry has
      await Deno.writeTextFile(`${cwd}/package.json`, manifest.replace(/(?<="@scope\/api": )"[^"]*"/, copy));
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
      assertStringIncludes(
        await run({ command: deno, args: ["task", "test"], cwd, env: { NO_COLOR: "1" } }),
        "0 failed",
      );
      await run({ command: deno, args: ["check"], cwd });
    }),
  );
}

/** Installs the npm copy in an empty folder, and runs its command there. */
async function createProject(runtime: string): Promise<string> {
  const folder = await folderWith(`create ${runtime}`, []);
  const command = `${folder}/node_modules/.bin/scope-api-create`;
  await run({ command, args: [`${folder}/my-api`, "--runtime", runtime], cwd: folder });
  return `${folder}/my-api`;
}

/** The environment in which a program takes precedence over the machine's own. */
function pathWith(program: string): Record<string, string> {
  return { PATH: `${program.replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}` };
}
