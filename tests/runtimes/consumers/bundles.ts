import { assert, assertEquals, assertFalse, assertLessOrEqual } from "@std/assert";
import { run } from "../command.ts";
import { folderWith } from "../kit.ts";
import { advance } from "../once.ts";
import { commandsUnder, readmeFile, readPage } from "./pages.ts";

const page = readPage("docs/deploying.md");

/** Bundles the client of docs/deploying.md for browsers, with its command and with Vite. */
export function testBundles(): void {
  testUnused();
  Deno.test("esbuild bundles a client for browsers, without a file of the server's", async () => {
    const folder = await folderWith("esbuild", packages);
    await writeClient(folder);
    const command = `${commandsUnder("Browsers", page).at(-1)} --sourcemap=external`;
    await run({ command: "sh", args: ["-c", command], cwd: folder });
    assertClientAlone(JSON.parse(await Deno.readTextFile(`${folder}/client.js.map`)).sources);
  });

  Deno.test(
    "Vite builds a page with a client, without a file of the server's",
    advance(async () => {
      const folder = await folderWith("vite", packages);
      await writeClient(folder);
      await Deno.writeTextFile(`${folder}/index.html`, '<script type="module" src="/client.ts"></script>');
      const args = ["build", "--sourcemap", "--target", "es2022", "--logLevel", "warn"];
      await run({ command: `${folder}/node_modules/.bin/vite`, args, cwd: folder });
      const maps = await Array.fromAsync(Deno.readDir(`${folder}/dist/assets`));
      const [map] = maps.filter(({ name }) => name.endsWith(".map"));
      assertClientAlone(JSON.parse(await Deno.readTextFile(`${folder}/dist/assets/${map?.name}`)).sources);
    }),
  );
}

/** A page that declares and calls a JSON route, as README would write it. */
const jsonPage = `import { defineContract, request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
const options = { body: request.json(), responses: { 200: response.json() } };
const contract = defineContract({ routes: { save: route.put("/", options) } });
createClient(contract, { baseUrl: "/" }).save({ body: 1 }).then(console.log);
`;

/** The most bytes of that page in gzip. With all representations, it has 16,500. */
const maxGzipBytes = 13_790;

/** Builds that page with each bundler. Each command writes `out/page.js`. */
const bundlers: Readonly<Record<string, string>> = {
  Rolldown: "rolldown page.js --minify --file out/page.js",
  Rollup: "rollup page.js --plugin node-resolve --plugin terser --file out/page.js",
  webpack: "webpack build --mode production --entry ./page.js --output-path out --output-filename page.js",
};

const plugins = ["@rollup/plugin-node-resolve", "@rollup/plugin-terser"];
const packages = ["zod", "esbuild@^0.28.0", "vite", "rolldown", "rollup", ...plugins, "webpack", "webpack-cli"];

function testUnused(): void {
  for (const [name, command] of Object.entries(bundlers)) {
    Deno.test(
      `${name} drops the representations that a page does not use`,
      advance(async () => {
        const folder = await folderWith(`unused-${name.toLowerCase()}`, packages);
        await Deno.writeTextFile(`${folder}/page.js`, jsonPage);
        await run({ command: "sh", args: ["-c", `node_modules/.bin/${command}`], cwd: folder });
        const page = await Deno.readFile(`${folder}/out/page.js`);
        const { byteLength } = await new Response(new Blob([page]).stream().pipeThrough(new CompressionStream("gzip")))
          .bytes();
        console.log(`a page of a JSON route, by ${name}: ${byteLength} bytes in gzip`);

        assertLessOrEqual(byteLength, maxGzipBytes);
        assertFalse(new TextDecoder().decode(page).includes("x-ndjson"));
      }),
    );
  }
}

async function writeClient(folder: string): Promise<void> {
  for (const file of ["contract.ts", "client.ts"]) {
    await Deno.writeTextFile(`${folder}/${file}`, readmeFile(file, page));
  }
}

function assertClientAlone(sources: readonly string[]): void {
  assert(sources.some((source) => /src\/client(?:\/client)?\./.test(source)));
  assertEquals(sources.filter((source) => /src\/(?:server|fetch)(?:\/|\.)/.test(source)), []);
}
