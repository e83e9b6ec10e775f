/**
 * Builds the npm package in `npm/`: with dnt if JSR is reachable, otherwise with `deno pack`. Both write `esm/` with a
 * `.js`, its map and a `.d.ts` for each module, and `src/` with the sources of the maps. The modules of each folder are
 * then bundled into one file.
 */
import config from "../deno.json" with { type: "json" };
import { bundleLayers } from "./bundle_layers.ts";
import { manifest } from "./npm_manifest.ts";
import { packWithDeno } from "./pack_with_deno.ts";
import { shippedPages, toShippedPage } from "./shipped_page.ts";

/** The part of `jsr:@deno/dnt` that is used. */
interface Dnt {
  build(options: Readonly<Record<string, unknown>>): Promise<void>;
}

const root = new URL("../", import.meta.url);
const npm = new URL("npm/", root);

/**
 * Imports dnt, or returns why it is not available. The specifier is not a static import, which Deno would resolve
 * before this file runs.
 */
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
    typeCheck: false, // `deno task types` has checked them, and tests/runtimes checks the result
    skipNpmInstall: true,
    compilerOptions: { target: "Latest", lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], sourceMap: true },
    package: manifest,
  });
}

async function build(): Promise<void> {
  await Deno.remove(npm, { recursive: true }).catch(() => {}); // the folder does not exist in a fresh clone
  const dnt = await importDnt();
  if (dnt instanceof Error) {
    console.log(`jsr:@deno/dnt is not available, so deno pack builds npm/: ${dnt.message.split(". ", 1)[0]}`);
    await packWithDeno(root, npm);
  } else await buildWithDnt(dnt);
  const entryPoints = Object.values(config.exports).map((file) => file.slice("./".length).replace(/ts$/, "js"));
  await bundleLayers(entryPoints, new URL("esm/", npm));
  await Deno.writeTextFile(new URL("package.json", npm), JSON.stringify(manifest, null, 2) + "\n");
  await Deno.copyFile(new URL("LICENSE", root), new URL("LICENSE", npm));
  for (const name of shippedPages) {
    await Deno.writeTextFile(new URL(name, npm), toShippedPage(await Deno.readTextFile(new URL(name, root))));
  }
}

await build();
console.log(`npm/ is ${manifest.name} ${manifest.version}`);
