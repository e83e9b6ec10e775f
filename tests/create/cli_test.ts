/** The command that creates a project. `tests/runtimes/` runs the projects on their runtimes. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { projectFiles, runtimes, versions } from "../../src/tools/create/project.ts";
import { workspaceFiles } from "../../src/tools/create/workspace.ts";
import { runDeno, runModule } from "../support/run_module.ts";
import { readFolder } from "../support/read_folder.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

Deno.test("the create command writes a project into a new folder, and names the next commands", () =>
  inTemporaryFolder(async (folder) => {
    const { code, stdout, stderr } = await runModule("src/tools/create/cli.ts", `${folder}/my-api`);
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, `Created ${folder}/my-api. Next:\n\n  cd ${folder}/my-api\n  deno task test\n`);
    const written = [...Deno.readDirSync(`${folder}/my-api`)].map(({ name }) => name).toSorted();
    assertEquals(written, projectFiles({ name: "my-api", runtime: "deno" }).map(({ path }) => path).toSorted());

    const again = await runModule("src/tools/create/cli.ts", `${folder}/my-api`);
    assertEquals([again.code, again.stdout], [1, ""]);
    assertStringIncludes(again.stderr, "my-api is not empty; name another folder");
  }));

Deno.test("the create command quotes a path that a shell would split", () =>
  inTemporaryFolder(async (folder) => {
    for (const name of ["sp ace", "it's", "a$b", "~"]) {
      const path = `${folder}/${name}/my-api`;
      const { code, stdout, stderr } = await runModule("src/tools/create/cli.ts", path);
      assertEquals([code, stderr], [0, ""]);
      const [, cd = ""] = /^ {2}(cd .*)$/m.exec(stdout) ?? [];
      const shell = await new Deno.Command("sh", { args: ["-c", `${cd} && pwd`] }).output();
      assertEquals(new TextDecoder().decode(shell.stdout).trim(), await Deno.realPath(path));
    }
  }));

Deno.test("the create command refuses a file or a broken link in the place of its folder", () =>
  inTemporaryFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    await Deno.symlink(`${folder}/none`, `${folder}/link`);
    for (const path of [`${folder}/file`, `${folder}/file/my-api`, `${folder}/link`, `${folder}/link/my-api`]) {
      const { code, stdout, stderr } = await runModule("src/tools/create/cli.ts", path);
      assertEquals([code, stdout], [1, ""]);
      assertEquals(
        stderr,
        `Cannot create the project: there is a file or a broken link at ${path}, or above it; name another folder\n`,
      );
    }
    assertEquals(await Deno.readTextFile(`${folder}/file`), "");
  }));

Deno.test("the create command refuses what it cannot create", async () => {
  const refused: readonly (readonly [args: readonly string[], message: string])[] = [
    [[], "Cannot create the project: pass one <folder>"],
    [["a", "b"], "pass one <folder>"],
    [["My API"], 'the name of the folder must have only a-z, 0-9, dots, hyphens and underscores, got "My API"'],
    [["my-api", "--runtime", "php"], '--runtime must be node, deno, bun, got "php"'],
    [["my-api", "--framework", "x"], "Unknown option '--framework'"],
  ];
  for (const [args, message] of refused) {
    const { code, stdout, stderr } = await runModule("src/tools/create/cli.ts", ...args);
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, message);
  }
  const { code, stdout } = await runModule("src/tools/create/cli.ts", "--help");
  assertEquals(code, 0);
  assertStringIncludes(stdout, "--runtime <name>");
});

Deno.test("a project is formatted", () =>
  inTemporaryFolder(async (folder) => {
    for (const runtime of runtimes) {
      const files = projectFiles({ name: "my-api", runtime }).filter(({ path }) => /\.(ts|json|md)$/.test(path));
      for (const { path, text } of files) await Deno.writeTextFile(`${folder}/${path}`, text);
      const paths = files.map(({ path }) => `${folder}/${path}`);
      const args = ["fmt", "--check", "--no-config", "--line-width", "120", ...paths];
      const formatted = await runDeno(args);
      assertEquals(formatted.code, 0, formatted.stderr);
      for (const path of paths) await Deno.remove(path);
    }
  }));

Deno.test("the create command writes a workspace, whose packages refer to that of the contract", () =>
  inTemporaryFolder(async (folder) => {
    for (const runtime of runtimes) {
      const path = `${folder}/${runtime}-api`;
      const { code, stdout, stderr } = await runModule(
        "src/tools/create/cli.ts",
        "--workspace",
        `--runtime=${runtime}`,
        path,
      );
      assertEquals([code, stderr], [0, ""]);
      assertStringIncludes(stdout, `Created ${path}. Next:`);
      const files = Object.fromEntries(
        workspaceFiles({ name: `${runtime}-api`, runtime }).map((file) => [file.path, file.text]),
      );
      assertEquals(await readFolder(path), files);
      for (const file of ["server/app.ts", "client/client.ts"]) {
        assertStringIncludes(files[file]!, `from "@${runtime}-api/contract"`);
      }
      const formatted = await runDeno(["fmt", "--check", "--no-config", "--line-width", "120", path]);
      assertEquals(formatted.code, 0, formatted.stderr);
    }
    const config = JSON.parse(await Deno.readTextFile(`${folder}/node-api/client/tsconfig.json`));
    assertEquals(config.references, [{ path: "../contract" }]);
    const { compilerOptions } = JSON.parse(await Deno.readTextFile(`${folder}/node-api/tsconfig.base.json`));
    assertEquals([compilerOptions.composite, compilerOptions.disableSourceOfProjectReferenceRedirect], [true, true]);
  }));

Deno.test("a project limits the size of request bodies", () =>
  inTemporaryFolder(async (folder) => {
    for (const { path, text } of projectFiles({ name: "my-api", runtime: "deno" })) {
      if (path.endsWith(".ts")) await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    await Deno.writeTextFile(
      `${folder}/large.ts`,
      `import app from "./app.ts";
const send = async (length: number) => {
  const body = JSON.stringify({ text: "a", more: "b".repeat(length) });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  return (await app.fetch(new Request("http://localhost/api/notes", init))).status;
};
console.log(await send(900_000), await send(1_000_000));
`,
    );
    const { stdout, stderr } = await runDeno(["run", "-A", "--config", "deno.json", `${folder}/large.ts`]);
    assertEquals(stdout, "201 413\n", stderr);
  }));

Deno.test("a project for Node runs its tests without the warning that fetch has for the method `patch`", () => {
  const manifest = projectFiles({ name: "my-api", runtime: "node" }).find(({ path }) => path === "package.json");
  assertStringIncludes(JSON.parse(manifest!.text).scripts.test, "--disable-warning=UNDICI-FETCH-patch");
});

Deno.test("a project uses this version of the package, and the packages with which it is tested", () => {
  assertEquals(versions["@scope/api"], `^${config.version}`);
  const tested: Readonly<Record<string, string>> = config.imports;
  for (const name of ["zod", "swagger-ui-dist", "typescript"] as const) {
    const [, major] = /[\^~](\d+)\./.exec(tested[name]!)!;
    assert(versions[name].startsWith(`^${major}.`), name);
  }
});
