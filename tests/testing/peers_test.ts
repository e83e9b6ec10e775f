import { assert, assertEquals } from "@std/assert";

const root = new URL("../../", import.meta.url).pathname;

/** The cells of the rows of a table. */
function readRows(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("| ") && !line.includes("---"))
    .map((line) => line.split("|").map((cell) => cell.trim()).join("|"));
}

Deno.test("bench/CONTRACT_TESTS.md shows what contract tests find in each library of the benchmark", async () => {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--config", "bench/deno.json", "bench/contract_tests.ts"],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  const page = await Deno.readTextFile(`${root}bench/CONTRACT_TESTS.md`);
  const rows = readRows(new TextDecoder().decode(stdout));

  assert(rows.length > 15, new TextDecoder().decode(stderr));
  assertEquals(readRows(page), rows);
});
