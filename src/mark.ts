/**
 * The private mark that tells what a thing made by this package is: a symbol, so that no key of a user's is taken, and a
 * registered one, so that two copies of the package in one program know each other's contracts.
 *
 * @internal
 */
export const mark: unique symbol = Symbol.for("@scope/api");

/**
 * Something made by this package, and which kind of thing it is.
 *
 * @internal
 */
export interface Marked<Kind extends string = string> {
  /** What this is. */
  readonly [mark]: Kind;
}

/** Gives `data` its mark, which no enumeration shows, and freezes it. */
export function markAs<Kind extends string, Data extends object>(kind: Kind, data: Data): Data & Marked<Kind> {
  Object.defineProperty(data, mark, { value: kind });
  return Object.freeze(data) as Data & Marked<Kind>;
}

/** Whether `value` was marked as `kind`. */
export function isMarked<Kind extends string>(value: unknown, kind: Kind): value is Marked<Kind> {
  return typeof value === "object" && value !== null && (value as Partial<Marked>)[mark] === kind;
}
