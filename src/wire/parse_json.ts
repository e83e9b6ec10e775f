/**
 * The maximum depth of a decoded body. Schemas recurse into each level, and the stack overflows after some thousands.
 */
export const maxLevels = 1000;

/** Parses a JSON text. Throws a `SyntaxError` if it is malformed or nested too deeply. */
export function parseJson(text: string): unknown {
  const mayBeTooDeep = text.length > 2 * maxLevels; // a level has two brackets
  if (mayBeTooDeep && isTextTooDeep(text)) {
    throw new SyntaxError(`The JSON has more than ${maxLevels} levels of nesting`);
  }
  return JSON.parse(text);
}

/** Whether too many levels are open at once, counting brackets outside strings. */
function isTextTooDeep(text: string): boolean {
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) { // [ or {
      if (++level > maxLevels) return true;
    } else if (code === 0x5d || code === 0x7d) level--; // ] or }
    else if (code === 0x22) { // "
      do at = text.indexOf('"', at + 1); while (isEscaped(text, at));
      if (at === -1) return false; // an unterminated string, which is malformed
    }
  }
  return false;
}

/** Whether an odd number of backslashes precedes the character at `index`. */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text[start - 1] === "\\") start--;
  return (index - start) % 2 === 1;
}
