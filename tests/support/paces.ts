/** Values that arrive now or later, for tests of code that accepts both. */
import type { Awaitable } from "@scope/api/server";

/** When a value arrives: at once, a microtask or a timer later, or as a foreign thenable. */
export type Pace = (typeof paces)[number];

export const paces = ["now", "soon", "late", "thenable"] as const;

/** Text that is not allowed in a response. */
export const canary = "c4n4ry";

/** Returns the result of `make` at its pace. */
export function atPace<Value>(pace: Pace, make: () => Value): Awaitable<Awaited<Value>> {
  if (pace === "now") return make() as Awaited<Value>;
  if (pace === "soon") return Promise.resolve().then(make) as Promise<Awaited<Value>>;
  if (pace === "late") {
    return new Promise<void>((resolve) => setTimeout(resolve, 0)).then(make) as Promise<Awaited<Value>>;
  }
  return {
    then: (resolve, reject) => Promise.resolve().then(make).then(resolve as never, reject),
  } as PromiseLike<Awaited<Value>>;
}
