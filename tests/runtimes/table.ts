/** The outcome of a case on a runtime: the common result, the documented difference, or something else. */
export type Outcome = "ok" | "differs" | "FAILED";

const outcomes = new Map<string, Map<string, Outcome>>();

/** Records the outcome of a case. */
export function record(row: string, host: string, outcome: Outcome): void {
  const columns = outcomes.get(row) ?? new Map<string, Outcome>();
  outcomes.set(row, columns.set(host, outcome));
}

/**
 * The table of all recorded outcomes, with a row for each case and a column for each runtime. A runtime that did not
 * run has a dash.
 */
export function formatTable(hosts: readonly string[]): string {
  const rows = [...outcomes].map(([row, columns]) => [row, ...hosts.map((host) => columns.get(host) ?? "-")]);
  const lines = [["case", ...hosts], ...rows];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()).join("\n");
}
