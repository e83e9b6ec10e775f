/** Returns the `Link` header (RFC 8288) to the next page of a list: the same URL with another start. */
export function linkNext(url: string, next: number | null): string | undefined {
  if (next === null) return undefined;
  const { pathname, searchParams } = new URL(url);
  searchParams.set("after", String(next));
  return `<${pathname}?${searchParams}>; rel="next"`;
}
