/** Draws texts that match a regular expression. Assertions are only approximated, so the caller must test the texts. */
import { type Choices, choose, chooseFrom } from "./choices.ts";
import { spend } from "./steps.ts";

/** Draws a part of a text. */
type Generate = (drawing: Drawing) => string;

/** The state of one drawing. */
interface Drawing {
  readonly choices: Choices;
  /** The most repetitions in addition to the required ones. */
  readonly repeats: number;
  /** Whether everything is repeated as often as possible. */
  readonly isLong: boolean;
  /** The texts that groups matched, by number and name. */
  readonly groups: Map<string, string>;
  /** The texts that lookaheads require. */
  readonly wanted: string[];
  /** How many repetitions are left. */
  readonly budget: { left: number };
}

/** How long a text should be. */
export interface PatternReach {
  /** The most repetitions in addition to the required ones. */
  readonly repeats: number;
  /** Whether everything is repeated as often as possible. */
  readonly isLong: boolean;
}

/** A position in the source of a regular expression. */
interface Reader {
  readonly source: string;
  index: number;
  groups: number;
}

/** The most repetitions in a text, because nested repetitions multiply. */
const mostRepeats = 20_000;

const generators = new Map<string, Generate>();

/** Draws texts that are likely to match a regular expression. The caller must test them. */
export function drawPattern(pattern: string, choices: Choices, reach: PatternReach): readonly string[] {
  const generate = generators.get(pattern) ?? parseAlternatives({ source: pattern, index: 0, groups: 0 });
  generators.set(pattern, generate);
  const drawing = { choices, ...reach, groups: new Map(), wanted: [], budget: { left: mostRepeats } };
  const text = generate(drawing);
  return drawing.wanted.length === 0 ? [text] : [text, drawing.wanted.join("") + text];
}

function parseAlternatives(reader: Reader): Generate {
  const alternatives = [parseSequence(reader)];
  while (takes(reader, "|")) alternatives.push(parseSequence(reader));
  const [only, ...others] = alternatives;
  return only !== undefined && others.length === 0
    ? only
    : (drawing) => chooseFrom(drawing.choices, alternatives)(drawing);
}

function parseSequence(reader: Reader): Generate {
  const terms: Generate[] = [];
  while (!["|", ")", undefined].includes(reader.source[reader.index])) {
    terms.push(parseQuantified(reader));
  }
  return (drawing) => terms.map((term) => term(drawing)).join("");
}

function parseQuantified(reader: Reader): Generate {
  const term = parseTerm(reader);
  const [text, least, most] = readQuantifier(reader);
  if (text === undefined) return term;
  return (drawing) => {
    const more = Math.min(most - least, drawing.repeats);
    const wished = least + (drawing.isLong ? more : choose(drawing.choices, more + 1));
    const count = Math.max(0, Math.min(wished, drawing.budget.left));
    drawing.budget.left -= count;
    spend(count / 10);
    return Array.from({ length: count }, () => term(drawing)).join("");
  };
}

function readQuantifier(reader: Reader): [text: string | undefined, least: number, most: number] {
  const [, text, from, comma, to] = takeMatch(reader, /([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y) ?? [];
  if (text === "*") return [text, 0, Infinity];
  if (text === "+") return [text, 1, Infinity];
  if (text === "?") return [text, 0, 1];
  return [text, Number(from), to ? Number(to) : comma ? Infinity : Number(from)];
}

function parseTerm(reader: Reader): Generate {
  const character = String.fromCodePoint(reader.source.codePointAt(reader.index) ?? 0);
  if (character === "(") return parseGroup(reader);
  if (character === "[") return parseClass(reader);
  if (character === "\\") return parseEscape(reader);
  reader.index += character.length;
  if (character === "^" || character === "$") return nothing;
  return character === "." ? anyOf(".") : () => character;
}

function nothing(): string {
  return "";
}

function parseGroup(reader: Reader): Generate {
  reader.index++;
  const [opening] = takeMatch(reader, /\?(?:<[=!]|[=!]|<[^>]*>|[a-z-]*:)/y) ?? [];
  const names = opening === undefined || /^\?<[^=!]/.test(opening) ? nameGroup(reader, opening) : undefined;
  const inner = parseAlternatives(reader);
  takes(reader, ")");
  if (names) return (drawing) => remember(drawing, names, inner(drawing));
  if (opening === "?=") return (drawing) => want(drawing, inner(drawing));
  return opening?.endsWith(":") ? inner : nothing; // negative lookaheads and lookbehinds are not drawn
}

function nameGroup(reader: Reader, opening: string | undefined): string[] {
  reader.groups++;
  return [String(reader.groups), ...opening ? [opening.slice(2, -1)] : []];
}

function remember({ groups }: Drawing, names: readonly string[], text: string): string {
  for (const name of names) groups.set(name, text);
  return text;
}

function want({ wanted }: Drawing, text: string): string {
  wanted.push(text);
  return "";
}

function parseClass(reader: Reader): Generate {
  const [text = "[]"] = takeMatch(reader, /\[(?:\\[^]|[^\]\\])*\]/y) ?? [];
  return anyOf(text);
}

const controls: Readonly<Record<string, string>> = { t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", 0: "\0" };

function parseEscape(reader: Reader): Generate {
  const [text, property, code, unit, control, group, letter = ""] = takeMatch(
    reader,
    /\\(?:([dDwWsS]|[pP]\{[^}]*\})|u\{([^}]*)\}|[ux]([\da-fA-F]{4}|[\da-fA-F]{2})|c([a-zA-Z])|([1-9]\d*|k<[^>]*>)|([^]))/y,
  ) ??
    [];
  if (text === undefined) throw new TypeError(`Cannot sample the pattern ${JSON.stringify(reader.source)}`);
  if (property) return anyOf(text);
  const hex = code ?? unit;
  if (hex !== undefined) return () => String.fromCodePoint(parseInt(hex, 16));
  if (control !== undefined) return () => String.fromCharCode(control.charCodeAt(0) % 32);
  if (group !== undefined) return ({ groups }) => groups.get(group.replace(/^k<|>$/g, "")) ?? "";
  if (letter === "b" || letter === "B") return nothing;
  return () => controls[letter] ?? letter;
}

function takes(reader: Reader, character: string): boolean {
  if (reader.source[reader.index] !== character) return false;
  reader.index++;
  return true;
}

function takeMatch(reader: Reader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = reader.index;
  const match = expression.exec(reader.source);
  if (match) reader.index = expression.lastIndex;
  return match;
}

/** Characters to try, the simplest first. */
const pool: readonly string[] = [
  ...new Set("aAb0 cdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ123456789-_."),
  ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
  ..."éßñøΩЖ中あअاא€™\t\n\u00a0😀𝒳\0",
];

const classes = new Map<string, readonly string[]>();

/** Draws a character that a class or an escape matches. */
function anyOf(text: string): Generate {
  const known = classes.get(text) ?? listCharacters(text);
  classes.set(text, known);
  return ({ choices }) => known.length === 0 ? "" : chooseFrom(choices, known);
}

function listCharacters(text: string): readonly string[] {
  const expression = compileClass(text);
  const plain = [...new Set(pool)].filter((character) => expression.test(character));
  if (plain.length > 0) return plain;
  for (let code = 0; code < 0x1_1000; code++) {
    const character = String.fromCodePoint(code);
    if (expression.test(character)) return [character];
  }
  return [];
}

function compileClass(text: string): RegExp {
  try {
    return new RegExp(`^${text}$`, "u");
  } catch {
    return new RegExp(`^${text}$`);
  }
}
