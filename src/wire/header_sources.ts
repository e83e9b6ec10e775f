/** Header fields in one of the forms in which a caller may give them. */
export type HeaderSource = Iterable<readonly [name: string, value: unknown]> | Readonly<Record<string, unknown>>;

/** Header fields of several sources, the nearest last. */
export type HeaderSources = readonly (HeaderSource | undefined)[];

/** The fields of a source, each with what is given for it. */
export function fieldsOf(source: HeaderSource): Iterable<readonly [name: string, value: unknown]> {
  return Symbol.iterator in source ? source as Iterable<readonly [string, unknown]> : Object.entries(source);
}

/** Whether one of the sources names a field, be it to remove it. */
export function namesHeader(sources: HeaderSources, field: string): boolean {
  return sources.some((source) => source && [...fieldsOf(source)].some(([name]) => name.toLowerCase() === field));
}
