import { type ResolveIdResult, rollup } from "rollup";
import { listFiles } from "./list_files.ts";

/** The folders of `src` that every program loads. They are one file. */
const core = ["wire", "representation", "contract"];

/**
 * Bundles the built modules of a package into one file for each folder of `src`, which entry points import: Node loads
 * five files for a server instead of ninety. Declarations and the sources of the maps stay as they are.
 */
export async function bundleLayers(entryPoints: readonly string[], esm: URL): Promise<void> {
  const modules = (await listFiles(esm)).filter((file) => file.endsWith(".js")).map((file) => new URL(file, esm));
  const bundle = await rollup({
    input: Object.fromEntries(entryPoints.map((file) => [file.replace(/\.js$/, ""), new URL(file, esm).pathname])),
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    treeshake: { moduleSideEffects: "no-external" },
    plugins: [
      { name: "maps of the built modules", load: loadModule },
      {
        name: "entry points of entry points",
        resolveId: (id, importer) => resolveEntryPoint(id, importer === `${esm.pathname}mod.js`, entryPoints),
      },
    ],
  });
  const { output } = await bundle.generate({
    format: "esm",
    sourcemap: true,
    chunkFileNames: "src/[name].js",
    manualChunks: (id) => layerOf(id.slice(esm.pathname.length), entryPoints),
    hoistTransitiveImports: false,
    minifyInternalExports: false,
    dir: esm.pathname,
    paths: (id) => id.startsWith(kept) ? id.slice(kept.length) : id,
  });
  for (const module of modules) {
    await Deno.remove(module);
    await Deno.remove(new URL(`${module}.map`));
  }
  for (const file of output) {
    await Deno.writeTextFile(new URL(file.fileName, esm), file.type === "chunk" ? file.code : String(file.source));
  }
}

/** The beginning of the ids of entry points that others import. An id cannot be a module and external at once. */
const kept = "entry point:";

/** Keeps the namespaces of `mod.js` as imports of entry points: bundlers drop parts of a module, but not of an object. */
function resolveEntryPoint(id: string, isRoot: boolean, entryPoints: readonly string[]): ResolveIdResult {
  const isKept = isRoot && entryPoints.some((file) => id === `./${file}`);
  return isKept ? { id: `${kept}${id}`, external: true } : undefined;
}

/** The layer of a module, which names its file. `undefined` for an entry point. */
function layerOf(path: string, entryPoints: readonly string[]): string | undefined {
  if (entryPoints.includes(path)) return undefined;
  const [, layer = core[0]!] = path.match(/^src\/((?:tools|integrations)\/\w+|\w+)\//) ?? [];
  return core.includes(layer) ? "contract" : layer;
}

async function loadModule(path: string): Promise<{ readonly code: string; readonly map: string }> {
  const code = await Deno.readTextFile(path);
  return { code: code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"), map: await Deno.readTextFile(`${path}.map`) };
}
