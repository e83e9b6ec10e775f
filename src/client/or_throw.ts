/**
 * What `work` comes to, or a throw of what `toError` makes of its failure: now, or as a promise where `work` takes time. Both are
 * handed what they need, so that no closure is made for work that is done at once.
 */
export function orThrow<Value, Given>(
  work: (given: Given) => Value | Promise<Value>,
  toError: (cause: unknown, given: Given) => Error,
  given: Given,
): Value | Promise<Value> {
  try {
    const value = work(given);
    if (!(value instanceof Promise)) return value;
    return value.catch((cause) => {
      throw toError(cause, given);
    });
  } catch (cause) {
    throw toError(cause, given);
  }
}
