/** The table of rules in docs/diff.md: changes of schemas, in contracts and in their documents. */
import { assert, assertEquals } from "@std/assert";
import type { Contract } from "@scope/api";
import { type ContractOrDocument, diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { giving, rows, taking } from "./rows.ts";

/** The changes, each as its verdict, rule and the place in its slot. */
function list(before: ContractOrDocument, after: ContractOrDocument): string[] {
  return diffContracts(before, after, { samples: 500 }).map(({ verdict, rule, where }) =>
    `${verdict} ${rule} ${where.replace(/^(body|200) ?/, "")}`
  );
}

/** The document of a contract, as a file has it. */
function documentOf(contract: Contract): ContractOrDocument {
  return JSON.parse(JSON.stringify(openApiDocument(contract, { info: { title: "It", version: "1" } })));
}

for (const { name, before, after, inRequest, inResponse } of rows) {
  for (const [place, make, expected] of [["request", taking, inRequest], ["response", giving, inResponse]] as const) {
    Deno.test(`diffContracts() classifies a change in a ${place} when ${name}`, () => {
      const [old, young] = [make(before), make(after)];

      assertEquals(list(old, young), expected);
      assertEquals(list(documentOf(old), documentOf(young)), expected);
      assertEquals(list(documentOf(old), young), expected);
      assertEquals(list(old, old), []);
      assertEquals(list(documentOf(old), old), []);
    });
  }
}

Deno.test("every breaking change of these schemas has a witness", () => {
  const breaking = rows.flatMap(({ before, after }) => [
    ...diffContracts(taking(before), taking(after), { samples: 500 }),
    ...diffContracts(giving(before), giving(after), { samples: 500 }),
  ]).filter(({ verdict }) => verdict === "breaking");
  const without = breaking.filter(({ witness }) => witness === undefined);

  assert(breaking.length > 40);
  assertEquals(without, []);
});
