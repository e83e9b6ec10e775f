import { assert, assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };

const root = new URL("../", import.meta.url);
const page = await Deno.readTextFile(new URL("ARCHITECTURE.md", root));

Deno.test("every file and folder that ARCHITECTURE.md names exists", async () => {
  const named = [...page.matchAll(/`(src\/[\w/.]*)`|\]\(([\w/.]+)\)/g)].map(([, path, link]) => path ?? link ?? "");
  const missing: string[] = [];
  for (const path of named) {
    const { isDirectory } = await Deno.stat(new URL(path, root)).catch(() => ({ isDirectory: undefined }));
    if (isDirectory !== !path.endsWith(".ts")) missing.push(path);
  }

  assert(named.length > 20);
  assertEquals(missing, []);
});

/** The folders of the source that hold files, such as `src/wire` and `src/tools/openapi`. */
async function listFolders(folder = "src"): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) found.push(...await listFolders(`${folder}/${name}`));
  }
  return found.length > 0 ? found : [folder];
}

Deno.test("ARCHITECTURE.md's picture has exactly the existing folders and the entry points of the root", async () => {
  const [, picture = ""] = page.match(/^```text\n(.*?)^```/ms) ?? [];
  const folders = await listFolders();
  const names = folders.map((folder) => folder.replace(/^src\/(?:tools|integrations)\//, ""));

  const groups = [...picture.matchAll(/^src\/\w+\/ +((?:\w+ )+)/gm)].flatMap(([, names = ""]) =>
    names.trim().split(" ")
  );
  const shown = [...groups, ...picture.match(/\w+\.ts\b|src\/\w+(?:\/\w+|\b(?!\/))/g) ?? []];
  assertEquals(shown.toSorted(), [...names, "mod.ts", "server.ts", "fetch.ts", "client.ts"].toSorted());
});

const contributing = await Deno.readTextFile(new URL("CONTRIBUTING.md", root));

/** The folders that have a row in CONTRIBUTING.md. */
const rows = [...contributing.matchAll(/^\| `([\w/]+)\/` +\|/gm)].map(([, folder = ""]) => folder);

/** The folders in a folder, except those that tools write: hidden ones, and the excluded ones of deno.json. */
function listSubfolders(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, root))]
    .filter(({ name, isDirectory }) => isDirectory && !/^\.|^node_modules$/.test(name))
    .map(({ name }) => folder + name)
    .filter((path) => !config.exclude.includes(`${path}/`));
}

Deno.test("CONTRIBUTING.md has a row for every folder of the source", async () => {
  assertEquals(rows.filter((row) => row.startsWith("src/")).toSorted(), (await listFolders()).toSorted());
});

Deno.test("CONTRIBUTING.md has a row for every other folder of the root", () => {
  const folders = listSubfolders("").filter((folder) => folder !== "src");

  assertEquals(rows.filter((row) => !row.includes("/")).toSorted(), folders.toSorted());
});

Deno.test("CONTRIBUTING.md has a row for every folder of tests, except those of folders of the source", async () => {
  const mirrored = (await listFolders()).flatMap((folder) => folder.split("/")).map((name) => `tests/${name}`);
  const folders = listSubfolders("tests/").filter((folder) => !mirrored.includes(folder));

  assertEquals(
    rows.filter((row) => row.startsWith("tests/")).toSorted(),
    folders.filter((folder) => folder !== "tests/support").toSorted(),
  );
});
