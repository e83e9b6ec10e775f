/** The syntax of regular expressions of JavaScript, as a tree. */

export type PatternPart =
  /** A character, a class or an escape, as it is written. */
  | { readonly type: "characters"; readonly text: string }
  | { readonly type: "sequence" | "choice"; readonly parts: readonly PatternPart[] }
  | RepeatedPart
  | GroupPart
  /** What is required of a place: `^`, `$`, `\b` or `\B`. */
  | { readonly type: "assertion"; readonly text: string }
  /** The text of a group once more, by its number or name. */
  | { readonly type: "reference"; readonly to: string };

export interface RepeatedPart {
  readonly type: "repeated";
  readonly part: PatternPart;
  readonly least: number;
  /** `Infinity` if there is no limit. */
  readonly most: number;
  /** Whether the numbers are written: `{1,}` and not `+`. */
  readonly isCounted: boolean;
}

export interface GroupPart {
  readonly type: "group";
  readonly part: PatternPart;
  /** What is inside, as it is written. */
  readonly source: string;
  /** What follows the parenthesis: `?:`, `?=`, or nothing. */
  readonly opening: string;
  /** The number of a group that captures its text. */
  readonly number: number | undefined;
}

interface PatternReader {
  readonly source: string;
  index: number;
  groups: number;
}

/** The most groups within each other. Deeper patterns could overflow the stack. */
const deepest = 100;

/** Thrown if a pattern is malformed, or too deep. */
class Unreadable extends Error {}

/** Parses a regular expression. `undefined` if it is malformed, or has groups more than 100 levels deep. */
export function parsePattern(source: string): PatternPart | undefined {
  const reader: PatternReader = { source, index: 0, groups: 0 };
  try {
    const whole = readChoice(reader, 0);
    return reader.index < source.length ? undefined : whole;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function readChoice(reader: PatternReader, depth: number): PatternPart {
  if (depth > deepest) throw new Unreadable();
  const parts = [readSequence(reader, depth)];
  while (take(reader, /\|/y)) parts.push(readSequence(reader, depth));
  return parts.length === 1 ? parts[0]! : { type: "choice", parts };
}

function readSequence(reader: PatternReader, depth: number): PatternPart {
  const parts: PatternPart[] = [];
  while (!["|", ")", undefined].includes(reader.source[reader.index])) parts.push(readRepeated(reader, depth));
  return { type: "sequence", parts };
}

function readRepeated(reader: PatternReader, depth: number): PatternPart {
  const part = readTerm(reader, depth);
  const [text, from, comma, to] = take(reader, /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y) ?? [];
  if (text === undefined) return part;
  const [least, most] = from === undefined
    ? [text.startsWith("+") ? 1 : 0, text.startsWith("?") ? 1 : Infinity]
    : [Number(from), comma === undefined ? Number(from) : to === "" ? Infinity : Number(to)];
  return { type: "repeated", part, least, most, isCounted: from !== undefined };
}

function readTerm(reader: PatternReader, depth: number): PatternPart {
  const [parenthesis, opening = ""] = take(reader, /\((\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/y) ?? [];
  if (parenthesis !== undefined) return readGroup(reader, opening, depth);
  const [assertion] = take(reader, /\^|\$|\\[bB]/y) ?? [];
  if (assertion !== undefined) return { type: "assertion", text: assertion };
  const [reference, number, name = ""] = take(reader, /\\(?:([1-9]\d*)|k<([^>]*)>)/y) ?? [];
  if (reference !== undefined) return { type: "reference", to: number ?? name };
  const [text] = take(
    reader,
    /\[(?:\\[^]|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^])|[^[]/uy,
  ) ?? [];
  if (text === undefined) throw new Unreadable();
  return { type: "characters", text };
}

function readGroup(reader: PatternReader, opening: string, depth: number): GroupPart {
  const start = reader.index;
  const number = opening === "" || /^\?<[^=!]/.test(opening) ? ++reader.groups : undefined;
  const part = readChoice(reader, depth + 1);
  const source = reader.source.slice(start, reader.index);
  if (!take(reader, /\)/y)) throw new Unreadable();
  return { type: "group", part, source, opening, number };
}

/** Reads what a sticky expression matches; `null` if it matches nothing here. */
function take(reader: PatternReader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = reader.index;
  const match = expression.exec(reader.source);
  if (match) reader.index = expression.lastIndex;
  return match;
}

/** Compiles a regular expression in Unicode mode, or without it if it is not valid in it. */
export function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return compileLoosely(pattern);
  }
}

function compileLoosely(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (cause) {
    throw new TypeError(`Cannot read a JSON Schema: the pattern ${pattern} is not a JavaScript regular expression`, {
      cause,
    });
  }
}
