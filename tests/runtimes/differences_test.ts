import { assertEquals } from "@std/assert";
import type { Case } from "./case.ts";
import { clientCases } from "./client_cases.ts";
import { serverCases } from "./server_cases.ts";

const page = await Deno.readTextFile(new URL("../../docs/runtimes.md", import.meta.url));

/** A row of docs/runtimes.md for every difference of these cases. */
function rowsOf(group: string, cases: readonly Case[]): string[][] {
  return cases.flatMap(({ name, differences = [] }) =>
    differences.map(({ on, why }) => [`${group}: ${name}`, on.join(", "), why])
  );
}

Deno.test("docs/runtimes.md lists exactly the differences between runtimes", () => {
  const asserted = Object.entries({ ...serverCases, ...clientCases })
    .flatMap(([group, cases]) => rowsOf(group, cases));
  const [, table = ""] = page.split(/^\| -+ \| -+ \| -+ \|$/m);
  const documented = table.split(/\n\n/, 1)[0]!.trim().split("\n")
    .map((row) => row.split(" | ").map((cell) => cell.replaceAll(/^\| | *\|?$/g, "").trim()));

  assertEquals(documented, asserted);
});
