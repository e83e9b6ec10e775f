import { assertLessOrEqual } from "@std/assert";
import { instantiations, type Parts } from "../types/generated_program.ts";

/** How much more a route may cost among 500 than among 100. */
const growth = 1.15;

Deno.test("a contract of 100 and of 500 routes checks, at a cost for each that does not grow", () => {
  const [among100, among500] = [100, 500].map((count) => {
    const cost = meanCost(count);
    console.log(`${count} routes: ${cost} types each`);
    return cost;
  });

  assertLessOrEqual(among500!, among100! * growth);
});

/** The cost of each of `count` routes, including the one-time costs of a program. */
function meanCost(count: number): number {
  const parts: Parts = { library: "zod", uses: ["contract", "handlers", "calls"] };
  return Math.round((instantiations(count, parts) - instantiations(count, { ...parts, uses: [] })) / count);
}
