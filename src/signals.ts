import { type Awaitable, isPromise } from "./awaitable.ts";

/** The longest timeout that every runtime's timers can keep, in milliseconds. */
export const longestTimeout = 2 ** 31 - 1;

/** What may end a call early. */
export interface Ending {
  /** Aborts with the first of both. */
  readonly signal: AbortSignal | undefined;
  /** Aborts when the time is up. */
  readonly timeout: AbortSignal | undefined;
  /** Releases the timer of a call that is over. */
  readonly release: () => void;
}

/**
 * What ends a call by its caller's signal and its timeout; throws a `TypeError` for a timeout that can't be. The platform's own
 * timeout keeps 740 bytes of a call on Deno until its time is up, so it is for calls whose end is not seen.
 */
export function createEnding(
  caller: AbortSignal | undefined,
  milliseconds: number | undefined,
  isEndSeen: boolean,
): Ending {
  if (milliseconds === undefined || milliseconds === Infinity) {
    return { signal: caller, timeout: undefined, release: ignore };
  }
  checkMilliseconds("timeout", milliseconds);
  if (!isEndSeen) {
    const timeout = AbortSignal.timeout(milliseconds);
    return { signal: joinSignals(caller, timeout), timeout, release: ignore };
  }
  const own = new AbortController();
  const signal = joinSignals(caller, own.signal); // which throws for what is not a signal, before there is a timer
  const timer = setTimeout(() => own.abort(new DOMException("Its time was up", "TimeoutError")), milliseconds);
  return { signal, timeout: own.signal, release: () => clearTimeout(timer) };
}

function ignore(): void {}

/** Throws a `TypeError` for an option that is not a time to wait. */
export function checkMilliseconds(name: string, milliseconds: unknown): void {
  if (milliseconds === Infinity) return;
  if (typeof milliseconds === "number" && milliseconds >= 0 && milliseconds <= longestTimeout) return;
  throw new TypeError(`${name} must be a number of milliseconds from 0 to ${longestTimeout}, or Infinity`);
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
