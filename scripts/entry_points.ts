/**
 * The entry points of the package, which follow from its folders: the modules of the root, `mod.ts` of a folder of
 * `src`, and its command, `cli.ts`.
 */
const root = new URL("../", import.meta.url);

/** A command, and the name of its entry point. */
export interface Command {
  /** What it is about, such as `openapi`. */
  readonly name: string;
  /** Its entry point, such as `./openapi/cli`. */
  readonly door: string;
  /** Its file, such as `src/tools/openapi/cli.ts`. */
  readonly file: string;
}

/** The names of the entry points and their files, both as `exports` of `deno.json` has them. */
export const entryPoints: Readonly<Record<string, string>> = Object.fromEntries(
  [...listFiles("")].map((file) => [toDoor(file), `./${file}`]),
);

/** The modules that programs import. */
export const doors: readonly string[] = Object.values(entryPoints).filter((file) => !file.endsWith("/cli.ts"));

/** The programs. */
export const commands: readonly Command[] = Object.entries(entryPoints).filter(([, file]) => file.endsWith("/cli.ts"))
  .map(([door, file]) => ({ name: door.split("/")[1]!, door, file: file.slice("./".length) }));

/** Lists the files of a folder that are entry points. */
function* listFiles(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(new URL(folder, root))].toSorted((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isFile } of entries) {
    const isDoor = folder === "" ? name.endsWith(".ts") : ["mod.ts", "cli.ts"].includes(name);
    if (isFile && isDoor) yield folder + name;
  }
  for (const { name, isDirectory } of entries) {
    if (isDirectory && (folder !== "" || name === "src")) yield* listFiles(`${folder}${name}/`);
  }
}

/** A folder without `mod.ts` is a command alone, and needs no second word. */
function toDoor(file: string): string {
  if (file === "mod.ts") return ".";
  const [, folder, name] = file.match(/([^/]+)\/(\w+)\.ts$/) ?? [];
  if (folder === undefined) return `./${file.replace(/\.ts$/, "")}`;
  const isAlone = name === "mod" || folder === "create";
  return `./${folder.replaceAll("_", "-")}${isAlone ? "" : "/cli"}`;
}
