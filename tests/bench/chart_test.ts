import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { drawCharts } from "../../bench/report/chart.ts";
import type { Section } from "../../bench/report/section.ts";

const rest = { title: "", text: "", figures: [] };

/** The findings of a benchmark of three systems, in the suites' format. */
const sections: readonly Section[] = [
  {
    ...rest,
    tables: [{
      head: [
        ...["observed guarantees", "validates input", "validates output", "strips unknown fields", "405"],
        ...["schemas", "requests"],
      ],
      rows: [
        ["ours", "yes", "yes", "yes", "yes", "ArkType", "HTTP"],
        ["slow", "yes", "yes", "yes", "no", "Other", "own protocol"],
        ["a<b", "yes", "no", "no", "no", "ArkType", "HTTP"],
      ],
    }],
  },
  {
    ...rest,
    tables: [{
      head: ["requests per second, ratio to direct", "text", "JSON"],
      rows: [
        ["direct", "1000", "900"],
        ["ours", "0.90 (0.85–0.95)", "1.02 (1.00–1.04)"],
        ["slow", "0.10 (0.10–0.10)", "0.20 (0.10–0.30)"],
        ["a<b", "0.95 (0.90–1.00)", "0.97 (0.90–1.00)"],
      ],
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

const { light, dark } = drawCharts(sections, "Deno on a machine, a day");

/** The texts of a chart, in its order. */
function textsOf(chart: string): string[] {
  return [...chart.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
}

Deno.test("drawCharts() shows this library first, then its peers from the fastest, with their start-up", () => {
  const rows = textsOf(light).slice(-9, -2);

  assertEquals(rows, ["ours", "12 ms", "a&lt;b *", "4 ms", "slow", "Other, own protocol", "2.5 ms"]);
});

Deno.test("drawCharts() says where and when it was measured, and with which schemas", () => {
  const expected = "One API over a socket, with ArkType unless named. Deno on a machine, a day.";
  assert(textsOf(light).includes(expected), textsOf(light).join("\n"));
});

Deno.test("drawCharts() has a key with the marks of this library and of its peers for each scenario", () => {
  const lines = light.split("\n");
  for (const scenario of ["text", "JSON"]) {
    const at = lines.findIndex((line) => line.includes(`>${scenario}</text>`));
    const strokes = lines.slice(at - 2, at).map((line) => line.match(/stroke="(#\w+)"/)?.[1]);
    assertEquals(new Set(strokes).size, 2);
  }
});

Deno.test("drawCharts() draws a line over the middle half of the runs", () => {
  const widths = [
    ...light.matchAll(/<path d="M([\d.]+) [\d.]+H([\d.]+)" stroke="#\w+" stroke-width="1.5" fill="none"/g),
  ]
    .map(([, from, to]) => Math.round(Number(to) - Number(from)));
  const unit = widths[0]! / 0.1;

  assertEquals(widths.length, 6);
  assertEquals(widths.map((width) => Math.round(width / unit * 100) / 100), [0.1, 0.04, 0.1, 0.1, 0, 0.2]);
});

for (const [theme, chart] of Object.entries({ light, dark })) {
  Deno.test(`drawCharts() has marks and texts with enough contrast, ${theme}`, () => {
    const fills = [...chart.matchAll(/<rect [^>]*fill="(#\w+)"/g)].map(([, color = ""]) => color);
    const marks = [...chart.matchAll(/<(?:circle|path) [^>]*stroke="(#\w+)" stroke-width/g)].map(([, color = ""]) =>
      color
    );
    const texts = [...chart.matchAll(/<text [^>]*fill="(#\w+)"/g)].map(([, color = ""]) => color);
    const least = (colors: readonly string[]): number =>
      Math.min(...colors.flatMap((color) => fills.map((fill) => contrast(color, fill))));

    assertEquals(fills.length, 2);
    assert(least(marks) >= 3, `${least(marks)}`);
    assert(least(texts) >= 4.5, `${least(texts)}`);
  });
}

/** The contrast of two colors (WCAG 2.2, 1.4.3). */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

Deno.test("drawCharts() marks a peer that validates less, and draws its marks hollow", () => {
  const lineOf = (title: string): number => light.split("\n").findIndex((line) => line.includes(`>${title}</text>`));
  const marks = light.split("\n").slice(lineOf("a&lt;b *"), lineOf("slow")).filter((line) =>
    line.includes('fill="#ffffff"')
  );

  assertEquals(marks.map((mark) => mark.match(/^<\w+/)?.[0]), ["<circle", "<path"]);
});

Deno.test("drawCharts() draws a ratio of 1 at the line of handwritten code", () => {
  const equal = sections.map((section) => ({
    ...section,
    tables: section.tables.map(({ head, rows }) => ({
      head,
      rows: head[0] === "ms" ? rows : rows.map((row) => row.map((cell) => cell.replace(/^0.90 .*/, "1.00"))),
    })),
  }));
  const chart = drawCharts(equal, "").light;
  const [, line] = chart.match(/<path d="M([\d.]+) [^>]*stroke-dasharray/) ?? [];

  assert(chart.includes(`<circle cx="${line}"`), chart);
});

Deno.test("drawCharts() describes every figure as text", () => {
  const [, description] = dark.match(/<desc>(.*)<\/desc>/) ?? [];

  assertEquals(
    description,
    "ours: text 0.90; JSON 1.02; start-up 12 ms. a&lt;b: text 0.95; JSON 0.97; start-up 4 ms. " +
      "slow: text 0.10; JSON 0.20; start-up 2.5 ms.",
  );
});

Deno.test("drawCharts() differs between light and dark only in its colors", () => {
  const withoutColors = (chart: string): string => chart.replaceAll(/#[\da-f]{6}/g, "");

  assert(light !== dark);
  assertEquals(withoutColors(light), withoutColors(dark));
});

Deno.test("drawCharts() throws if a table is missing", () => {
  assertThrows(
    () => drawCharts(sections.slice(1), ""),
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
      const figures = ratios.filter((cell) => cell !== "").map((cell) => cell.split(" ")[0]).join("; [^;:]+ ");
      assertMatch(chart, new RegExp(`${title}: [^;:]+ ${figures}; start-up`));
    }
    assertEquals(chart.match(/<script|<image|<style|href|url\(/g), null);
  });
}
