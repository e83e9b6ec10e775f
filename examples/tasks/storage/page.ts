/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** The id after which the next page starts; `null` on the last page. */
  readonly next: number | null;
}

/** Creates a page from its items and, if there is one, the first item of the next page. */
export function toPage<Item extends { readonly id: number }>(found: readonly Item[], limit: number): Page<Item> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? items.at(-1)?.id ?? null : null };
}
