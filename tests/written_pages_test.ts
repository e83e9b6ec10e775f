import { assert, assertEquals, assertThrows } from "@std/assert";
import { fillTables, readProofs } from "../scripts/conformance.ts";
import { toWrittenPages } from "../scripts/write_pages.ts";

const pages = await toWrittenPages();

async function assertWritten(path: string): Promise<void> {
  const found = await Deno.readTextFile(new URL(`../${path}`, import.meta.url));
  assertEquals(found, pages.get(path), `${path} differs: run "deno task pages"`);
}

Deno.test("README's table of guides is that of the site's navigation", () => assertWritten("README.md"));

Deno.test("docs/conformance.md has the rules that the tests prove, and names these tests", async () => {
  await assertWritten("docs/conformance.md");

  const rows = pages.get("docs/conformance.md")!.match(/^\| .*`[\w/]+_test\.ts` ".*\|$/gm);
  assert(rows!.length > 180, `${rows?.length} rows`);
});

Deno.test("readProofs() reads the comments above a test, and its name", () => {
  const source = [
    "// proves http | HEAD has the headers of GET | 9.3.2",
    "// proves http-differences | Trailers | 6.5 | Not read, and",
    "//   not sent | The Fetch Standard has none",
    "Deno.test({",
    '  name: "a \\"quoted\\" name",',
  ].join("\n");
  const test = { file: "a_test.ts", name: 'a "quoted" name' };

  assertEquals(readProofs("a_test.ts", source), [
    { table: "http", cells: ["HEAD has the headers of GET", "9.3.2"], test },
    {
      table: "http-differences",
      cells: ["Trailers", "6.5", "Not read, and not sent", "The Fetch Standard has none"],
      test,
    },
  ]);
});

Deno.test("readProofs() throws for a comment without a test, and for a row of another length", () => {
  assertThrows(() => readProofs("a_test.ts", "// proves http | A | 1\nconst a = 1;\n"), Error, "no test follows");
  assertThrows(() => readProofs("a_test.ts", '// proves http | A | 1 | B\nDeno.test("a", run);\n'), Error, "3 cells");
});

Deno.test("fillTables() orders rows by section, joins the tests of a rule, and names tables without a row", () => {
  const page = "<!-- proofs: http -->\n| an old table |\n\nText\n";
  const prove = (rule: string, where: string, file: string) => ({
    table: "http",
    cells: [rule, where],
    test: { file, name: "it works" },
  });
  const proofs = [prove("B", "10.1", "b_test.ts"), prove("A", "9.2", "a_test.ts"), prove("A", "9.2", "c_test.ts")];

  assertEquals(fillTables(page, proofs).match(/^\|.*$/gm), [
    "| rule | where | proof |",
    "| --- | --- | --- |",
    '| A | 9.2 | `a_test.ts` "it works", `c_test.ts` "it works" |',
    '| B | 10.1 | `b_test.ts` "it works" |',
  ]);
  assert(fillTables(page, proofs).endsWith(" |\n\nText\n"));
  assertThrows(() => fillTables(page, []), Error, "no test proves a row of http");
  assertThrows(() => fillTables("", proofs), Error, "has no table http");
});
