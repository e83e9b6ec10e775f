import { isExactFieldValue } from "../wire/headers.ts";
import { toTexts } from "../wire/text_fields.ts";
import { type HeaderFields } from "./settings.ts";

/**
 * Header fields of several sources: a later one wins over an earlier one, its `undefined` removes. Throws where a header can't
 * carry a value.
 */
export function mergeHeaders(sources: readonly (HeaderFields | undefined)[]): Headers {
  const merged = new Headers();
  for (const source of sources) {
    if (source === undefined) continue;
    for (const [name, value] of Symbol.iterator in source ? source : Object.entries(source)) {
      merged.delete(name);
      for (const text of toHeaderTexts(name, value)) merged.append(name, text);
    }
  }
  return merged;
}

function toHeaderTexts(name: string, value: unknown): string[] {
  const texts = toTexts(value);
  if (texts?.every(isExactFieldValue)) return texts;
  throw new TypeError(`the header ${JSON.stringify(name)} cannot carry the value that was given`);
}
