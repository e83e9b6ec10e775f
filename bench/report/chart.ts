/** Draws the chart of the benchmark for the README, from the results of the suites. */
import { type Cell, parseCell } from "./cell.ts";
import type { Section, Table } from "./section.ts";

/** One system of the chart. */
interface Row {
  readonly title: string;
  /** How it differs from the others: its schema library, or its protocol. */
  readonly note: string;
  /** Whether it was seen to validate requests and responses, and to strip unknown fields. */
  readonly isValidating: boolean;
  /** Requests per second, by scenario, as a ratio to handwritten code. */
  readonly ratios: readonly Cell[];
  /** Milliseconds from the import to the first response. */
  readonly startUp: string;
}

/** The colors of a chart. */
interface Theme {
  readonly background: string;
  readonly border: string;
  readonly line: string;
  /** The background of the row of this library. */
  readonly band: string;
  readonly text: string;
  readonly muted: string;
  /** The marks of this library, and those of its peers. */
  readonly ours: string;
  readonly peers: string;
}

const light: Theme = {
  background: "#ffffff",
  border: "#d0d7de",
  line: "#e3e7eb",
  band: "#eef4fd",
  text: "#1f2328",
  muted: "#59636e",
  ours: "#1d4fa3",
  peers: "#59636e",
};

const dark: Theme = {
  background: "#0d1117",
  border: "#30363d",
  line: "#262c34",
  band: "#14233a",
  text: "#e6edf3",
  muted: "#9198a1",
  ours: "#a9ccff",
  peers: "#9198a1",
};

/** The schema library of the systems that accept any; the chart names those of the others. */
const schemas = "ArkType";

/** Draws the chart for light and for dark pages. `run` says where and when it was measured. */
export function drawCharts(
  sections: readonly Section[],
  run: string,
): { readonly light: string; readonly dark: string } {
  const rows = toRows(sections);
  const scenarios = findTable(sections, "requests per second").head.slice(1);
  return { light: draw(rows, scenarios, run, light), dark: draw(rows, scenarios, run, dark) };
}

/** Lists this library, then its peers, the fastest first. */
function toRows(sections: readonly Section[]): Row[] {
  const seen = findTable(sections, "observed guarantees");
  const startUp = findTable(sections, "ms");
  const [ours, ...peers] = findTable(sections, "requests per second").rows.slice(1).map(([title = "", ...cells]) => {
    const observed = cellsOf(seen, title);
    return {
      title,
      note: observed.slice(4).filter((text) => text !== schemas && text !== "HTTP").join(", "),
      isValidating: observed.slice(0, 3).every((cell) => cell === "yes"),
      ratios: cells.map(parseCell),
      startUp: cellsOf(startUp, title).at(-1) ?? "",
    };
  });
  return [...(ours ? [ours] : []), ...peers.toSorted((a, b) => total(b) - total(a))];
}

function total({ ratios }: Row): number {
  return sum(ratios.map(({ median }) => median));
}

/** Finds the first table whose first heading begins with a text. */
function findTable(sections: readonly Section[], heading: string): Table {
  const table = sections.flatMap(({ tables }) => tables).find(({ head }) => head[0]?.startsWith(heading));
  if (table === undefined) throw new Error(`Cannot draw the chart: there is no table "${heading}"`);
  return table;
}

function cellsOf({ rows }: Table, title: string): readonly string[] {
  return rows.find(([name]) => name === title)?.slice(1) ?? [];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const width = 700;
const padding = 20;
/** The vertical center of the first row. */
const firstRow = 146;
const rowHeight = 36;
/** The distance between the marks of two scenarios in a row. */
const laneHeight = 9;
/** The left and the right edge of the plot. */
const plot = { left: 226, right: 580 };
/** The right edge of the last column. */
const lastColumn = width - padding;
const font = `system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif`;

function draw(rows: readonly Row[], scenarios: readonly string[], run: string, theme: Theme): string {
  const plotEnd = firstRow + rows.length * rowHeight;
  const height = plotEnd + 50;
  const most = Math.max(1, ...rows.flatMap(({ ratios }) => ratios.map(({ upper }) => upper)));
  const toX = (ratio: number): number => plot.left + (plot.right - plot.left) * ratio / most;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" font-family='${font}' font-size="13" fill="${theme.text}">`,
    `<title>Requests per second, relative to handwritten code</title>`,
    `<desc>${escape(rows.map((row) => describeRow(row, scenarios)).join(" "))}</desc>`,
    rectangle(0.5, 0.5, width - 1, height - 1, `rx="8" fill="${theme.background}" stroke="${theme.border}"`),
    rectangle(padding - 10, firstRow - 17, width - 2 * padding + 20, 34, `rx="6" fill="${theme.band}"`),
    ...drawHead(scenarios, run, theme),
    ...drawAxis(toX, plotEnd, theme),
    ...rows.flatMap((row, index) => drawRow(row, index, toX, theme)),
    ...drawNotes(plotEnd + 14, theme),
    "</svg>\n",
  ].join("\n");
}

