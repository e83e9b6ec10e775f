import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { commands, floors, manifest, repository } from "../scripts/npm_manifest.ts";

const root = new URL("../", import.meta.url);

Deno.test("package.json has the oldest supported versions as engines", () => {
  assertEquals(manifest.engines, { node: ">=20.3", deno: ">=2.2", bun: ">=1.4", typescript: ">=5.7" });
});

for (const page of ["README.md", "docs/runtimes.md"]) {
  Deno.test(`${page} has the oldest supported versions`, async () => {
    const text = (await Deno.readTextFile(new URL(page, root))).replaceAll(/\s+/g, " ");
    const { deno, node, bun, typescript } = floors;
    const sentence =
      `runs on Deno ${deno}, Node ${node}, Bun ${bun} and later, on Cloudflare Workers and in browsers. ` +
      `Its types need TypeScript ${typescript} or later.`;
    assertEquals(text.split(sentence).length, 2);
  });
}

Deno.test("package.json has the URL of the repository, and its commands are executable files", async () => {
  assertEquals(manifest.repository, { type: "git", url: `git+${repository}.git` });
  assertEquals([manifest.homepage, manifest.bugs.url], [`${repository}#readme`, `${repository}/issues`]);
  assertEquals(manifest.bin, {
    "scope-api-audit": "./esm/src/tools/audit/cli.js",
    "scope-api-create": "./esm/src/tools/create/cli.js",
    "scope-api-diff": "./esm/src/tools/diff/cli.js",
    "scope-api-import": "./esm/src/tools/import/cli.js",
    "scope-api-openapi": "./esm/src/tools/openapi/cli.js",
    "scope-api-slim": "./esm/src/tools/slim/cli.js",
    "scope-api-types": "./esm/src/tools/types/cli.js",
  });
  for (const [command, file] of Object.entries(commands)) {
    const program = await Deno.readTextFile(new URL(file, root));
    assertMatch(program, /^#!\/usr\/bin\/env node\n/);
    assertMatch(program, new RegExp(`npx (?:-y -p @scope/api )?${command} \\[options\\]`)); // its usage
  }
});

Deno.test("the repository is named in one place", async () => {
  const named: string[] = [];
  for (const name of ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "deno.json", "mod.ts"]) {
    if ((await Deno.readTextFile(new URL(name, root))).includes(repository)) named.push(name);
  }
  assertEquals(named, []);
});

const [ci, publish, site] = await Promise.all(
  ["ci", "publish", "site"].map((name) => Deno.readTextFile(new URL(`.github/workflows/${name}.yml`, root))),
);

Deno.test("the workflow that publishes a tag runs .ci/run first, and signs what it publishes without a token", () => {
  assertStringIncludes(ci!, "- run: .ci/run\n");
  assertStringIncludes(publish!, "uses: ./.github/workflows/ci.yml\n");
  assertStringIncludes(publish!, "    needs: test\n");
  assertStringIncludes(publish!, "id-token: write");
  assertStringIncludes(publish!, "npm publish --provenance --access public ./npm\n");
  assertStringIncludes(publish!, "task publish:jsr\n");
  assertEquals(publish!.match(/secrets\.|_TOKEN/g), null);
});

Deno.test("the workflow that publishes the site runs .ci/run first, and publishes what the task builds", () => {
  assertStringIncludes(site!, "uses: ./.github/workflows/ci.yml\n");
  assertStringIncludes(site!, "    needs: test\n");
  assertStringIncludes(site!, ' task site --base="$BASE_PATH/"\n');
  assertStringIncludes(site!, "          path: site\n");
  assertEquals(site!.match(/secrets\.|_TOKEN/g), null);
});

Deno.test("workflows run the Deno that .ci/run pins", async () => {
  const pinned = (text: string): Set<string> => new Set(text.match(/deno@[\d.]+/g));
  assertEquals(pinned(ci! + publish + site), pinned(await Deno.readTextFile(new URL(".ci/run", root))));
});
