/** Compares the shapes of numbers and strings. */
import { boundOf, differ, type Difference } from "./difference.ts";
import { countCodePoints, isMultipleOf } from "./json.ts";
import { areSame } from "./same_schema.ts";
import { acceptsFormat, languageOf } from "./format_language.ts";
import { matchesPattern } from "./pattern.ts";
import { comparePatternTexts, isWithinPattern } from "./pattern_language.ts";
import { type NumberShape, type StringShape, toIntegers } from "./shapes.ts";
import type { Comparison } from "./subset_structures.ts";

/** Returns how a reader may reject the numbers of a shape. */
export function compareNumbers(sender: NumberShape, reader: NumberShape): Difference[] {
  if (reader.isInteger && !sender.isInteger && !sender.multiplesOf.some((factor) => Number.isInteger(factor))) {
    return [differ("type", ["number"], ["integer"], isWide(sender))];
  }
  const [sent, read] = sender.isInteger ? [toIntegers(sender), toIntegers(reader)] : [sender, reader];
  return [
    ...compareBounds("minimum", "exclusiveMinimum", [sent, read], [sender, reader]),
    ...compareBounds("maximum", "exclusiveMaximum", [sent, read], [sender, reader]),
    ...compareFactors(sent, reader),
  ];
}

/** Compares the numbers of two shapes at one end. Bounds of integers are rounded, but named as they are declared. */
function compareBounds(
  end: "minimum" | "maximum",
  exclusive: string,
  [sent, read]: readonly [NumberShape, NumberShape],
  [sender, reader]: readonly [NumberShape, NumberShape],
): Difference[] {
  const [isExcluded, sign] = end === "minimum" ? ["isMinimumExcluded", 1] as const : ["isMaximumExcluded", -1] as const;
  const isBeyond = sign * sent[end] < sign * read[end] ||
    (sent[end] === read[end] && read[isExcluded] && !sent[isExcluded]);
  if (!isBeyond) return [];
  const isPlain = sent.multiplesOf.length === 0 || !Number.isFinite(sent[end]);
  return [differ(reader[isExcluded] ? exclusive : end, boundOf(sender[end]), reader[end], isPlain)];
}

function compareFactors(sender: NumberShape, reader: NumberShape): Difference[] {
  const factors = sender.isInteger ? [1, ...sender.multiplesOf] : sender.multiplesOf;
  const rejected = reader.multiplesOf.filter((factor) => !factors.some((each) => isMultipleOf(each, factor)));
  const isEndless = sender.minimum === -Infinity || sender.maximum === Infinity;
  const isPlain = isEndless || (sender.multiplesOf.length === 0 && isWide(sender));
  return rejected.map((factor) => differ("multipleOf", sender.multiplesOf[0], factor, isPlain));
}

/** Tests whether a shape contains a range of numbers, or at least two integers. */
function isWide({ isInteger, minimum, maximum }: NumberShape): boolean {
  return isInteger ? maximum - minimum >= 1 : maximum > minimum;
}

export function compareStrings(
  sender: StringShape,
  reader: StringShape,
  { compare }: Pick<Comparison, "compare">,
): Difference[] {
  const differences: Difference[] = [];
  const isFree = sender.patterns.length === 0 && sender.formats.every((format) => anyText.has(format));
  if (sender.minLength < reader.minLength) {
    differences.push(differ("minLength", sender.minLength || undefined, reader.minLength, isFree));
  }
  if (sender.maxLength > reader.maxLength) {
    differences.push(differ("maxLength", boundOf(sender.maxLength), reader.maxLength, isFree));
  }
  return [
    ...differences,
    ...comparePatterns(sender, reader),
    ...compareFormats(sender, reader),
    ...compareContents(sender, reader, compare),
  ];
}

/** Formats that texts of every length have. */
const anyText: ReadonlySet<string> = new Set(["binary", "password"]);

/** Compares what the texts contain: files, or JSON such as the data of an event. */
function compareContents(sender: StringShape, reader: StringShape, compare: Comparison["compare"]): Difference[] {
  const types = reader.mediaTypes.filter((type) => !sender.mediaTypes.some((own) => isWithin(own, type)))
    .map((type) => differ("contentMediaType", sender.mediaTypes[0], type));
  const encodings = reader.encodings.filter((encoding) => !sender.encodings.includes(encoding))
    .map((encoding) => differ("contentEncoding", sender.encodings[0], encoding));
  const isJson = [sender, reader].every(({ mediaTypes }) => mediaTypes.some((type) => jsonType.test(type)));
  const wanted = reader.contents.filter((schema) => !sender.contents.some((own) => areSame(own, schema)));
  const contents = wanted.length === 0
    ? []
    : isJson && sender.contents.length > 0
    ? compare(sender.contents, wanted)
    : [differ("contentSchema", undefined, undefined, false)];
  return [...types, ...encodings, ...contents];
}

