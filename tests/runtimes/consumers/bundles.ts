import { assert, assertEquals } from "@std/assert";
import { run } from "../command.ts";
import { emptyFolder, npmInstall, tarball } from "../kit.ts";
import { commandsUnder, readmeFile, readPage } from "./pages.ts";

const page = readPage("docs/deploying.md");

/** Bundles the client of docs/deploying.md for browsers, with its command and with Vite. */
export function testBundles(): void {
  Deno.test("esbuild bundles a client for browsers, without a file of the server's", async () => {
    const folder = await clientFolder("esbuild");
    const command = `${commandsUnder("Browsers", page).at(-1)} --sourcemap=external`;
    await run({ command: "sh", args: ["-c", command], cwd: folder, env: { npm_config_yes: "true" } });
    assertClientAlone(JSON.parse(await Deno.readTextFile(`${folder}/client.js.map`)).sources);
  });

  Deno.test("Vite builds a page with a client, without a file of the server's", async () => {
    const folder = await clientFolder("vite", "vite");
    await Deno.writeTextFile(`${folder}/index.html`, '<script type="module" src="/client.ts"></script>');
    const args = ["build", "--sourcemap", "--target", "es2022", "--logLevel", "warn"];
    await run({ command: `${folder}/node_modules/.bin/vite`, args, cwd: folder });
    const maps = await Array.fromAsync(Deno.readDir(`${folder}/dist/assets`));
    const [map] = maps.filter(({ name }) => name.endsWith(".map"));
    assertClientAlone(JSON.parse(await Deno.readTextFile(`${folder}/dist/assets/${map?.name}`)).sources);
  });
}

async function clientFolder(name: string, ...tools: readonly string[]): Promise<string> {
  const folder = await emptyFolder(name);
  await npmInstall(folder, [await tarball(), "arktype", ...tools]);
  for (const file of ["contract.ts", "client.ts"]) {
    await Deno.writeTextFile(`${folder}/${file}`, readmeFile(file, page));
  }
  return folder;
}

function assertClientAlone(sources: readonly string[]): void {
  assert(sources.some((source) => /src\/client(?:\/client)?\./.test(source)));
  assertEquals(sources.filter((source) => /src\/(?:server|fetch)(?:\/|\.)/.test(source)), []);
}
