import { listFiles } from "./list_files.ts";

/** The inline source map that `deno pack` writes into a file. */
const inlineMap = /\n?\/\/# sourceMappingURL=data:application\/json;(?:charset=utf-8;)?base64,(\S+)\s*$/;

/** The part of a source map that is changed. */
interface SourceMap {
  readonly sources: readonly string[];
}

/** Packs the project at `root` and arranges the modules in `folder` like dnt: `esm/` with maps, `src/` with sources. */
export async function packWithDeno(root: URL, folder: URL): Promise<void> {
  const temporary = await Deno.makeTempDir();
  try {
    await run(
      "deno pack",
      Deno.execPath(),
      ["pack", "--quiet", "--allow-dirty", "-o", `${temporary}/package.tgz`],
      root,
    );
    await run("tar", "tar", ["-xzf", `${temporary}/package.tgz`, "-C", temporary], root);
    for (const file of await listFiles(`${temporary}/package`)) {
      if (!/\.(?:js|d\.ts)$/.test(file)) continue;
      await writeModule(file, await Deno.readTextFile(`${temporary}/package/${file}`), root, folder);
    }
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

async function run(what: string, command: string, args: readonly string[], cwd: URL): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args: [...args], cwd, stdout: "null" }).output();
  if (!success) throw new Error(`Cannot run ${what}: ${new TextDecoder().decode(stderr)}`);
}

/**
 * Writes one module. `deno pack` fills its map with paths of this machine, so the map is rewritten to lead to `src/`.
 */
async function writeModule(file: string, text: string, root: URL, folder: URL): Promise<void> {
  if (file.endsWith(".js")) await copySource(file.replace(/js$/, "ts"), root, folder);
  const target = new URL(`esm/${file}`, folder);
  await Deno.mkdir(new URL(".", target), { recursive: true });
  const [, map] = text.match(inlineMap) ?? [];
  const built = text.replace(inlineMap, "\n");
  // the declarations of a program without exports are empty, and TypeScript would not treat them as a module
  const code = file.endsWith(".d.ts") && !/^\s*(?:import|export)\b/m.test(built) ? `${built}export {};\n` : built;
  if (map === undefined) return await Deno.writeTextFile(target, code);
  const name = file.slice(file.lastIndexOf("/") + 1);
  await Deno.writeTextFile(target, `${code}//# sourceMappingURL=${name}.map\n`);
  await Deno.writeTextFile(new URL(`${target}.map`), relocateMap(map, file, root));
}

/** Returns the map with the paths of `src/`. */
function relocateMap(base64: string, file: string, root: URL): string {
  const text = new TextDecoder().decode(Uint8Array.fromBase64(base64));
  const { sourcesContent: _, ...map } = JSON.parse(text) as SourceMap & { readonly sourcesContent?: unknown };
  const paths = map.sources.map((source) => new URL(source, root).href.slice(root.href.length));
  const up = "../".repeat(file.split("/").length);
  return JSON.stringify({ ...map, file, sources: paths.map((path) => `${up}src/${path}`) });
}

async function copySource(path: string, root: URL, folder: URL): Promise<void> {
  const copy = new URL(`src/${path}`, folder);
  await Deno.mkdir(new URL(".", copy), { recursive: true });
  await Deno.copyFile(new URL(path, root), copy);
}
