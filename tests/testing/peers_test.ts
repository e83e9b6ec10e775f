import { assert, assertEquals } from "@std/assert";

const root = new URL("../../", import.meta.url).pathname;

/** The cells of the rows of a table. */
function readRows(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("| ") && !line.includes("---"))
    .map((line) => line.split("|").map((cell) => cell.trim()).join("|"));
}

Deno.test("docs/contract-tests.md shows what the kit finds of each library in the benchmark", async () => {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--config", "bench/deno.json", "bench/contract_tests.ts"],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  const page = await Deno.readTextFile(`${root}docs/contract-tests.md`);
  const section = page.slice(page.indexOf("## What it finds"), page.indexOf("## Servers elsewhere"));
  const rows = readRows(new TextDecoder().decode(stdout));

  assert(rows.length > 15, new TextDecoder().decode(stderr));
  assertEquals(readRows(section), rows);
});
