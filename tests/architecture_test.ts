import { assert, assertEquals } from "@std/assert";

const root = new URL("../", import.meta.url);
const page = await Deno.readTextFile(new URL("ARCHITECTURE.md", root));

/** The spans of code in the page's text, in their order. */
const spans = [...page.replace(/^```.*?^```/gms, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);

/** The names on the page and the file of each: the first that follows the name. */
const named = spans.flatMap((span, index) =>
  /^[A-Za-z]\w*$/.test(span) ? [{ name: span, file: spans.slice(index).find(isFile) ?? "no file" }] : []
);

function isFile(span: string): boolean {
  return /^[\w/]+\.ts$/.test(span);
}

async function read(file: string): Promise<string> {
  return await Deno.readTextFile(new URL(file, root)).catch(() => "");
}

Deno.test("every function and type that ARCHITECTURE.md names is declared in the file that it names", async () => {
  const declared = await Promise.all(named.map(async ({ name, file }) => {
    const declaration = new RegExp(
      `^(?:export )?(?:abstract )?(?:async )?(?:function|class|interface|type|const) ${name}\\b`,
      "m",
    );
    return declaration.test(await read(file));
  }));

  assert(named.length > 60);
  assertEquals(named.filter((_, index) => !declared[index]), []);
});

Deno.test("ARCHITECTURE.md's picture has exactly the existing entry points and layers", async () => {
  const [, picture = ""] = page.match(/^```text\n(.*?)^```/ms) ?? [];
  const { exports } = JSON.parse(await read("deno.json")) as { readonly exports: Readonly<Record<string, string>> };
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
