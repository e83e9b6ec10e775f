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

Deno.test("ARCHITECTURE.md's picture has exactly the existing entry points and layers", async () => {
  const [, picture = ""] = page.match(/^```text\n(.*?)^```/ms) ?? [];
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root))) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const doors = Object.values(exports).map((file) => file.slice("./".length)).filter((file) =>
    !file.endsWith("_cli.ts")
  );
  const layers: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL("src", root))) {
    if (isDirectory) layers.push(`src/${name}`);
  }

  const shown = [...picture.matchAll(/\w+\.ts\b|src\/\w+/g)].map(([shown]) => shown);
  assertEquals(shown.toSorted(), [...doors, ...layers].toSorted());
});

Deno.test("CONTRIBUTING.md has a row for every folder of the source", async () => {
  const contributing = await Deno.readTextFile(new URL("CONTRIBUTING.md", root));
  const rows = [...contributing.matchAll(/^\| `(src\/\w+)\/` +\|/gm)].map(([, folder = ""]) => folder);
  const folders: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL("src", root))) {
    if (isDirectory) folders.push(`src/${name}`);
  }

  assertEquals(rows.toSorted(), folders.toSorted());
});
