/** Draws texts. */
import { type Choices, choose, chooseFrom } from "./choices.ts";
import { countCodePoints } from "./json.ts";
import { drawFormat } from "./sample_format.ts";
import { drawPattern, type PatternReach } from "./sample_pattern.ts";
import { canTest, matchesPattern } from "./pattern.ts";
import type { StringShape } from "./shapes.ts";

/** The longest text that is drawn only for its length. */
const longest = 5_000;

/**
 * Tests whether a text has a shape. Ignores `also` and `not`. JSON Schema counts code points, but most libraries count
 * UTF-16 code units. Without a pattern, which may require characters of two units, the length must be valid in both.
 */
export function fitsText({ minLength, maxLength, patterns }: StringShape, text: string): boolean {
  const points = countCodePoints(text);
  return points >= minLength && (patterns.length > 0 ? points : text.length) <= maxLength &&
    patterns.every((pattern) => canTest(pattern, text) && matchesPattern(pattern, text));
}

export function drawText(shape: StringShape, choices: Choices, isRealistic = false): string | undefined {
  const { patterns, formats } = shape;
  const named = formatsOf(shape, formats);
  const isLikely = isRealistic && named.length === 0 && patterns.some(({ length }) => length > longPattern);
  const candidates = (isLikely ? usualFormats : named).flatMap((format) => drawFormat(format, choices));
  const formatted = candidates.find((text) => fitsText(shape, text));
  if (formatted !== undefined) return formatted;
  return patterns.length > 0 ? drawMatch(shape, choices) : drawPlain(shape, choices, isRealistic);
}

function formatsOf({ sources }: StringShape, formats: readonly string[]): readonly string[] {
  const encoding = sources.find(({ contentEncoding }) => contentEncoding !== undefined)?.contentEncoding;
  return typeof encoding === "string" ? [...formats, encoding] : formats;
}

function drawMatch(shape: StringShape, choices: Choices): string | undefined {
  const { patterns, minLength } = shape;
  for (const pattern of patterns) {
    for (const reach of reaches(minLength)) {
      const found = drawPattern(pattern, choices, reach).flatMap((text) => [text, pad(text, minLength)])
        .find((text) => fitsText(shape, text));
      if (found !== undefined) return found;
    }
  }
}

/** Yields how long the drawn texts may be, one value per attempt. */
function* reaches(minLength: number): Iterable<PatternReach> {
  for (let tries = 0; tries < 6; tries++) yield { repeats: 5, isLong: false };
  const most = Math.min(minLength, longest);
  for (let repeats = 0; repeats <= most; repeats += repeats < 64 ? 1 : repeats >> 3) yield { repeats, isLong: true };
  yield { repeats: most, isLong: true };
}

function pad(text: string, length: number): string {
  return text.padEnd(Math.min(length, longest), "a");
}

/** A pattern with more characters is probably that of a format. */
const longPattern = 30;

/** The formats that schemas often spell out as patterns. */
const usualFormats = ["date-time", "date", "time", "uuid", "email", "uri", "ipv4", "ipv6"];

const letters = "abcdefghijklmnopqrstuvwxyz";
const plainest: readonly string[] = [...letters];

/** The characters of texts, the simplest first. */
const alphabets: readonly (readonly string[])[] = [
  plainest,
  plainest,
  [...`${letters} ABC 0123456789 `],
  [..."\"'\\/<>&%+;,#?=:{}[]()*$@!~^|`"],
  [...letters, ..."éßñøΩЖ中あ😀𝒳"],
];

/** Draws a text whose only constraint is its length. */
function drawPlain({ minLength, maxLength }: StringShape, choices: Choices, isRealistic: boolean): string | undefined {
  if (minLength > maxLength || minLength > 1e6) return undefined;
  const length = isRealistic
    ? Math.max(minLength, Math.min(maxLength, 4 + choose(choices, 6)))
    : drawLength(minLength, maxLength, choices);
  if (length > 64) return "a".repeat(length);
  const alphabet = isRealistic ? plainest : chooseFrom(choices, alphabets);
  let text = "";
  for (let count = 0; count < length; count++) {
    const character = chooseFrom(choices, alphabet);
    const units = text.length + character.length + (length - count - 1);
    text += units > maxLength ? "a" : character;
  }
  return text;
}

function drawLength(least: number, most: number, choices: Choices): number {
  const far = most <= 200 ? most : least + 20;
  const lengths = [least, least + 1, least + choose(choices, 12), Math.max(1, least), far];
  const drawn = lengths[chooseFrom(choices, [0, 2, 2, 2, 3, 1, 2, 4])] ?? far;
  return Math.max(least, Math.min(most, drawn));
}

/** Times in forms that RFC 3339 allows and that are not drawn otherwise. */
const otherTimes = ["2026-01-02T03:04:05+05:30", "2026-01-02T03:04:05-08:00", "2026-01-02T03:04:05.678Z"];

/** Lists the shortest and the longest text of a shape, and texts that often reveal bugs. */
export function listTexts(shape: StringShape): readonly string[] {
  const { minLength, maxLength, patterns, formats } = shape;
  const simplest: Choices = { next: () => 0 };
  const drawn = Array.from({ length: 8 }, (_, seed) => drawText(shape, { next: () => seed * 37 & 255 }));
  const long = Math.min(maxLength, longest);
  const lengths = [minLength, minLength + 1, ...Number.isFinite(maxLength) ? [long - 1, long] : []];
  const words = [
    ...["", " ", "a b", "\0", "a\0b", "é", "e\u0301", "😀", "\"'\\/<&%2F", "null", "0", "true", "\u2028", "\ufeff"],
    "__proto__",
  ];
  const plain = formats.length > 0
    ? []
    : [...lengths.map((length) => "a".repeat(Math.max(0, Math.min(length, 1e6)))), ...words];
  const matching = patterns.flatMap((pattern) =>
    [...new Set([0, 1, maxLength - 1, maxLength])].filter((repeats) => repeats >= 0 && repeats <= longest)
      .flatMap((repeats) => drawPattern(pattern, simplest, { repeats, isLong: true }))
  );
  const padded = plain.map((text) => pad(text, minLength));
  const times = formats.includes("date-time") ? otherTimes : [];
  const all = [...drawn, ...times, ...plain, ...padded, ...matching].filter((text) => text !== undefined);
  return [...new Set(all)].filter((text) => fitsText(shape, text));
}

export function drawWord(choices: Choices): string {
  return Array.from({ length: 1 + choose(choices, 6) }, () => chooseFrom(choices, plainest)).join("");
}
