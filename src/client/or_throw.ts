import { type Awaitable, isPromise } from "../awaitable.ts";

/** What `work` comes to, or a throw of what `toError` makes of its failure: now, or as a promise where `work` takes time. */
export function orThrow<Value>(work: () => Awaitable<Value>, toError: (cause: unknown) => Error): Awaitable<Value> {
  const fail = (cause: unknown): never => {
    throw toError(cause);
  };
  try {
    const value = work();
    return isPromise(value) ? value.then(undefined, fail) : value;
  } catch (cause) {
    return fail(cause);
  }
}
