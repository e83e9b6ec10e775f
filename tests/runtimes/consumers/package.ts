import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { toCommand } from "../../../scripts/npm_manifest.ts";
import { run } from "../command.ts";
import { emptyFolder, nodePath, npmFolder, oldest, packageName, tarball } from "../kit.ts";
import { normalizeImports } from "../sources.ts";

/** Looks at the packed copy as such. */
export function testPackage(): void {
  Deno.test("publint finds nothing on the npm copy", async () => {
    const cwd = await emptyFolder("publint");
    const printed = await run({ command: "npx", args: ["-y", "publint@0.3", await tarball(), "--strict"], cwd });
    assertStringIncludes(printed, "All good!");
  });

  // The package is ESM-only and says so; in Node 20.19 and later, `require` of it returns the same as `import`.
  Deno.test("@arethetypeswrong/cli finds nothing on the npm copy", async () => {
    const cwd = await emptyFolder("attw");
    const args = ["-y", "@arethetypeswrong/cli@0.18", "--profile", "esm-only", await tarball()];
    await run({ command: "npx", args, cwd }); // it fails where it finds something
  });

  Deno.test("the npm package has no dependencies and all entry points", async () => {
    const folder = `${await npmFolder()}/node_modules/${packageName}`;
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
    assertEquals(Object.keys(manifest).filter((key) => /ependencies/.test(key)), []);
    assertEquals(Object.keys(manifest.exports), [...Object.keys(config.exports), "./package.json"]);
    for (const name of ["README.md", "LICENSE", "CHANGELOG.md"]) await Deno.stat(`${folder}/${name}`);
  });

  Deno.test("every link of the npm copy's README leads to a file of the copy or is absolute", async () => {
    const folder = `${await npmFolder()}/node_modules/${packageName}`;
    const page = (await Deno.readTextFile(`${folder}/README.md`)).replaceAll(/^```.*?^```/gms, "");
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    const relative = links.filter((link) => !/^(?:https:|#)/.test(link));
    for (const link of relative) await Deno.stat(new URL(link, `file://${folder}/README.md`));
    assert(links.length > 20);
  });

  for (const version of [oldest.node, "22"]) {
    Deno.test(`the command that npm installs writes an OpenAPI document, on Node ${version}`, async () => {
      const cwd = await npmFolder();
      const module = `commanded-${version}.mjs`;
      await Deno.writeTextFile(
        `${cwd}/${module}`,
        `import { defineContract, response, route } from "${packageName}";
         export const contract = defineContract({ routes: { up: route.get("/up", { responses: { 204: response.empty() } }) } });
         export const info = { title: "Up", version: "1.0.0" };`,
      );
      const node = await nodePath(version);
      const env = { PATH: `${node.slice(0, node.lastIndexOf("/"))}:${Deno.env.get("PATH")}` };
      const printed = await run({
        command: `${cwd}/node_modules/.bin/${toCommand("openapi")}`,
        args: [module],
        cwd,
        env,
      });
      const { info, paths } = JSON.parse(printed);
      assertEquals([info.title, Object.keys(paths)], ["Up", ["/up"]]);
    });
  }

  Deno.test("the npm copy has the modules of the project and no others, so neither polyfills nor shims", async () => {
    const folder = `${await npmFolder()}/node_modules/${packageName}`;
    const built = (await filesBelow(`${folder}/esm`)).filter((file) => file.endsWith(".js"));
    assertEquals(built.map((file) => file.replace(/js$/, "ts")), await filesBelow(`${folder}/src`));
    assertEquals(built.filter((file) => file.includes("_dnt")), []);
  });

  for (const version of ["20", "22", "24"]) {
    Deno.test(`require() of the npm package returns the same exports as import, on Node ${version}`, async () => {
      const cwd = await npmFolder();
      const doors = Object.keys(config.exports).filter((door) => !door.endsWith("/cli")); // a program runs when it is imported
      const names = doors.map((door) => packageName + door.slice(1));
      const code = `(async () => {
        const same = async (name) => require(name) === await import(name);
        console.log(JSON.stringify(await Promise.all(${JSON.stringify(names)}.map(same))));
      })()`;
      const args = ["--input-type=commonjs", "--eval", code];
      assertEquals(JSON.parse(await run({ command: await nodePath(version), args, cwd })), names.map(() => true));
    });
  }

  Deno.test("the maps of the npm copy lead to its sources", async () => {
    const folder = `${await npmFolder()}/node_modules/${packageName}`;
    for (const file of Object.values(config.exports)) {
      const map = `${folder}/esm/${file.replace(/\.ts$/, ".js.map")}`;
      const { sources } = JSON.parse(await Deno.readTextFile(map));
      const [source] = sources.map((path: string) => new URL(path, `file://${map}`));
      const original = new URL(`../../../${file}`, import.meta.url);
      assertEquals(
        normalizeImports(await Deno.readTextFile(source)),
        normalizeImports(await Deno.readTextFile(original)),
      );
    }
  });
}

/** The files below a folder, by their paths from there. */
async function filesBelow(folder: string): Promise<string[]> {
  return (await run({ command: "find", args: [".", "-type", "f"], cwd: folder })).trim().split("\n").toSorted();
}
