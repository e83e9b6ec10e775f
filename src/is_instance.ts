/** Whether a value, which may be anything that was thrown, is an instance of a class: a revoked Proxy throws when it is asked. */
export function isInstance<Instance>(
  value: unknown,
  type: abstract new (...given: never) => Instance,
): value is Instance {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}
