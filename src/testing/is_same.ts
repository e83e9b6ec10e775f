/** Returns whether two values are deeply equal. Supports dates, maps, sets, URLs, regular expressions and bytes. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  if (left instanceof Date && right instanceof Date) return Object.is(left.getTime(), right.getTime());
  if (left instanceof URL || left instanceof RegExp) return String(left) === String(right);
  const [own, other] = [partsOf(left), partsOf(right)];
  return own.length === other.length && own.every(([key, value], index) => {
    const [otherKey, otherValue] = other[index]!;
    return isSame(key, otherKey) && isSame(value, otherValue);
  });
}

/** Returns the contents of an object, in an order that does not depend on how it was created. */
function partsOf(value: object): (readonly [key: unknown, value: unknown])[] {
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value].map((item, index) => [index, item]);
  return Object.entries(value).toSorted(([left], [right]) => left < right ? -1 : 1);
}
