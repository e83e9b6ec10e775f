/** A page of a list, and the cursor of the next one, if there is one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string | null | undefined;
}

/**
 * Yields the items of all pages, the first page without a cursor. Throws if a cursor is repeated, after `maxPages` pages,
 * and with the reason of `signal` when it aborts. If a page fails, the items before it have been yielded.
 */
export async function* allPages<Item>(
  read: (after: string | undefined, signal: AbortSignal | undefined) => Promise<Page<Item>>,
  { maxPages = 10_000, signal }: { readonly maxPages?: number; readonly signal?: AbortSignal } = {},
): AsyncGenerator<Item> {
  const seen = new Set<string>();
  let after: string | undefined;
  for (;;) {
    const { items, next } = await read(after, signal).catch((error) => {
      signal?.throwIfAborted();
      throw error;
    });
    for (const item of items) {
      signal?.throwIfAborted();
      yield item;
    }
    if (!next) return;
    if (seen.has(next)) throw new Error(`The cursor ${next} was repeated`);
    if (seen.add(next).size === maxPages) throw new Error(`There are more than ${maxPages} pages`);
    after = next;
  }
}
