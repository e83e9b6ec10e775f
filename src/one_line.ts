/**
 * Formats text in one line. Line breaks, control characters and invisible format characters are escaped as in JSON, so
 * that text from elsewhere can neither forge lines of a log, nor control a terminal, nor reorder what it shows.
 */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? character.replaceAll(/[^]/g, toEscape) : escaped;
  });
}

/** Escapes a code unit: a character beyond the basic plane has two. */
function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
