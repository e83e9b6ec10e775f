/**
 * Builds the npm copy of the package in `npm/`: by dnt where JSR is within reach, else by `deno pack`. Either way it has
 * `esm/` with a `.js`, its map and a `.d.ts` for each module, and `src/` with what the maps lead to.
 */
import config from "../deno.json" with { type: "json" };
import { manifest } from "./npm_manifest.ts";
import { packWithDeno } from "./pack_with_deno.ts";
import { shippedPages, toShippedPage } from "./shipped_page.ts";

/** What is used of `jsr:@deno/dnt`. */
interface Dnt {
  build(options: Readonly<Record<string, unknown>>): Promise<void>;
}

const root = new URL("../", import.meta.url);
const npm = new URL("npm/", root);

/** dnt, or why it cannot be had. The name is not written as an import, for Deno would want it before this file runs. */
async function importDnt(): Promise<Dnt | Error> {
  const name = "jsr:@deno/dnt@^0.42.1";
  try {
    return await import(name);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function buildWithDnt(dnt: Dnt): Promise<void> {
  return dnt.build({
    entryPoints: Object.entries(config.exports).map(([name, path]) => ({ kind: "export", name, path })),
    outDir: "npm",
    importMap: "deno.json",
    shims: {},
    scriptModule: false,
    test: false,
    typeCheck: false, // `deno task types` has done it, and tests/runtimes checks what came of it
    skipNpmInstall: true,
    compilerOptions: { target: "Latest", lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], sourceMap: true },
    package: manifest,
  });
}

async function build(): Promise<void> {
  await Deno.remove(npm, { recursive: true }).catch(() => {}); // there is none in a fresh clone
  const dnt = await importDnt();
  if (dnt instanceof Error) {
    console.log(`jsr:@deno/dnt cannot be had, so deno pack builds npm/: ${dnt.message.split(". ", 1)[0]}`);
    await packWithDeno(root, npm);
  } else await buildWithDnt(dnt);
  await Deno.writeTextFile(new URL("package.json", npm), JSON.stringify(manifest, null, 2) + "\n");
  await Deno.copyFile(new URL("LICENSE", root), new URL("LICENSE", npm));
  for (const name of shippedPages) {
    await Deno.writeTextFile(new URL(name, npm), toShippedPage(await Deno.readTextFile(new URL(name, root))));
  }
}

await build();
console.log(`npm/ is ${manifest.name} ${manifest.version}`);
