import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { drawCharts } from "../../bench/report/chart.ts";
import { type Section } from "../../bench/report/section.ts";

const rest = { title: "", text: "", figures: [] };

/** The findings of a benchmark of three systems, in the suites' format. */
const sections: readonly Section[] = [
  {
    ...rest,
    tables: [{
      head: ["observed guarantees", "validates input", "validates output", "strips unknown fields", "405", "schemas"],
      rows: [["ours", "yes", "yes", "yes", "yes", "A"], ["slow", "yes", "yes", "yes", "no", "A"], [
        "a<b",
        "yes",
        "no",
        "no",
        "no",
        "A",
      ]],
    }],
  },
  {
    ...rest,
    tables: [{
      head: ["requests per second, ratio to direct", "text", "JSON"],
      rows: [["direct", "1000", "900"], ["ours", "0.90", "1.02"], ["slow", "0.10", "0.20"], ["a<b", "0.95", "0.97"]],
    }],
  },
  {
    ...rest,
    tables: [{
      head: ["ms", "import", "first answer", "both"],
      rows: [["direct", "1", "1", "2"], ["ours", "9", "3", "12"], ["slow", "1", "1", "2.5"], ["a<b", "2", "2", "4"]],
    }],
  },
];

/** The texts of a chart, in its order. */
function textsOf(chart: string): string[] {
  return [...chart.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
}

Deno.test("drawCharts() shows this library first, then its peers from the fastest, with their start-up", () => {
  const rows = textsOf(drawCharts(sections).light).slice(-8, -2);

  assertEquals(rows, ["ours", "12 ms", "a&lt;b *", "4 ms", "slow", "2.5 ms"]);
});

Deno.test("drawCharts() marks a peer that validates less, and draws its circles hollow", () => {
  const { light } = drawCharts(sections);
  const lineOf = (title: string): number => light.split("\n").findIndex((line) => line.includes(`>${title}</text>`));
  const circles = light.split("\n").slice(lineOf("a&lt;b *"), lineOf("slow")).filter((line) =>
    line.startsWith("<circle")
  );

  assertEquals(circles.length, 2);
  assert(circles.every((circle) => circle.includes('fill="#ffffff"')));
});

Deno.test("drawCharts() draws a ratio of 1 at the line of handwritten code", () => {
  const equal = sections.map((section) => ({
    ...section,
    tables: section.tables.map(({ head, rows }) => ({
      head,
      rows: head[0] === "ms" ? rows : rows.map((row) => row.map((cell) => cell === "1.02" ? "1.00" : cell)),
    })),
  }));
  const { light } = drawCharts(equal);
  const [, line] = light.match(/<path d="M([\d.]+) [^>]*stroke-dasharray/) ?? [];

  assert(light.includes(`<circle cx="${line}"`), light);
});

Deno.test("drawCharts() describes every figure as text", () => {
  const [, description] = drawCharts(sections).dark.match(/<desc>(.*)<\/desc>/) ?? [];

  assertEquals(
    description,
    "ours: text 0.90; JSON 1.02; start-up 12 ms. a&lt;b: text 0.95; JSON 0.97; start-up 4 ms. " +
      "slow: text 0.10; JSON 0.20; start-up 2.5 ms.",
  );
});

Deno.test("drawCharts() differs between light and dark only in its colors", () => {
  const { light, dark } = drawCharts(sections);
  const withoutColors = (chart: string): string => chart.replaceAll(/#[\da-f]{6}/g, "");

  assert(light !== dark);
  assertEquals(withoutColors(light), withoutColors(dark));
});

Deno.test("drawCharts() throws if a table is missing", () => {
  assertThrows(
    () => drawCharts(sections.slice(1)),
    Error,
    'Cannot draw the chart: there is no table "observed guarantees"',
  );
});

for (const theme of ["light", "dark"]) {
  Deno.test(`bench/chart-${theme}.svg shows the figures of bench/RESULTS.md, and loads nothing`, async () => {
    const read = (path: string): Promise<string> => Deno.readTextFile(new URL(`../../bench/${path}`, import.meta.url));
    const [results, chart] = await Promise.all([read("RESULTS.md"), read(`chart-${theme}.svg`)]);
    const [, table = ""] = results.match(/^\| requests per second.*\n.*\n((?:\|.*\n)+)/m) ?? [];
    const rows = table.trim().split("\n").slice(1).map((line) => line.split("|").map((cell) => cell.trim()));

    assert(rows.length > 5);
    for (const [, title = "", ...ratios] of rows) {
      const figures = ratios.filter((cell) => cell !== "").join("; [^;:]+ ");
      assertMatch(chart, new RegExp(`${title}: [^;:]+ ${figures}; start-up`));
    }
    assertEquals(chart.match(/<script|<image|<style|href|url\(/g), null);
  });
}
