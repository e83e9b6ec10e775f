/** Parts of a plan, with what of them is declared otherwise than in the document. */

/** A part of a plan. */
export interface Planned<Part> {
  readonly planned: Part;
  /** What of it is declared otherwise than in the document. */
  readonly changes: readonly string[];
}

/** Returns a part of a plan with what of it is declared otherwise. */
export function toPlanned<Part>(planned: Part, ...changes: readonly string[]): Planned<Part> {
  return { planned, changes };
}

/** Returns the items of several parts of a plan. */
export function joinPlanned<Item>(parts: readonly Planned<readonly Item[]>[]): Planned<readonly Item[]> {
  return toPlanned(parts.flatMap(({ planned }) => planned), ...parts.flatMap(({ changes }) => changes));
}
