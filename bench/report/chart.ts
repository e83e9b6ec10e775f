/** Draws the chart of the benchmark for the README, from the results of the suites. */
import { type Section, type Table } from "./section.ts";

/** One system of the chart. */
interface Row {
  readonly title: string;
  /** Whether it was seen to validate requests and responses, and to strip unknown fields. */
  readonly isValidating: boolean;
  /** Requests per second, by scenario, as a ratio to handwritten code. */
  readonly ratios: readonly number[];
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
  /** One color per scenario, for this library and for its peers. */
  readonly ours: readonly string[];
  readonly peers: readonly string[];
}

const light: Theme = {
  background: "#ffffff",
  border: "#d0d7de",
  line: "#e3e7eb",
  band: "#eef4fd",
  text: "#1f2328",
  muted: "#59636e",
  ours: ["#a3c1f2", "#5b8ddb", "#1d4fa3"],
  peers: ["#c3c9d0", "#8b949e", "#4b535d"],
};

const dark: Theme = {
  background: "#0d1117",
  border: "#30363d",
  line: "#262c34",
  band: "#14233a",
  text: "#e6edf3",
  muted: "#9198a1",
  ours: ["#3a669f", "#5a93e6", "#a9ccff"],
  peers: ["#535b65", "#838c96", "#c4cad1"],
};

/** Draws the chart for light and for dark pages. */
export function drawCharts(sections: readonly Section[]): { readonly light: string; readonly dark: string } {
  const rows = toRows(sections);
  const scenarios = findTable(sections, "requests per second").head.slice(1);
  return { light: draw(rows, scenarios, light), dark: draw(rows, scenarios, dark) };
}

/** Lists this library, then its peers, the fastest first. */
function toRows(sections: readonly Section[]): Row[] {
  const seen = findTable(sections, "observed guarantees");
  const startUp = findTable(sections, "ms");
  const [ours, ...peers] = findTable(sections, "requests per second").rows.slice(1).map(([title = "", ...cells]) => ({
    title,
    isValidating: cellsOf(seen, title).slice(0, 3).every((cell) => cell === "yes"),
    ratios: cells.map(Number),
    startUp: cellsOf(startUp, title).at(-1) ?? "",
  }));
  return [...(ours ? [ours] : []), ...peers.toSorted((a, b) => sum(b.ratios) - sum(a.ratios))];
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

const width = 620;
const padding = 20;
/** The vertical center of the first row. */
const firstRow = 140;
const rowHeight = 27;
/** The left and the right edge of the plot. */
const plot = { left: 168, right: 494 };
/** The right edge of the last column. */
const lastColumn = width - padding;
const font = `system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif`;

function draw(rows: readonly Row[], scenarios: readonly string[], theme: Theme): string {
  const plotEnd = firstRow + rows.length * rowHeight;
  const height = plotEnd + 50;
  const most = Math.max(1, ...rows.flatMap(({ ratios }) => ratios));
  const toX = (ratio: number): number => plot.left + (plot.right - plot.left) * ratio / most;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" font-family='${font}' font-size="13" fill="${theme.text}">`,
    `<title>Requests per second, relative to handwritten code</title>`,
    `<desc>${escape(rows.map((row) => describeRow(row, scenarios)).join(" "))}</desc>`,
    rectangle(0.5, 0.5, width - 1, height - 1, `rx="8" fill="${theme.background}" stroke="${theme.border}"`),
    rectangle(padding - 10, firstRow - 13, width - 2 * padding + 20, 26, `rx="6" fill="${theme.band}"`),
    ...drawHead(scenarios, theme),
    ...drawAxis(toX, plotEnd, theme),
    ...rows.flatMap((row, index) => drawRow(row, index, toX, theme)),
    ...drawNotes(plotEnd + 14, theme),
    "</svg>\n",
  ].join("\n");
}

/** Describes a row as text, for readers who cannot see the chart. */
function describeRow({ title, ratios, startUp }: Row, scenarios: readonly string[]): string {
  const figures = ratios.map((ratio, index) => `${scenarios[index]} ${ratio.toFixed(2)}`);
  return `${title}: ${figures.join("; ")}; start-up ${startUp} ms.`;
}

function drawHead(scenarios: readonly string[], theme: Theme): string[] {
  const widths = scenarios.map((scenario) => 30 + scenario.length * 7);
  const starts = widths.map((_, index) => padding + sum(widths.slice(0, index)));
  return [
    text(padding, 34, "Requests per second, relative to handwritten code", `font-size="17" font-weight="600"`),
    text(padding, 55, "The same API behind Deno.serve, over a socket. More is better.", `fill="${theme.muted}"`),
    ...scenarios.flatMap((scenario, index) => [
      circle(starts[index]! + 6, 79, theme.peers[index]!),
      text(starts[index]! + 17, 83.5, scenario, `fill="${theme.muted}"`),
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
      `<path d="M${x} ${firstRow - 20}V${end - 4}" fill="none" ${stroke}/>`,
      text(x, 114, label, `text-anchor="middle" fill="${ratio === 1 ? theme.text : theme.muted}" font-size="12"`),
    ];
  });
}

function drawRow(
  { title, isValidating, ratios, startUp }: Row,
  index: number,
  toX: (ratio: number) => number,
  theme: Theme,
): string[] {
  const y = firstRow + index * rowHeight;
  const colors = index === 0 ? theme.ours : theme.peers;
  const weight = index === 0 ? `font-weight="700" fill="${theme.ours[2]}"` : "";
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)].map(toX);
  return [
    text(padding, y + 4.5, isValidating ? title : `${title} *`, weight),
    `<path d="M${round(least!)} ${y}H${round(greatest!)}" stroke="${colors[0]}" stroke-width="2" fill="none"/>`,
    ...ratios.map((ratio, at) => circle(toX(ratio), y, colors[at]!, isValidating ? colors[at]! : theme.background)),
    text(lastColumn, y + 4.5, `${startUp} ms`, `text-anchor="end" ${weight}`),
  ];
}

function drawNotes(y: number, theme: Theme): string[] {
  const style = `fill="${theme.muted}" font-size="12"`;
  return [
    text(padding, y, "Start-up: import and first response. Less is better.", style),
    text(padding, y + 18, "* checks less: does not validate responses or strip unknown fields.", style),
  ];
}

function rectangle(x: number, y: number, width: number, height: number, attributes: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${attributes}/>`;
}

function circle(x: number, y: number, stroke: string, fill = stroke): string {
  return `<circle cx="${round(x)}" cy="${y}" r="5" fill="${fill}" stroke="${stroke}" stroke-width="2"/>`;
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
