/** The types that imported code costs, which editors compute after each edit. */
import { assert, assertEquals } from "@std/assert";
import { checkProgram } from "../types/program.ts";

interface Case {
  /** The imports of the module with the helper. */
  readonly imports: string;
  readonly plain: string;
  readonly converted: string;
}

const cases: Readonly<Record<string, Case>> = {
  "the text of a parameter": {
    imports: 'import { fromText } from "./examples/import/shop/text.ts";',
    plain: "z.int()",
    converted: "fromText(z.int())",
  },
  dates: {
    imports: 'import { dated, dateTime } from "./examples/import/dates/dates.ts";',
    plain: "z.object({ at: dateTime })",
    converted: "dated(z.object({ at: dateTime }))",
  },
};

for (const [name, { imports, plain, converted }] of Object.entries(cases)) {
  Deno.test(`the conversion of ${name} with Zod does not compare its schemas method by method`, () => {
    const count = (schema: string): number => {
      const { errors, instantiations } = checkProgram(
        `import * as z from "zod";\n${imports}\nexport const schema = ${schema};`,
      );
      assertEquals(errors.filter(({ message }) => !message.includes("never read")), []);
      return instantiations;
    };
    const more = count(converted) - count(plain);

    assert(more > 0);
    assert(more < 3_000, `${more} types`); // with the constraint ZodType, tens of thousands
  });
}

Deno.test("a client of an imported contract costs what its interface does, and not its schemas", () => {
  const count = (text: string): number => {
    const { errors, instantiations } = checkProgram(`
import { createClient } from "@scope/api/client";
${text}
const client = createClient(contract, { baseUrl: "http://localhost" });
const result = await client.products.list({ query: { page: 2 } });
export const name: string | undefined = result.status === 200 ? result.body.items[0]?.name : undefined;
`);
    assertEquals(errors, []);
    return instantiations;
  };
  const written = count('import { contract } from "./examples/import/shop/mod.ts";');
  const inferred = count(`
import { defineContract, router } from "@scope/api";
import * as orders from "./examples/import/shop/orders.ts";
import * as products from "./examples/import/shop/products.ts";
const contract = defineContract({
  routes: { products: router("/", { routes: products }), orders: router("/", { routes: orders }) },
});`);

  assert(written < inferred / 2, `${written} types, and ${inferred} without it`);
});

Deno.test("a client of an imported contract without schemas costs the routes that it uses", () => {
  const count = (text: string): number => {
    const { errors, instantiations } = checkProgram(`
import { createClient } from "@scope/api/client";
${text}
const client = createClient(contract, { baseUrl: "http://localhost" });
export const { products: calls } = client;
`);
    assertEquals(errors, []);
    return instantiations;
  };
  const written = count('import { contract } from "./examples/import/slim/mod.ts";');
  const inferred = count(`
import { slimRoutes } from "@scope/api/slim";
import * as orders from "./examples/import/slim/orders.ts";
import * as products from "./examples/import/slim/products.ts";
const contract = slimRoutes({ products, orders });`);

  assert(written < inferred / 2, `${written} types, and ${inferred} without it`);
});
