/** The `Link` field (RFC 8288) that leads to the next page of a list: the same URL, but for where the page begins. */
export function linkNext(url: string, next: number | null): string | undefined {
  if (next === null) return undefined;
  const { pathname, searchParams } = new URL(url);
  searchParams.set("after", String(next));
  return `<${pathname}?${searchParams}>; rel="next"`;
}
