/** Producers that count how often they were called and closed. */

/** The calls of a producer. */
export interface Watched<Item> {
  /** The producer. */
  readonly source: AsyncIterable<Item>;
  /** How often `next()` and `return()` ran. */
  readonly count: { next: number; return: number };
}

/** Returns an async iterable of the items. An item may be a function that returns it or throws. */
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

/** Returns the same without promises. */
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

/** Waits until all pending promises have settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Endless numbers. */
export function* naturals(): Generator<number> {
  for (let number = 0;; number++) yield number;
}
