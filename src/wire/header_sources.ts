/** Headers in one of the forms that callers can pass. */
export type HeaderSource = Iterable<readonly [name: string, value: unknown]> | Readonly<Record<string, unknown>>;

/** Headers of several sources. Later ones win. */
export type HeaderSources = readonly (HeaderSource | undefined)[];

/** The headers of a source, with their values. */
export function fieldsOf(source: HeaderSource): Iterable<readonly [name: string, value: unknown]> {
  return Symbol.iterator in source ? source as Iterable<readonly [string, unknown]> : Object.entries(source);
}

/** Whether one of the sources contains a header, even to remove it. */
export function namesHeader(sources: HeaderSources, field: string): boolean {
  return sources.some((source) => source && [...fieldsOf(source)].some(([name]) => name.toLowerCase() === field));
}
