/** The patterns of documents, which are often written for other languages. */
import { isWithinPattern } from "../json_schema/pattern_language.ts";

/** Returns the source of a pattern that is valid with the flag `u`. */
export function toPattern(pattern: string): string | undefined {
  const unescaped = pattern.replaceAll(
    /\\(?=[-_@#%&'",:;<=>`~! ])/g,
    (match, offset: number, text: string) => text[offset + 1] === "-" ? match : "",
  );
  const braced = unescaped.replaceAll(
    /\{\d+(?:,\d*)?\}|\\[pPu]\{[^{}]*\}|\\[^]|([{}])/g,
    (match, brace?: string) => brace === undefined ? match : `\\${brace}`,
  );
  for (const candidate of [pattern, unescaped, braced]) {
    try {
      return new RegExp(candidate, "u").source;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Matches an escape or a class. */
const single = /\\[^]|\[(?:\\[^]|[^\]\\])*\]/g;

/**
 * Returns whether certainly no text matches a pattern, such as `/^[a-z]+$/i`, which was written with its delimiters.
 * Only patterns are searched that have `^` behind or `$` before other characters, or a class of nothing.
 */
export function matchesNothing(pattern: string): boolean {
  const isSuspect = /[^(|]\^|\$[^)|]/.test(pattern.replaceAll(single, "x")) || /\[\]|\[\^\\s\\S\]/.test(pattern);
  return isSuspect && isWithinPattern([pattern], "[]");
}
