import { assertEquals } from "@std/assert";
import { genericProgram, misfitLines, misfitProgram } from "./generic.ts";
import { checkProgram } from "./program.ts";

Deno.test("helpers that are generic over a schema compile, for each slot and library, with exact results", () => {
  assertEquals(checkProgram(genericProgram).errors, []);
});

Deno.test("a misfit that no argument can mend is an error inside a generic helper", () => {
  const { errors } = checkProgram(misfitProgram);

  assertEquals(errors.map(({ line }) => line), Object.values(misfitLines));
});