/** The media types of JSON, whose schema describes the parsed text. */
const jsonType = /^application\/(?:[^;]+\+)?json *(?:;|$)/i;

function isWithin(type: string, range: string): boolean {
  return type === range || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
}

/** Texts that few patterns all match. */
const probes = [
  ...["", "a", "A", "0", "-", " ", "\n", "ab", "zZ", "é", "😀", "a b"],
  ...["00000000", "aaaaaaaaaaaaaaaa", "~!@#$%^&*()"],
];

function comparePatterns(sender: StringShape, reader: StringShape): Difference[] {
  const [known] = sender.patterns;
  return reader.patterns.flatMap((pattern) => {
    if (acceptsTexts(pattern, sender)) return [];
    const { texts, isExact } = textsOf(sender);
    const compared = comparePatternTexts(texts, pattern);
    if (compared && compared.beyond === undefined) return [];
    const isFree = sender.patterns.length === 0 && sender.formats.length === 0;
    const isRefused = compared
      ? isExact && hasLength(sender, compared.beyond!)
      : isFree && probes.some((text) => hasLength(sender, text) && !matchesPattern(pattern, text));
    return differ("pattern", known, pattern, isRefused);
  });
}

/** Tests whether a pattern is one of the sender's, or is known to accept the texts of its format. */
function acceptsTexts(pattern: string, { patterns, formats }: StringShape): boolean {
  return patterns.includes(pattern) ||
    (patterns.length === 0 && formats.some((format) => acceptsFormat(pattern, format)));
}

/** The longest length that is a part of an automaton. */
const longest = 300;

/**
 * Returns patterns that all texts of a sender match, and whether it sends every text that matches them. A library writes a pattern beside a format; where it accepts the texts of that format,
 * it says by itself what is sent.
 */
function textsOf(
  { patterns, formats, minLength, maxLength }: StringShape,
): { readonly texts: readonly string[]; readonly isExact: boolean } {
  const bound = maxLength === Infinity ? "" : maxLength;
  const hasBounds = (minLength > 0 || maxLength < Infinity) && minLength <= longest &&
    (bound === "" || bound <= longest);
  const texts = [...patterns, ...(hasBounds && minLength <= maxLength ? [`^[^]{${minLength},${bound}}$`] : [])];
  const languages = formats.map((format) => languageOf(format));
  const implied = languages.flatMap((language, index) => {
    if (!language) return [];
    return patterns.some((each) => acceptsFormat(each, formats[index]!)) ? [] : language.sent;
  });
  return { texts: [...texts, ...implied], isExact: !languages.includes(undefined) };
}

function hasLength({ minLength, maxLength }: StringShape, text: string): boolean {
  const length = countCodePoints(text);
  return length >= minLength && length <= maxLength;
}

/** The formats that programs validate. */
const validated: ReadonlySet<string> = new Set([
  ...["date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri"],
  ...["uri-reference", "iri", "iri-reference", "uuid", "json-pointer"],
]);

/** The formats that are subsets of another one. */
const narrower: Readonly<Record<string, readonly string[]>> = {
  "idn-email": ["email"],
  "idn-hostname": ["hostname"],
  "uri-reference": ["uri"],
  iri: ["uri"],
  "iri-reference": ["uri", "uri-reference", "iri"],
};

function compareFormats(sender: StringShape, reader: StringShape): Difference[] {
  return reader.formats.filter((format) => !isOfFormat(sender, format)).map((format) => {
    const isPlain = validated.has(format) && sender.patterns.length === 0;
    return differ("format", sender.formats[0], format, isPlain);
  });
}

/** Tests whether the texts of a sender certainly have a format: it names the format, or its patterns show it. */
function isOfFormat({ formats, patterns }: StringShape, format: string): boolean {
  if (formats.some((each) => hasFormat(each, format))) return true;
  const { read, sent } = languageOf(format) ?? {};
  return patterns.length > 0 && sent !== undefined && isWithinPattern(patterns, read ?? sent);
}

function hasFormat(own: string, format: string): boolean {
  return own === format || (Object.hasOwn(narrower, format) && narrower[format]!.includes(own));
}
