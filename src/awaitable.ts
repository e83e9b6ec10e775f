/**
 * What may take time: values that may be promises, and waits that a signal ends. Synchronous work stays synchronous,
 * because an `async` function costs 70 ns and each `await` 200 ns. Code that runs for every request passes an argument on
 * instead of closing over it, which saves a tenth of the time of a text in memory.
 */

/** A value, or a promise of it. A compiler compares a native promise with `Promise` by its value alone, in one line. */
export type Awaitable<Value> = Value | PromiseLike<Value> | Promise<Value>;

/** The return value of a function, or a native promise of what that resolves to. */
export type Ready<Returned> = Returned | Promise<Awaited<Returned>>;

/** Returns whether `value` must be awaited: it is a promise of any realm, or another object with a method `then`. */
export function isPromise<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && typeof (value as PromiseLike<Value> | null)?.then === "function";
}

/** Calls `next` with a value, now or when it resolves. */
export function whenReady<Value, Next>(value: Awaitable<Value>, next: (value: Value) => Next): Ready<Next>;
/** Calls `next` with a value and an argument, now or when the value resolves. */
export function whenReady<Value, Next, Argument>(
  value: Awaitable<Value>,
  next: (value: Value, argument: Argument) => Next,
  argument: Argument,
): Ready<Next>;
export function whenReady(value: unknown, next: Next, argument?: unknown): unknown {
  return isPromise(value) ? settleLater(value, next, argument) : next(value, argument);
}

/**
 * Runs `work` and calls `next` with its value, now or when it resolves. If `work` throws or rejects, calls `recover`
 * with the error instead. Errors of `next` are not caught.
 */
export function attempt<Value, Recovered, Next = Value>(
  work: () => Awaitable<Value>,
  recover: (error: unknown) => Recovered,
  next?: (value: Value) => Next,
): Ready<Next | Recovered>;
/** Does the same, and passes an argument to all three functions. */
export function attempt<Value, Recovered, Next, Argument>(
  work: (argument: Argument) => Awaitable<Value>,
  recover: (error: unknown, argument: Argument) => Recovered,
  next: (value: Value, argument: Argument) => Next,
  argument: Argument,
): Ready<Next | Recovered>;
export function attempt(work: (argument: unknown) => unknown, recover: Next, next?: Next, argument?: unknown): unknown {
  let value: unknown;
  try {
    value = work(argument);
    if (isPromise(value)) return settleLater(value, next, argument, recover);
  } catch (error) {
    return recover(error, argument);
  }
  return next ? next(value, argument) : value;
}

/** Ignores an outcome, such as the error of a hook. */
export function ignore(): void {}

type Next = (value: unknown, argument: unknown) => unknown;

// a separate function: one that contains a closure allocates for it even if the closure is not created
function settleLater(
  value: PromiseLike<unknown>,
  next: Next | undefined,
  argument: unknown,
  recover?: Next,
): Promise<unknown> {
  return Promise.resolve(value).then(
    next && ((value) => next(value, argument)),
    recover && ((error) => recover(error, argument)),
  );
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

/** The longest timeout that the timers of every runtime support, in milliseconds. */
export const longestTimeout = 2_147_483_647;

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
