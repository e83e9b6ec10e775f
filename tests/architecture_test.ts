import { assert, assertEquals } from "@std/assert";

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

  const [groups, core] = [picture.slice(0, picture.indexOf("mod.ts")), picture.slice(picture.indexOf("mod.ts"))];
  const shown = [
    ...groups.replaceAll(/src\/\w+\/|\(alone\)|on top of the client/g, "").match(/\w+/g) ?? [],
    ...core.match(/\w+\.ts\b|src\/\w+/g) ?? [],
  ];
  assertEquals(shown.toSorted(), [...names, "mod.ts", "server.ts", "fetch.ts", "client.ts"].toSorted());
});

Deno.test("CONTRIBUTING.md has a row for every folder of the source", async () => {
  const contributing = await Deno.readTextFile(new URL("CONTRIBUTING.md", root));
  const rows = [...contributing.matchAll(/^\| `(src\/[\w/]+)\/` +\|/gm)].map(([, folder = ""]) => folder);

  assertEquals(rows.toSorted(), (await listFolders()).toSorted());
});
