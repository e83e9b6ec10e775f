/** Producers of which a test can tell how often they were asked and closed. */

/** What was asked of a producer. */
export interface Watched<Item> {
  /** The producer. */
  readonly source: AsyncIterable<Item>;
  /** How often `next()` and `return()` ran. */
  readonly count: { next: number; return: number };
}

/** An asynchronous iterable of the given items; each may be a function that makes it, or throws. */
export function watch<Item>(items: Iterable<Item | (() => Item | Promise<Item>)>): Watched<Item> {
  const count = { next: 0, return: 0 };
  const left = items[Symbol.iterator]();
  const iterator: AsyncIterator<Item> = {
    async next(): Promise<IteratorResult<Item>> {
      count.next++;
      const step = left.next();
      if (step.done) return { done: true, value: undefined };
      const make = step.value;
      return { done: false, value: typeof make === "function" ? await (make as () => Item)() : make };
    },
    return(): Promise<IteratorResult<Item>> {
      count.return++;
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return { source: { [Symbol.asyncIterator]: () => iterator }, count };
}

/** The same without promises. */
export function watchSync<Item>(items: Iterable<Item>): {
  readonly source: { [Symbol.iterator](): Iterator<Item> };
  readonly count: { next: number; return: number };
} {
  const count = { next: 0, return: 0 };
  const left = items[Symbol.iterator]();
  const iterator: Iterator<Item> = {
    next(): IteratorResult<Item> {
      count.next++;
      return left.next();
    },
    return(): IteratorResult<Item> {
      count.return++;
      return { done: true, value: undefined };
    },
  };
  return { source: { [Symbol.iterator]: () => iterator }, count };
}

/** Waits until what was promised at once has happened. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Numbers without end. */
export function* naturals(): Generator<number> {
  for (let number = 0;; number++) yield number;
}