/** Describes a row as text, for readers who cannot see the chart. */
function describeRow({ title, ratios, startUp }: Row, scenarios: readonly string[]): string {
  const figures = ratios.map(({ median }, index) => `${scenarios[index]} ${median.toFixed(2)}`);
  return `${title}: ${figures.join("; ")}; start-up ${startUp} ms.`;
}

function drawHead(scenarios: readonly string[], run: string, theme: Theme): string[] {
  const widths = scenarios.map((scenario) => 48 + scenario.length * 7);
  const starts = widths.map((_, index) => padding + sum(widths.slice(0, index)));
  const where = `One API over a socket, with ${schemas} unless named. ${run}.`;
  return [
    text(padding, 34, "Requests per second, relative to handwritten code", `font-size="17" font-weight="600"`),
    text(padding, 55, where, `fill="${theme.muted}" font-size="12"`),
    ...scenarios.flatMap((scenario, index) => [
      mark(index, starts[index]! + 6, 79, theme.ours),
      mark(index, starts[index]! + 20, 79, theme.peers),
      text(starts[index]! + 31, 83.5, scenario, `fill="${theme.muted}"`),
    ]),
    text(lastColumn, 114, "Start-up", `text-anchor="end" font-weight="600"`),
  ];
}

function drawAxis(toX: (ratio: number) => number, end: number, theme: Theme): string[] {
  return [0, 0.25, 0.5, 0.75, 1].flatMap((ratio) => {
    const x = round(toX(ratio));
    const label = ratio === 1 ? "handwritten" : ratio.toString();
    const stroke = ratio === 1 ? `stroke="${theme.text}" stroke-dasharray="4 3"` : `stroke="${theme.line}"`;
    return [
      `<path d="M${x} ${firstRow - 24}V${end - 8}" fill="none" ${stroke}/>`,
      text(x, 114, label, `text-anchor="middle" fill="${ratio === 1 ? theme.text : theme.muted}" font-size="12"`),
    ];
  });
}

function drawRow(
  { title, note, isValidating, ratios, startUp }: Row,
  index: number,
  toX: (ratio: number) => number,
  theme: Theme,
): string[] {
  const y = firstRow + index * rowHeight;
  const color = index === 0 ? theme.ours : theme.peers;
  const weight = index === 0 ? `font-weight="700" fill="${theme.ours}"` : "";
  return [
    text(padding, y + (note === "" ? 4.5 : -2), isValidating ? title : `${title} *`, weight),
    ...(note === "" ? [] : [text(padding, y + 12, note, `fill="${theme.muted}" font-size="11"`)]),
    ...ratios.flatMap(({ median, lower, upper }, at) => {
      const lane = y + (at - (ratios.length - 1) / 2) * laneHeight;
      return [
        `<path d="M${round(toX(lower))} ${lane}H${
          round(toX(upper))
        }" stroke="${color}" stroke-width="1.5" fill="none"/>`,
        mark(at, toX(median), lane, color, isValidating ? color : theme.background),
      ];
    }),
    text(lastColumn, y + 4.5, `${startUp} ms`, `text-anchor="end" ${weight}`),
  ];
}

function drawNotes(y: number, theme: Theme): string[] {
  const style = `fill="${theme.muted}" font-size="12"`;
  return [
    text(padding, y, "More is better; peers are ordered by their sum. A line has the middle half of the runs.", style),
    text(
      padding,
      y + 18,
      "Start-up: import and first response, less is better. * does not validate responses or strip unknown fields.",
      style,
    ),
  ];
}

function rectangle(x: number, y: number, width: number, height: number, attributes: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${attributes}/>`;
}

/** The mark of a scenario: each has a shape of its own. */
function mark(scenario: number, x: number, y: number, stroke: string, fill = stroke): string {
  const style = `fill="${fill}" stroke="${stroke}" stroke-width="1.5"`;
  const [left, right, top, bottom] = [x - 3.5, x + 3.5, y - 3.5, y + 3.5].map(round);
  const shapes = [
    `<circle cx="${round(x)}" cy="${y}" r="3.5" ${style}/>`,
    `<path d="M${left} ${top}H${right}V${bottom}H${left}Z" ${style}/>`,
    `<path d="M${left} ${bottom}L${round(x)} ${top}L${right} ${bottom}Z" ${style}/>`,
  ];
  return shapes[scenario % shapes.length]!;
}

function text(x: number, y: number, content: string, attributes = ""): string {
  return `<text x="${round(x)}" y="${y}" ${attributes}>${escape(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
