import type { Figure, Section, Table } from "./section.ts";
import { holds, type Target, targets } from "./targets.ts";

/** Formats the whole report: the targets and whether they are met, then all tables. */
export function formatReport(sections: readonly Section[], versions: string): string {
  const head = [
    "# Results",
    "Written by `deno task bench`; [README.md](README.md) explains the measurements.",
    versions,
  ];
  return [...head, formatTargets(sections), ...sections.map(formatSection)].join("\n\n") + "\n";
}

/** Lists the targets that were measured, and whether they are met. */
export function formatTargets(sections: readonly Section[]): string {
  const figures = new Map(sections.flatMap((section) => section.figures).map((figure) => [figure.measure, figure]));
  const losses = sections.flatMap((section) => section.losses ?? []);
  const rows = targets.flatMap((target) => {
    const figure = figures.get(target.measure);
    return figure ? [formatTarget(target, figure)] : [];
  });
  const table = formatTable({ head: ["measure", "target", "measured", "all processes", "met"], rows });
  const ahead = ["Peers with the same guarantees that are ahead:", losses.map((loss) => `- ${loss}`).join("\n")];
  return ["## Targets", table, ...(losses.length > 0 ? ahead : [])].join("\n\n");
}

function formatTarget(target: Target, { median, least, greatest }: Figure): string[] {
  const { title, sense, bound, unit, digits } = target;
  const range = least === greatest ? "" : `${least.toFixed(digits)} to ${greatest.toFixed(digits)}`;
  return [
    title,
    `${sense} ${bound.toFixed(digits)} ${unit}`.trimEnd(),
    median.toFixed(digits),
    range,
    holds(target, Number(median.toFixed(digits))) ? "yes" : "**no**",
  ];
}

export function formatSection({ title, text, tables }: Section): string {
  return [`## ${title}`, text, ...tables.map(formatTable)].join("\n\n");
}

/** Formats a table like `deno fmt`. */
export function formatTable({ head, rows }: Table): string {
  const widths = head.map((name, column) =>
    Math.max(3, ...[name, ...rows.map((row) => row[column] ?? "")].map(({ length }) => length))
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}
