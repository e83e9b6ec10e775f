import { assert, assertLessOrEqual } from "@std/assert";
import { instantiations, type Library, type Parts } from "./generated_program.ts";

/** The recorded cost of a route, in types instantiated beyond its schemas' own. */
const known: Readonly<Record<Library, { readonly withCall: number; readonly withHandlerAndCall: number }>> = {
  arktype: { withCall: 574, withHandlerAndCall: 1182 },
  zod: { withCall: 569, withHandlerAndCall: 1144 },
  valibot: { withCall: 544, withHandlerAndCall: 1109 },
};

/** How much more than that it may cost. */
const allowance = 1.1;

/** How much more a route with security may cost. */
const securityAllowance = 50;

const everything: Parts["uses"] = ["contract", "handlers", "calls"];
const withoutHandlers: Parts["uses"] = ["contract", "calls"];

for (const library of ["arktype", "zod", "valibot"] as const) {
  Deno.test(`a route with ${library} schemas costs no more types than its budget`, () => {
    const withCall = marginalCost({ library, uses: withoutHandlers });
    const withHandlerAndCall = marginalCost({ library, uses: everything });
    console.log(`${library}: ${withCall} types a route with its call, ${withHandlerAndCall} with its handler too`);

    assert(withCall > 0);
    assertLessOrEqual(withCall, known[library].withCall * allowance);
    assertLessOrEqual(withHandlerAndCall, known[library].withHandlerAndCall * allowance);
  });
}

/**
 * The most types that the row of a route in a slim contract may cost beyond the whole contract and a call of the route.
 */
const maxRowCost = 160;

for (const library of ["arktype", "zod", "valibot"] as const) {
  Deno.test(`a row of a slim contract costs at most ${maxRowCost} types, with ${library} schemas`, () => {
    const cost = (count: number): number =>
      instantiations(count, { library, uses: ["contract", "slim", "calls"] }) -
      instantiations(count, { library, uses: withoutHandlers });
    const rowCost = Math.round((cost(40) - cost(20)) / 20);
    console.log(`${library}: ${rowCost} types a row of a slim contract`);

    assert(rowCost > 0);
    assertLessOrEqual(rowCost, maxRowCost);
  });
}

Deno.test("a route with security costs at most 50 types more than one without", () => {
  const [without, secured] = [false, true].map((isSecured) =>
    marginalCost({ library: "zod", uses: everything, isSecured })
  );
  console.log(`with security: ${secured} types a route, ${secured! - without!} of them for security`);
  assert(secured! > without!);
  assertLessOrEqual(secured! - without!, securityAllowance);
});

/** The cost of one further route beyond its schemas; the one-time costs of a program cancel out. */
function marginalCost(parts: Parts): number {
  const beyondSchemas = (count: number): number =>
    instantiations(count, parts) - instantiations(count, { ...parts, uses: [] });
  return Math.round((beyondSchemas(40) - beyondSchemas(20)) / 20);
}
