/**
 * Values that may be promises. What is synchronous stays synchronous: an `async` function costs 70 ns, each `await` 200 ns. What runs
 * for every request passes `given` in place of a closure over it, which saves a tenth of the time of a text in memory.
 */

/** A value, or a promise of it. */
export type Awaitable<Value> = Value | PromiseLike<Value>;

/** What a function returned, or a promise of this realm of what that resolves to. */
export type Ready<Returned> = Returned | Promise<Awaited<Returned>>;

/** Whether `value` must be awaited: it is a promise of any realm, or another object with a method `then`. */
export function isPromise<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

/** Passes a value to `next`, now or when it is there. */
export function whenReady<Value, Next, Given = undefined>(
  value: Awaitable<Value>,
  next: (value: Value, given: Given) => Next,
  given?: Given,
): Ready<Next> {
  return isPromise(value) ? nextLater(value, next, given as Given) : next(value, given as Given);
}

/**
 * Runs `work` and passes its value to `next`, now or when it is there. What `work` throws or rejects with is passed to `recover`
 * instead; what `next` throws is not.
 */
export function attempt<Value, Recovered, Next = Value, Given = undefined>(
  work: (given: Given) => Awaitable<Value>,
  recover: (error: unknown, given: Given) => Recovered,
  next?: (value: Value, given: Given) => Next,
  given?: Given,
): Ready<Next | Recovered> {
  let value: Awaitable<Value>;
  try {
    value = work(given as Given);
    if (isPromise(value)) return settleLater(value, recover, next, given as Given);
  } catch (error) {
    return recover(error, given as Given);
  }
  return next ? next(value, given as Given) : value as Value & Next; // which Next is, where there is no `next`
}

// functions of their own: one that has a closure in it allocates for that closure even if it is not made

function nextLater<Value, Next, Given>(
  value: PromiseLike<Value>,
  next: (value: Value, given: Given) => Next,
  given: Given,
): Promise<Awaited<Next>> {
  return Promise.resolve(value).then((value) => next(value, given)) as Promise<Awaited<Next>>;
}

function settleLater<Value, Recovered, Next, Given>(
  value: PromiseLike<Value>,
  recover: (error: unknown, given: Given) => Recovered,
  next: ((value: Value, given: Given) => Next) | undefined,
  given: Given,
): Promise<Awaited<Next | Recovered>> {
  const settled = Promise.resolve(value).then(
    next && ((value) => next(value, given)),
    (error) => recover(error, given),
  );
  return settled as Promise<Awaited<Next | Recovered>>;
}
