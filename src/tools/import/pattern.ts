/** The patterns of documents, which are often written for other languages. */
import { parsePattern, type PatternPart } from "../json_schema/pattern_syntax.ts";

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

/**
 * Returns whether certainly no text matches a pattern, such as `/^[a-z]+$/i`, which was written with its delimiters: it
 * has a class of nothing, or characters before `^` or behind `$`.
 */
export function matchesNothing(pattern: string): boolean {
  const part = parsePattern(pattern);
  return part !== undefined && isImpossible(part);
}

function isImpossible(part: PatternPart): boolean {
  switch (part.type) {
    case "characters":
      return part.text === "[]" || part.text === "[^\\s\\S]";
    case "choice":
      return part.parts.every(isImpossible);
    case "repeated":
      return part.least > 0 && isImpossible(part.part);
    case "group":
      return !/^\?<?[=!]/.test(part.opening) && isImpossible(part.part);
    case "sequence": {
      const at = (text: string) => part.parts.map((each) => each.type === "assertion" && each.text === text);
      const [start, end] = [at("^").lastIndexOf(true), at("$").indexOf(true)];
      return part.parts.some((each, index) =>
        isImpossible(each) || ((index < start || (end >= 0 && index > end)) && hasCharacters(each))
      );
    }
    default:
      return false;
  }
}

/** Returns whether a part certainly takes a character of the text. */
function hasCharacters(part: PatternPart): boolean {
  switch (part.type) {
    case "characters":
      return true;
    case "choice":
      return part.parts.every(hasCharacters);
    case "sequence":
      return part.parts.some(hasCharacters);
    case "repeated":
      return part.least > 0 && hasCharacters(part.part);
    case "group":
      return !/^\?<?[=!]/.test(part.opening) && hasCharacters(part.part);
    default:
      return false;
  }
}
