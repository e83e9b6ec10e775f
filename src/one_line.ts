/**
 * Formats text in one line. Line breaks and control characters are escaped as in JSON, so that text from elsewhere can
 * neither forge lines of a log nor control a terminal.
 */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : escaped;
  });
}
