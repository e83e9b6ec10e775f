/** The most levels of nesting in a decoded body. Schemas recurse into each level, and the stack overflows after some thousand. */
export const maxLevels = 1000;

/** The value of a JSON text; throws a `SyntaxError` if it is malformed or nested too deeply. */
export function parseJson(text: string): unknown {
  const mayBeTooDeep = text.length > 2 * maxLevels; // a level has two brackets
  if (mayBeTooDeep && isTextTooDeep(text)) {
    throw new SyntaxError(`The JSON has more than ${maxLevels} levels of nesting`);
  }
  return JSON.parse(text);
}

/** Whether more than the allowed levels are open at once, counting brackets outside of strings. */
function isTextTooDeep(text: string): boolean {
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quotationMark) at = stringEnd(text, at);
    else if (code === 0x5b || code === 0x7b) { // [ or {
      if (++level > maxLevels) return true;
    } else if (code === 0x5d || code === 0x7d) level--; // ] or }
  }
  return false;
}

const quotationMark = 0x22;
const backslash = 0x5c;

/** The index of the quotation mark that ends the string at `start`, or of the end of the text. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes precedes the character at `index`. */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text.charCodeAt(start - 1) === backslash) start--;
  return (index - start) % 2 === 1;
}
