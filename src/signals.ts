import { type Awaitable, isPromise } from "./awaitable.ts";
import { describeConfidential } from "./messages.ts";

/** The longest timeout that the timers of every runtime support, in milliseconds. */
export const longestTimeout = 2 ** 31 - 1;

/** Throws a `TypeError` if an option is not a valid time. */
export function checkMilliseconds(name: string, milliseconds: unknown): void {
  if (milliseconds === Infinity) return;
  if (typeof milliseconds === "number" && milliseconds >= 0 && milliseconds <= longestTimeout) return;
  const range = `milliseconds from 0 to ${longestTimeout}, or Infinity`;
  throw new TypeError(`${name} must be ${range}, got ${describeConfidential(milliseconds)}`);
}

/** Returns a signal that aborts with the first of two. */
export function joinSignals(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : one ?? other;
}

/**
 * Returns the value of `work`, unless the signal aborts first. It then rejects at once, and the outcome of `work` is
 * ignored.
 */
export function untilAborted<Value>(signal: AbortSignal | undefined, work: Awaitable<Value>): Awaitable<Value> {
  if (!signal || !isPromise(work)) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    const ending = <Outcome>(settle: (outcome: Outcome) => void) => (outcome: Outcome): void => {
      signal.removeEventListener("abort", abort);
      settle(outcome);
    };
    work.then(ending(resolve), ending(reject));
  });
}

/** Waits until the time is over or the signal aborts. The next step then checks the signal. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, longestTimeout));
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
