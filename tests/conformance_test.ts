import { assert } from "@std/assert";

const text = await Deno.readTextFile(new URL("../docs/conformance.md", import.meta.url));

/** A test as the document names it: its file, below this folder, and its name. */
const named = [...text.matchAll(/`([\w/]+_test\.ts)`\s+"([^"]+)"/g)].map(([, file, name]) => ({
  file: file!,
  name: name!.replaceAll(/\s+/g, " "), // a line may end in a name
}));

Deno.test("docs/conformance.md names tests that exist", async () => {
  assert(named.length > 80, 'hardly a test was found; the form is `file_test.ts` "name"');
  for (const { file, name } of named) {
    const source = await Deno.readTextFile(new URL(file, import.meta.url));
    assert(source.includes(JSON.stringify(name)), `${file} has no test ${JSON.stringify(name)}`);
  }
});

Deno.test("docs/conformance.md proves each rule and promise by a test", () => {
  const tables = text.split(/\n(?=#+ )/).filter((section) =>
    /^\| (?:rule +\| where +\| proof|promise +\| proof)/m.test(section)
  );
  const rows = tables.flatMap((section) => section.split(/^###/m)[0]!.match(/^\| .*\|$/gm) ?? [])
    .filter((row) => !/^\| (?:rule|promise|-+) /.test(row));
  assert(rows.length > 60);
  for (const row of rows) assert(/`[\w/]+_test\.ts` "/.test(row), `no test proves: ${row}`);
});
