/** The longest timeout that every runtime's timers can keep, in milliseconds. */
const longestTimeout = 2 ** 31 - 1;

/** What ends a call early: the caller's signal, the timeout, either, or nothing. */
export interface Deadline {
  /** Aborts when the call is to end. */
  readonly signal: AbortSignal | undefined;
  /** Aborts when the time is up. */
  readonly timeout: AbortSignal | undefined;
}

/** What ends a call early. Throws a `TypeError` for a timeout that can't be. */
export function createDeadline(signal: AbortSignal | undefined, milliseconds: number | undefined): Deadline {
  const timeout = createTimeout(milliseconds);
  return { signal: signal && timeout ? AbortSignal.any([signal, timeout]) : signal ?? timeout, timeout };
}

function createTimeout(milliseconds: number | undefined): AbortSignal | undefined {
  if (milliseconds === undefined || milliseconds === Infinity) return undefined;
  if (typeof milliseconds === "number" && milliseconds >= 0 && milliseconds <= longestTimeout) {
    return AbortSignal.timeout(milliseconds);
  }
  throw new TypeError(`timeout is not a number of milliseconds from 0 to ${longestTimeout}, or Infinity`);
}

/** Whether a call ended because its time was up. */
export function isOverdue({ signal, timeout }: Deadline): boolean {
  return timeout !== undefined && timeout.aborted && signal?.reason === timeout.reason;
}

/** What `work` comes to, unless the signal aborts first: then it rejects at once, and what `work` comes to is of no account. */
export function untilAborted<Value>(signal: AbortSignal | undefined, work: Promise<Value>): Promise<Value> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
