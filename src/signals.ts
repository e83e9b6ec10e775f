import { type Awaitable, isPromise } from "./awaitable.ts";
import { describeConfidential } from "./messages.ts";

/** The longest timeout that the timers of every runtime support, in milliseconds. */
export const longestTimeout = 2 ** 31 - 1;

/** The ways in which a call can end early. */
export interface Ending {
  /** Aborts with the caller's signal or the timeout, whichever is first. */
  readonly signal: AbortSignal | undefined;
  /** Aborts when the time is up. */
  readonly timeout: AbortSignal | undefined;
  /** Releases the timer of a call that is over. */
  readonly release: () => void;
}

/**
 * Combines the signal of a call's caller with its timeout. Throws a `TypeError` if the timeout is invalid. The
 * platform's own timeout keeps 740 bytes of a call on Deno until the time is up, so it is only used for calls whose end
 * cannot be observed.
 */
export function createEnding(
  caller: AbortSignal | undefined,
  milliseconds: number | undefined,
  seesEnd: boolean,
): Ending {
  if (milliseconds === undefined || milliseconds === Infinity) {
    return { signal: caller, timeout: undefined, release: ignore };
  }
  checkMilliseconds('"timeout"', milliseconds);
  if (!seesEnd) {
    const timeout = AbortSignal.timeout(milliseconds);
    return { signal: joinSignals(caller, timeout), timeout, release: ignore };
  }
  const own = new AbortController();
  const signal = joinSignals(caller, own.signal); // it throws if this is not a signal, before there is a timer
  const timer = setTimeout(() => own.abort(new DOMException("The call timed out", "TimeoutError")), milliseconds);
  return { signal, timeout: own.signal, release: () => clearTimeout(timer) };
}

function ignore(): void {}

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
