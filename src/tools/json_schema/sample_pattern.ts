/** Draws texts that match a regular expression. Assertions are only approximated, so the caller must test the texts. */
import { type Choices, choose, chooseFrom } from "./choices.ts";
import { compile, type GroupPart, parsePattern, type PatternPart, type RepeatedPart } from "./pattern_syntax.ts";
import { spend } from "./steps.ts";

type Generate = (drawing: Drawing) => string;

interface Drawing {
  readonly choices: Choices;
  /** The most repetitions in addition to the required ones. */
  readonly repeats: number;
  /** Whether everything is repeated as often as possible. */
  readonly isLong: boolean;
  readonly groups: Map<string, string>;
  readonly wanted: string[];
  readonly budget: { left: number };
}

export type PatternReach = Pick<Drawing, "repeats" | "isLong">;

/** The most repetitions in a text, because nested repetitions multiply. */
const mostRepeats = 20_000;

const generators = new Map<string, Generate>();

/** Draws texts that are likely to match a regular expression. The caller must test them. */
export function drawPattern(pattern: string, choices: Choices, reach: PatternReach): readonly string[] {
  const generate = generators.get(pattern) ?? createGenerator(pattern);
  generators.set(pattern, generate);
  const drawing = { choices, ...reach, groups: new Map(), wanted: [], budget: { left: mostRepeats } };
  const text = generate(drawing);
  return drawing.wanted.length === 0 ? [text] : [text, drawing.wanted.join("") + text];
}

function createGenerator(pattern: string): Generate {
  const part = parsePattern(pattern);
  if (part === undefined) throw new TypeError(`Cannot sample the pattern ${JSON.stringify(pattern)}`);
  return toGenerate(part);
}

function toGenerate(part: PatternPart): Generate {
  switch (part.type) {
    case "characters":
      return ofCharacters(part.text);
    case "sequence": {
      const parts = part.parts.map(toGenerate);
      return (drawing) => parts.map((each) => each(drawing)).join("");
    }
    case "choice": {
      const parts = part.parts.map(toGenerate);
      return (drawing) => chooseFrom(drawing.choices, parts)(drawing);
    }
    case "repeated":
      return ofRepeated(part);
    case "group":
      return ofGroup(part);
    case "assertion":
      return nothing;
    case "reference":
      return ({ groups }) => groups.get(part.to) ?? "";
  }
}

function nothing(): string {
  return "";
}

function ofRepeated({ part, least, most }: RepeatedPart): Generate {
  const generate = toGenerate(part);
  return (drawing) => {
    const more = Math.min(most - least, drawing.repeats);
    const wished = least + (drawing.isLong ? more : choose(drawing.choices, more + 1));
    const count = Math.max(0, Math.min(wished, drawing.budget.left));
    drawing.budget.left -= count;
    spend(count / 10);
    return Array.from({ length: count }, () => generate(drawing)).join("");
  };
}

function ofGroup({ part, opening, number }: GroupPart): Generate {
  const inner = toGenerate(part);
  if (number !== undefined) {
    return (drawing) => {
      const text = inner(drawing);
      for (const name of [String(number), opening.slice(2, -1)]) drawing.groups.set(name, text);
      return text;
    };
  }
  if (opening === "?=") {
    return (drawing) => {
      drawing.wanted.push(inner(drawing));
      return "";
    };
  }
  return opening.endsWith(":") ? inner : nothing; // negative lookaheads and lookbehinds are not drawn
}

const controls: Readonly<Record<string, string>> = { t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", 0: "\0" };

/** Draws what a character, a class or an escape stands for. */
function ofCharacters(text: string): Generate {
  const [escaped, code, unit, control, letter = ""] =
    /^\\(?:u\{([^}]*)\}|[ux]([\da-fA-F]+)|c([a-zA-Z])|([^dDwWsSpP]))$/u.exec(text) ?? [];
  if (escaped === undefined) return text === "." || /^[[\\]/.test(text) ? anyOf(text) : () => text;
  const hex = code ?? unit;
  if (hex !== undefined) return () => String.fromCodePoint(parseInt(hex, 16));
  if (control !== undefined) return () => String.fromCharCode(control.charCodeAt(0) % 32);
  return () => controls[letter] ?? letter;
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
  const expression = compile(`^${text}$`);
  const plain = [...new Set(pool)].filter((character) => expression.test(character));
  if (plain.length > 0) return plain;
  for (let code = 0; code < 0x1_1000; code++) {
    const character = String.fromCodePoint(code);
    if (expression.test(character)) return [character];
  }
  return [];
}
