/** The text of a figure in a table: the median, with the middle half of its measurements in brackets. */
import { median, quartiles } from "../measure/median.ts";

/** A figure as a table has it. */
export interface Cell {
  readonly median: number;
  /** The middle half of the measurements is between these. */
  readonly lower: number;
  readonly upper: number;
}

export function formatCell(values: readonly number[], digits: number): string {
  const [middle, lower, upper] = [median(values), ...quartiles(values)].map((value) => value.toFixed(digits));
  return `${middle} (${lower}–${upper})`;
}

/** Reads what `formatCell()` writes. */
export function parseCell(text: string): Cell {
  const [middle = NaN, lower = middle, upper = middle] = text.split(/[ (–)]+/).filter((part) => part !== "").map(
    Number,
  );
  return { median: middle, lower, upper };
}
