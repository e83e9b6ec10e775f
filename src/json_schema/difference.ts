/** What sets a sender's schema and a reader's apart. */
import { type Json } from "./json.ts";
import { type Shape } from "./shapes.ts";

/** One way in which a sender may send what a reader does not take. */
export interface Difference {
  /** The names of members that lead to it; `*` is every item, or every member that is not named. */
  readonly path: readonly string[];
  /** `refuted` where it is plain that some value is refused; `unknown` where it is not. */
  readonly verdict: "refuted" | "unknown";
  /** The keyword of JSON Schema that it is about. */
  readonly keyword: string;
  /** What the sender's schema says of it: types, values or a bound; `undefined` where it says nothing. */
  readonly sender: Json | undefined;
  /** What the reader's schema says of it. */
  readonly reader: Json | undefined;
}

/** A difference of the part that is compared itself. */
export function differ(
  keyword: string,
  sender: Json | undefined,
  reader: Json | undefined,
  isPlain = true,
): Difference {
  return { path: [], verdict: isPlain ? "refuted" : "unknown", keyword, sender, reader };
}

/** Differences of a part, as those of the whole. */
export function below(name: string, differences: readonly Difference[]): Difference[] {
  return differences.map((difference) => ({ ...difference, path: [name, ...difference.path] }));
}

/** Differences that may be none: there may be no value that shows them. */
export function doubt(differences: readonly Difference[]): Difference[] {
  return differences.map((difference) => ({ ...difference, verdict: "unknown" }));
}

/** A bound in a difference; `undefined` for none. */
export function boundOf(bound: number): number | undefined {
  return Number.isFinite(bound) ? bound : undefined;
}

/** Whether a shape says all that there is to say of its values. */
export function isWhole({ also, not }: Shape): boolean {
  return also.length === 0 && not.length === 0;
}
