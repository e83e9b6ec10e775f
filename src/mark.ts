/** What a value is: the mark of the objects that this package creates, and type guards. */

/**
 * The key of the mark on objects that this package creates. It is a string, as `~standard` is: a symbol would be
 * another type in each copy of the package, so that two versions in one program would not type-check.
 */
export const mark = "~scope/api";

/**
 * An object that this package created, with its kind.
 *
 * @internal
 */
export interface Marked<Kind extends string = string> {
  /** The kind of the object. */
  readonly "~scope/api": Kind;
}

/**
 * The version of this package, for messages about objects of other versions. A test compares it with that of deno.json.
 */
export const packageVersion = "0.1.0";

/**
 * Returns what is wrong with an object that a later version of this package made in a format that this one does not know;
 * `undefined` for any other value. The first format has no number: `contract`. The mark of a later one ends with its
 * number: `contract 2`. The number changes only if an earlier version would misread the object.
 */
export function formatProblem(value: unknown): string | undefined {
  const [, kind, format] = /^(.+) (\d+)$/.exec(String(markOf(value))) ?? [];
  return kind &&
    `this ${kind} has format ${format}, which @scope/api ${packageVersion} does not know; update @scope/api`;
}

/** Marks `data` with a kind, in a non-enumerable property, and freezes it. */
export function markAs<Kind extends string, Data extends object>(kind: Kind, data: Data): Data & Marked<Kind> {
  Object.defineProperty(data, mark, { value: kind });
  return Object.freeze(data) as Data & Marked<Kind>;
}

/**
 * Returns the kind with which `value` was marked; `undefined` for any other value. What an object inherits and what JSON
 * can write, an enumerable property, is not a mark.
 */
export function markOf(value: unknown): unknown {
  const property = Object.getOwnPropertyDescriptor(Object(value), mark);
  return property?.enumerable ? undefined : property?.value;
}

/** Returns whether `value` was marked with a kind. */
export function isMarked<Kind extends string>(value: unknown, kind: Kind): value is Marked<Kind> {
  return markOf(value) === kind;
}

/** Returns a tree with the same keys, and another value for each leaf, which has a mark of this kind. */
export function mapLeaves(tree: object, kind: string, map: (leaf: never) => unknown): object {
  return Object.fromEntries(
    Object.entries(tree).map(([key, entry]) => [
      key,
      isMarked(entry, kind) ? map(entry as never) : mapLeaves(entry, kind, map), // the kind tells the type
    ]),
  );
}

/** Returns whether `value` is an integer from 0 that a number represents exactly. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Returns whether `value` is an object other than a function, so that its properties can be read. */
export function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * Returns whether any value, such as a thrown one, is an instance of a class. A revoked Proxy throws when its type is
 * tested.
 */
export function isInstance<Instance>(
  value: unknown,
  type: abstract new (...args: never) => Instance,
): value is Instance {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}
