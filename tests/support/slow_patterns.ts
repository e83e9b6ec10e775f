/** Finds texts that take a regular expression more time than in proportion to their length. */
import { createChoices } from "../../src/tools/json_schema/choices.ts";
import { degreeOf } from "../../src/tools/json_schema/pattern.ts";
import { drawPattern } from "../../src/tools/json_schema/sample_pattern.ts";

/** A text: a beginning that leads into the expression, a piece that is repeated, and an end that may not match. */
export interface Attack {
  readonly start: string;
  readonly piece: string;
  readonly end: string;
}

/** Some characters of each class, and line ends. */
const usual = [...'aA0_-. ,;=/"\\\n\r\t:@é\0{}[]()<>&?#%'];
const ends = ["", "\u0001", "\n", "//", "x\u0001"];

/** The lengths of the repeated text. The last is tried if the one before it takes longer than a linear search does. */
const lengths = [20, 26, 300, 1_500, 4_000, 20_000];
const longestLinear = 3; // milliseconds for 4,000 characters; a quadratic search takes ten times as long
const limit = 100; // milliseconds; a quadratic search of 20,000 characters takes 400 or more

/** Returns a text that takes a regular expression more time than the limits, or `undefined`. */
export function findAttack(pattern: RegExp): Attack | undefined {
  const repeated = new RegExp(pattern.source, pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`);
  if (isLinear(repeated)) return undefined;
  const characters = [...new Set([...usual, ...pattern.source.replaceAll(/[\\^$*+?()[\]{}|]/g, "").slice(0, 60)])];
  const pairs = characters.flatMap((one) => characters.slice(0, 4).map((other) => one + other));
  for (const start of startsOf(pattern)) {
    for (const piece of start === "" ? [...characters, ...pairs] : characters) {
      for (const end of ends) if (isSlow(repeated, { start, piece, end })) return { start, piece, end };
    }
  }
}

/** Whether an analysis shows that the time is linear, so that nothing needs to be timed. */
function isLinear({ source, sticky }: RegExp): boolean {
  return degreeOf(sticky ? `^(?:${source})` : source) === 1;
}

/** Returns the beginnings of texts that match: each of them ends somewhere in the expression. */
function startsOf({ source }: RegExp): string[] {
  const starts = new Set([""]);
  for (let seed = 0; seed < 6; seed++) {
    for (const text of drawPattern(source, createChoices(seed), { repeats: 1, isLong: false })) {
      for (let end = 1; end <= Math.min(text.length, 12); end++) starts.add(text.slice(0, end));
    }
  }
  return [...starts];
}

/** Whether a search takes too long for some length. The shorter ones show exponential and cubic time before the longer ones would hang. */
function isSlow(pattern: RegExp, { start, piece, end }: Attack): boolean {
  for (const length of lengths) {
    const text = start + piece.repeat(length / piece.length) + end;
    if (takesLong(pattern, text, limit)) return true;
    if (length === lengths.at(-2) && !takesLong(pattern, text, longestLinear)) return false;
  }
  return false;
}

/** Whether a search takes too long, also when it is repeated. */
function takesLong(pattern: RegExp, text: string, limit: number): boolean {
  return [1, 2].every(() => {
    const started = performance.now();
    text.replace(pattern, "");
    return performance.now() - started > limit;
  });
}
