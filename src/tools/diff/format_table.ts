/** The changes as a table of text. */
import { toOneLine } from "../../messages.ts";
import { isAccepted, type Judged, nameVerdict, reasonOf } from "./findings.ts";

/** Formats changes as a table. */
export function formatTable(changes: readonly Judged[]): string {
  const rows = changes.map((change) => {
    const { rule, route, where, message, witness } = change;
    const [reason, isShown] = [reasonOf(change), witness !== undefined && !isAccepted(change)];
    return [
      nameVerdict(change),
      rule,
      route || "-",
      where || "-",
      message,
      ...(isShown ? [JSON.stringify(witness)] : []),
      ...(reason === undefined ? [] : [`(${reason})`]),
    ].map(toOneLine); // documents may contain anything
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()}\n`)
    .join("");
}
