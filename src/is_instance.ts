/**
 * Whether any value, such as a thrown one, is an instance of a class. A revoked Proxy throws when its type is tested.
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
