/** The patterns of documents, which are often written for other languages. */

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
