/** Differences between the schema of a sender and the schema of a reader. */
import type { Json } from "./json.ts";

/** One way in which a sender may send what a reader rejects. */
export interface Difference {
  /** The names of members that lead to the part. `*` is every item, or every unnamed member. */
  readonly path: readonly string[];
  /** `refuted` if the reader certainly rejects some value; `unknown` if that could not be decided. */
  readonly verdict: "refuted" | "unknown";
  readonly keyword: string;
  /** The sender's types, values or bound for this keyword; `undefined` if its schema does not limit them. */
  readonly sender: Json | undefined;
  /** The reader's types, values or bound for this keyword. */
  readonly reader: Json | undefined;
  /** Equal for the differences that two schemas cause in the places that refer to them. */
  readonly cause?: string;
}

/** Returns a difference of the compared part itself. */
export function differ(
  keyword: string,
  sender: Json | undefined,
  reader: Json | undefined,
  isPlain = true,
): Difference {
  return { path: [], verdict: isPlain ? "refuted" : "unknown", keyword, sender, reader };
}

export function differenceBelow(name: string, differences: readonly Difference[]): Difference[] {
  return differences.map((difference) => ({ ...difference, path: [name, ...difference.path] }));
}

/** Marks differences as uncertain: values that show them may not exist. */
export function doubt(differences: readonly Difference[]): Difference[] {
  return differences.map((difference) => ({ ...difference, verdict: "unknown" }));
}

export function boundOf(bound: number): number | undefined {
  return Number.isFinite(bound) ? bound : undefined;
}
