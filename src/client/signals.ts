import { type Awaitable, isPromise } from "../awaitable.ts";

/** The longest timeout that every runtime's timers can keep, in milliseconds. */
const longestTimeout = 2 ** 31 - 1;

/** A signal that aborts when the time is up. Throws a `TypeError` for a timeout that can't be. */
export function createTimeout(milliseconds: number | undefined): AbortSignal | undefined {
  if (milliseconds === undefined || milliseconds === Infinity) return undefined;
  if (typeof milliseconds === "number" && milliseconds >= 0 && milliseconds <= longestTimeout) {
    return AbortSignal.timeout(milliseconds);
  }
  throw new TypeError(`timeout is not a number of milliseconds from 0 to ${longestTimeout}, or Infinity`);
}

/** A signal that aborts with the first of two. */
export function joinSignals(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : one ?? other;
}

/** What `work` comes to, unless the signal aborts first: then it rejects at once, and what `work` comes to is of no account. */
export function untilAborted<Value>(signal: AbortSignal | undefined, work: Awaitable<Value>): Awaitable<Value> {
  if (!signal || !isPromise(work)) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(work).then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
