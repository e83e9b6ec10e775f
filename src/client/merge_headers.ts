import { isExactFieldValue } from "../wire/headers.ts";
import { toTexts } from "../wire/text_fields.ts";
import { fieldsOf, type HeaderSources } from "../wire/header_sources.ts";

/**
 * Merges header fields from several sources. A later source overrides an earlier one, and its `undefined` removes a
 * field. Throws a `TypeError` if a header cannot carry a value. Returns `undefined` without sources, because a request
 * spends 1 µs on empty `Headers`.
 */
export function mergeHeaders(sources: HeaderSources): Headers | undefined {
  const present = sources.filter((source) => source !== undefined);
  if (present.length === 0) return undefined;
  const merged = new Headers();
  for (const source of present) {
    for (const [name, value] of fieldsOf(source)) {
      merged.delete(name);
      for (const text of toHeaderTexts(name, value)) merged.append(name, text);
    }
  }
  return merged;
}

function toHeaderTexts(name: string, value: unknown): string[] {
  const texts = toTexts(value);
  if (texts?.every(isExactFieldValue)) return texts;
  throw new TypeError(`the value of the header ${JSON.stringify(name)} is invalid`);
}
