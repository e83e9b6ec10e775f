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

/** Marks `data` with a kind, in a non-enumerable property, and freezes it. */
export function markAs<Kind extends string, Data extends object>(kind: Kind, data: Data): Data & Marked<Kind> {
  Object.defineProperty(data, mark, { value: kind });
  return Object.freeze(data) as Data & Marked<Kind>;
}

/**
 * Returns whether `value` was marked with a kind. What an object inherits and what JSON can write, an enumerable
 * property, is not a mark.
 */
export function isMarked<Kind extends string>(value: unknown, kind: Kind): value is Marked<Kind> {
  return isObject(value) && value[mark] === kind && Object.getOwnPropertyDescriptor(value, mark)?.enumerable === false;
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
