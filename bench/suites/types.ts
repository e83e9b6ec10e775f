import { spread } from "../measure/median.ts";
import type { Section } from "../report/section.ts";
import type { Options } from "./suite.ts";

const counts = [10, 100, 500];

const text =
  `Types that TypeScript 5.9 instantiates to check a contract with a client call for each of its routes, without those
of the schemas alone, divided by the number of routes. The programs are those of the tests of type cost, with
ArkType. The figures are the same on every machine.`;

/** Measures the cost of inference as a contract grows. */
export async function measureTypes({ short }: Options): Promise<Section> {
  const measured = [];
  for (const count of short ? counts.slice(0, 1) : counts) {
    console.error(`  ${count} routes`);
    measured.push({
      count,
      withCall: await costOf(count, ["contract", "calls"]),
      contract: await costOf(count, ["contract"]),
    });
  }
  return {
    title: "Type cost",
    text,
    tables: [{
      head: ["instantiations per route", ...measured.map(({ count }) => `${count} routes`)],
      rows: [
        ["contract", ...measured.map(({ contract }) => contract.toFixed(0))],
        ["contract and calls", ...measured.map(({ withCall }) => withCall.toFixed(0))],
      ],
    }],
    figures: measured.map(({ count, withCall }) => ({ measure: `types.${count}`, ...spread([withCall]) })),
  };
}

/** Loaded on demand, because the compiler is large. */
async function costOf(count: number, uses: readonly ("contract" | "calls")[]): Promise<number> {
  const { instantiations } = await import("../../tests/types/generated_program.ts");
  const total = (uses: readonly ("contract" | "calls")[]): number =>
    instantiations(count, { library: "arktype", uses });
  return (total(uses) - total([])) / count;
}
