import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { toCommand } from "../../../scripts/npm_manifest.ts";
import { run } from "../command.ts";
import { emptyFolder, install, nodePath, npmFolder, oldest, packageName, tarball } from "../kit.ts";
import { normalizeImports } from "../sources.ts";

/** Looks at the packed copy as such. */
export function testPackage(): void {
  Deno.test("publint finds nothing on the npm copy", async () => {
    const printed = await inspect("publint", "0.3", [await tarball(), "--strict"]);
    assertStringIncludes(printed, "All good!");
  });

  // The package is ESM-only and says so; in Node 20.19 and later, `require` of it returns the same as `import`.
  Deno.test("@arethetypeswrong/cli finds nothing on the npm copy", async () => {
    const args = ["--profile", "esm-only", await tarball()];
    await inspect("attw", "0.18", args, "@arethetypeswrong/cli"); // it fails where it finds something
  });

  Deno.test("the npm package has no dependencies but types of one optional peer, and all entry points", async () => {
    const folder = `${await npmFolder()}/node_modules/${packageName}`;
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
    const dependencies = Object.entries(manifest).filter(([key]) => /ependencies/.test(key));
    assertEquals(dependencies, [
      ["peerDependencies", { "@tanstack/query-core": ">=5.62" }],
      ["peerDependenciesMeta", { "@tanstack/query-core": { optional: true } }],
    ]);
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

    Deno.test(`the command that npm installs imports an OpenAPI document, and compares it, on Node ${version}`, async () => {
      const cwd = await npmFolder();
      const [document, out] = [`imported-${version}.json`, `imported-${version}`];
      const get = { operationId: "up", tags: ["status"], responses: { 204: { description: "It is up" } } };
      const info = { title: "Up", version: "1.0.0" };
      await Deno.writeTextFile(
        `${cwd}/${document}`,
        JSON.stringify({ openapi: "3.1.0", info, paths: { "/up": { get } } }),
      );
      const node = await nodePath(version);
      const env = { PATH: `${node.slice(0, node.lastIndexOf("/"))}:${Deno.env.get("PATH")}` };
      const bin = (name: string) => `${cwd}/node_modules/.bin/${toCommand(name)}`;
      const args = [document, "--out", out, "--schemas", "none", "--library", packageName];
      assertStringIncludes(await run({ command: bin("import"), args, cwd, env }), "1 of 1 operation declared");
      assertStringIncludes(await Deno.readTextFile(`${cwd}/${out}/status.ts`), `from "${packageName}/slim"`);
      const printed = await run({ command: bin("diff"), args: [document, `${out}/openapi.json`], cwd, env });
      assertEquals(printed, "wire: patch, package: patch\n");
    });

    Deno.test(`the command that npm installs audits a server, on Node ${version}`, async () => {
      const cwd = await npmFolder();
      const document = `audited-${version}.json`;
      const paths = { "/up": { get: { responses: { 204: { description: "It is up" } } } } };
      await Deno.writeTextFile(
        `${cwd}/${document}`,
        JSON.stringify({ openapi: "3.1.0", info: { title: "Up", version: "1.0.0" }, paths }),
      );
      await using server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen: () => {} },
        () => new Response(null, { status: 204 }),
      );
      const node = await nodePath(version);
      const env = { PATH: `${node.slice(0, node.lastIndexOf("/"))}:${Deno.env.get("PATH")}` };
      const command = `${cwd}/node_modules/.bin/${toCommand("audit")}`;
      const args = [document, `http://127.0.0.1:${server.addr.port}`];
      const printed = await run({ command, args, cwd, env });
      assertStringIncludes(printed, "The server agrees with the document in 1 of 1 operation.");
    });
  }

  Deno.test("the npm copy has a file for each entry point and each layer, without polyfills and shims", async () => {
    const folder = `${await npmFolder()}/node_modules/${packageName}`;
    const built = (await filesBelow(`${folder}/esm`)).filter((file) => file.endsWith(".js"));
    const doors = Object.values(config.exports).map((file) => file.replace(/ts$/, "js"));
    const folders = (await filesBelow(`${folder}/src`)).flatMap((file) =>
      file.match(/^\.\/src\/((?:tools|integrations)\/[^/]+|[^/]+)\//)?.[1] ?? []
    ); // "tools" is what the commands share
    const own = ["wire", "representation", "request", "response"]; // parts of contract.js, and entry points alone
    const files = [...new Set(folders).difference(new Set(own))];
    assertEquals(built, [...doors, ...files.map((file) => `./src/${file}.js`)].toSorted());
  });

  for (const version of ["20", "22", "24"]) {
    Deno.test(`require() of the npm package returns the same exports as import, on Node ${version}`, async () => {
      const cwd = await npmFolder();
      const modules = Object.entries(config.exports).filter(([, file]) => !file.endsWith("/cli.ts")); // a program runs when it is imported
      const names = modules.map(([door]) => packageName + door.slice(1));
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
    const maps = (await filesBelow(`${folder}/esm`)).filter((file) => file.endsWith(".js.map"));
    const sources: string[] = [];
    for (const file of maps) {
      const map = new URL(file, `file://${folder}/esm/`);
      for (const path of JSON.parse(await Deno.readTextFile(map)).sources) sources.push(new URL(path, map).pathname);
    }
    const root = `${folder}/src/`;
    assert(sources.every((source) => source.startsWith(root)));
    for (
      const name of [
        "src/contract/contract.ts",
        "src/fetch/fetch_handler.ts",
        "src/client/client.ts",
        "src/tools/diff/cli.ts",
      ]
    ) {
      assert(sources.includes(root + name), name);
      const original = await Deno.readTextFile(new URL(`../../../${name}`, import.meta.url));
      assertEquals(normalizeImports(await Deno.readTextFile(root + name)), normalizeImports(original));
    }
  });

  Deno.test("a program of the npm copy loads three files of the source for a server", async () => {
    const cwd = await npmFolder();
    const code = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      await Promise.all(["", "/server", "/fetch"].map((door) => import("${packageName}" + door)));
      console.log(JSON.stringify(loaded.filter((url) => /\\/src\\/\\w+\\.js$/.test(url)).map((url) => url.split("/").at(-1))));
    `;
    const args = ["--input-type=module", "--eval", code];
    const loaded = JSON.parse(await run({ command: await nodePath("24"), args, cwd }));
    assertEquals(loaded.toSorted(), ["contract.js", "fetch.js", "server.js"]);
  });
}

/** Runs the program of a package that looks at others, and returns what it prints. */
async function inspect(program: string, version: string, args: readonly string[], name = program): Promise<string> {
  const cwd = await emptyFolder(program);
  await install(cwd, [`${name}@${version}`]);
  return await run({ command: `${cwd}/node_modules/.bin/${program}`, args, cwd });
}

/** The files below a folder, by their paths from there. */
async function filesBelow(folder: string): Promise<string[]> {
  return (await run({ command: "find", args: [".", "-type", "f"], cwd: folder })).trim().split("\n").toSorted();
}
