/**
 * Decides whether the texts that match some patterns all match another one: by the product of their automata, which
 * reads both at once. A pattern is undecided if it has a backreference, an assertion in its middle, or `\p{…}`.
 */
import { readPattern } from "./pattern.ts";
import { compile, type GroupPart, parsePattern, type PatternPart, type RepeatedPart } from "./pattern_syntax.ts";
import { limitSteps, spend, StepLimitError } from "./steps.ts";

/** One of the shortest texts that match all narrow patterns, but not the wide one; `undefined` if there is none. */
type Inclusion = { readonly beyond: string | undefined };

const mostSteps = 400_000;

/** The most states of an automaton. Larger patterns are undecided. */
const mostStates = 3_000;

const mostKept = 2_000;

const known = new Map<string, Inclusion | undefined>();

/**
 * Compares the texts that match all of some patterns with those that match another one.
 *
 * @returns `undefined` if it could not be decided.
 */
export function comparePatternTexts(narrow: readonly string[], wide: string): Inclusion | undefined {
  const key = JSON.stringify([narrow, wide]);
  if (known.has(key)) return known.get(key);
  if (known.size >= mostKept) known.clear();
  const result = decide(narrow, wide);
  known.set(key, result);
  return result;
}

/** Tests whether all texts that match some patterns certainly match another one. */
export function isWithinPattern(narrow: readonly string[], wide: string): boolean {
  const compared = comparePatternTexts(narrow, wide);
  return compared !== undefined && compared.beyond === undefined;
}

function decide(narrow: readonly string[], wide: string): Inclusion | undefined {
  try {
    return limitSteps(mostSteps, () => {
      const [sent, read] = [narrow.flatMap(toAutomata), toAutomata(wide)];
      return { beyond: searchBeyond(sent, read) };
    });
  } catch (error) {
    if (error instanceof Undecided || error instanceof StepLimitError) return undefined;
    throw error;
  }
}

/** Thrown if an automaton cannot express a pattern. */
class Undecided extends Error {}

/** Code points, as sorted ranges that do not touch each other. */
type Ranges = readonly (readonly [from: number, to: number])[];

/** A state of an automaton: it reads a character, goes on without one, or requires the start or the end of the text. */
interface LanguageState {
  readonly set?: Ranges;
  readonly at?: "start" | "end";
  readonly next: readonly number[];
}

/** The automaton of a pattern, or of an assertion at its start. */
interface Automaton {
  readonly states: readonly LanguageState[];
  readonly start: number;
  /** Whether the texts are those that it does not accept. */
  readonly isNegated: boolean;
}

/** The state that accepts a text, whatever follows. */
const accepting = 0;

const highest = 0x10ffff;
const everything: Ranges = [[0, highest]];

/** Returns the automata of a pattern. A text must satisfy all of them. */
function toAutomata(pattern: string): Automaton[] {
  const whole = parsePattern(pattern);
  if (whole === undefined) throw new Undecided();
  const { unicode } = readPattern(pattern).expression;
  const [start, ...others] = whole.type === "sequence" && isAtStart(whole) ? whole.parts : [];
  if (start === undefined) return [createAutomaton(whole, { isUnicode: unicode })];
  const first = others.findIndex((part) => part.type !== "group" || !/^\?[=!]/.test(part.opening));
  const asserted = others.slice(0, first === -1 ? undefined : first) as GroupPart[];
  const rest = others.slice(asserted.length);
  return [
    ...asserted.map(({ part, opening }) =>
      createAutomaton({ type: "sequence", parts: [start, part] }, { isUnicode: unicode, isNegated: opening === "?!" })
    ),
    createAutomaton({ type: "sequence", parts: [start, ...rest] }, { isUnicode: unicode }),
  ];
}

function createAutomaton(
  part: PatternPart,
  { isUnicode, isNegated = false }: { readonly isUnicode: boolean; readonly isNegated?: boolean },
): Automaton {
  const states: LanguageState[] = [{ next: [] }];
  const add = (state: LanguageState): number => {
    spend();
    if (states.length >= mostStates) throw new Undecided();
    return states.push(state) - 1;
  };
  const begin = addPart(part, accepting, { add, isUnicode });
  if (isAtStart(part)) return { states, start: begin, isNegated };
  const next = [begin];
  const start = add({ next });
  next.push(add({ set: everything, next: [start] })); // the match may begin anywhere
  return { states, start, isNegated };
}

function isAtStart(part: PatternPart): boolean {
  switch (part.type) {
    case "assertion":
      return part.text === "^";
    case "choice":
      return part.parts.every(isAtStart);
    case "sequence":
      return part.parts[0] !== undefined && isAtStart(part.parts[0]);
    case "group":
      return isAtStart(part.part);
    default:
      return false;
  }
}

interface Builder {
  readonly add: (state: LanguageState) => number;
  readonly isUnicode: boolean;
}

/** Adds the states of a part that lead to another state, and returns the first. */
function addPart(part: PatternPart, next: number, builder: Builder): number {
  const { add, isUnicode } = builder;
  switch (part.type) {
    case "characters":
      return add({ set: readSet(part.text, isUnicode), next: [next] });
    case "choice":
      return add({ next: part.parts.map((each) => addPart(each, next, builder)) });
    case "sequence":
      return part.parts.reduceRight((after, each) => addPart(each, after, builder), next);
    case "group":
      if (part.number === undefined && part.opening !== "?:") throw new Undecided();
      return addPart(part.part, next, builder);
    case "assertion":
      if (part.text.startsWith("\\")) throw new Undecided();
      return add({ at: part.text === "^" ? "start" : "end", next: [next] });
    case "reference":
      throw new Undecided();
    case "repeated":
      return addRepeated(part, next, builder);
  }
}

function addRepeated({ part, least, most }: RepeatedPart, next: number, builder: Builder): number {
  const { add } = builder;
  let after = next;
  if (most === Infinity) {
    const again: number[] = [next];
    after = add({ next: again });
    again.push(addPart(part, after, builder));
  } else {
    for (let copy = least; copy < most; copy++) after = add({ next: [addPart(part, after, builder), next] });
  }
  for (let copy = 0; copy < least; copy++) after = addPart(part, after, builder);
  return after;
}

/** Where the ranges of `\d`, `\w`, `\s` and `.` begin, and those between them. */
const usualBounds: readonly number[] = [
  ...[0, 9, 0xa, 0xb, 0xd, 0xe, 0x20, 0x21, 0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b, 0xa0, 0xa1],
  ...[0x1680, 0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x2030, 0x205f, 0x2060, 0x3000, 0x3001, 0xfeff, 0xff00],
];

const sets = new Map<string, Ranges>();

/**
 * Reads a character, a class or an escape as a set. It tells the characters between two bounds from no others, so one
 * test shows whether it contains them.
 */
function readSet(text: string, isUnicode: boolean): Ranges {
  const key = `${isUnicode} ${text}`;
  const before = sets.get(key);
  if (before) return before;
  if (sets.size >= mostKept) sets.clear();
  const bounds = new Set([...usualBounds, ...listCodes(text, isUnicode).flatMap((code) => [code, code + 1])]);
  const expression = compile(`^(?:${text})$`);
  if (!isUnicode && expression.test("\ud800")) throw new Undecided(); // it sees halves of pairs
  const set: [number, number][] = [];
  const starts = [...bounds].filter((code) => code <= highest).sort((one, other) => one - other);
  for (const [index, from] of starts.entries()) {
    if (!expression.test(String.fromCodePoint(from))) continue;
    const to = (starts[index + 1] ?? highest + 1) - 1;
    const last = set.at(-1);
    if (last?.[1] === from - 1) last[1] = to;
    else set.push([from, to]);
  }
  sets.set(key, set);
  return set;
}

const controls: Readonly<Record<string, number>> = { 0: 0, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Lists the characters that a class or an escape names. */
function listCodes(text: string, isUnicode: boolean): number[] {
  if (/^[{}\]()*+?]$/.test(text)) throw new Undecided();
  const tokens = text.matchAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|[dwsDWS]|([btnvfr]|0(?!\d))|([a-zA-Z\d]))|\\?([^])/gu,
  );
  return [...tokens].flatMap(([, two, four, many, control, unknown, literal]) => {
    const hex = two ?? four ?? many;
    const code = hex !== undefined ? parseInt(hex, 16) : controls[control ?? ""] ?? literal?.codePointAt(0);
    const isUnclear = unknown !== undefined || (!isUnicode && many !== undefined);
    if (isUnclear) throw new Undecided();
    if (code === undefined) return [];
    const isOfPair = (code >= 0xd800 && code <= 0xdfff) || (!isUnicode && code > 0xffff);
    if (isOfPair) throw new Undecided();
    return [code];
  });
}

/** Characters that no set of the automata tells apart, by one of them: letters and digits rather than others. */
function listCharacters(automata: readonly Automaton[]): number[] {
  const ranges = automata.flatMap(({ states }) => states.flatMap(({ set }) => set ?? []));
  const sets = [...new Map(ranges.map((each) => [each.join(), each])).values()];
  const starts = sets.flatMap(([from, to]) => [from, to + 1]);
  const bounds = [...new Set([0x61, 0x62, 0x41, 0x42, 0x30, 0x31, 0, ...starts])].filter((code) => code <= highest);
  const bySets = new Map<string, number>();
  for (const code of bounds.toSorted((one, other) => rankOf(one) - rankOf(other) || one - other)) {
    spend(sets.length / 10);
    const key = sets.map(([from, to]) => Number(code >= from && code <= to)).join("");
    if (!bySets.has(key)) bySets.set(key, code);
  }
  return [...bySets.values()];
}

function rankOf(code: number): number {
  const character = String.fromCodePoint(code);
  return /[a-z]/.test(character) ? 0 : /\d/.test(character) ? 1 : code > 0x20 && code < 0x7f ? 2 : 3;
}

interface Follower {
  readonly start: number;
  readonly step: (set: number, code: number) => number;
  readonly accepts: (set: number) => boolean;
  /** Whether it accepts every text that goes on from here, or none; `undefined` if that depends on the text. */
  readonly acceptsAll: (set: number) => boolean | undefined;
}

function createFollower({ states, start, isNegated }: Automaton): Follower {
  const members: (readonly number[])[] = [];
  const numbers = new Map<string, number>();
  const steps = new Map<string, number>();
  const numberOf = (set: readonly number[], key = set.join()): number => {
    const own = numbers.get(key) ?? members.push(set) - 1;
    numbers.set(key, own);
    return own;
  };
  const next = (set: number, code: number) =>
    members[set]!.flatMap((each) => {
      if (each === accepting) return [accepting];
      const { set, next } = states[each]!;
      return set && isIn(set, code) ? next : [];
    });
  return {
    start: numberOf(close(states, [start], "start"), "start"), // where `^` matches, as it does in no other set
    step: (set, code) => {
      const key = `${set} ${code}`;
      const after = steps.get(key) ?? numberOf(close(states, next(set, code)));
      steps.set(key, after);
      return after;
    },
    accepts: (set) =>
      close(states, members[set]!, "end", ...(set === 0 ? ["start"] : [])).includes(accepting) !== isNegated,
    acceptsAll: (set) => {
      if (members[set]!.includes(accepting)) return !isNegated;
      return members[set]!.length === 0 ? isNegated : undefined;
    },
  };
}

function isIn(ranges: Ranges, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to);
}

/** Returns the states that can be reached from others without a character, but those that only lead on. */
function close(
  states: readonly LanguageState[],
  from: readonly number[],
  ...places: readonly string[]
): readonly number[] {
  const reached = new Set(from);
  for (const each of reached) {
    const { set, at, next } = states[each]!;
    if (set || (at !== undefined && !places.includes(at))) continue;
    for (const other of next) reached.add(other);
  }
  spend(1 + reached.size / 4);
  return [...reached].filter((each) => each === accepting || states[each]!.set || states[each]!.at)
    .toSorted((one, other) => one - other);
}

/** Searches for a text that all automata of one side accept, but not all of the other. */
function searchBeyond(sent: readonly Automaton[], read: readonly Automaton[]): string | undefined {
  const [senders, readers] = [sent.map(createFollower), read.map(createFollower)];
  const all = [...senders, ...readers];
  const codes = listCharacters([...sent, ...read]);
  const isBeyond = (states: readonly number[]) =>
    senders.every((each, index) => each.accepts(states[index]!)) &&
    !readers.every((each, index) => each.accepts(states[senders.length + index]!));
  const isOver = (states: readonly number[]) =>
    senders.some((each, index) => each.acceptsAll(states[index]!) === false) ||
    readers.every((each, index) => each.acceptsAll(states[senders.length + index]!) === true);
  const start = all.map((each) => each.start);
  const met = new Set([start.join()]);
  const waiting: { readonly states: readonly number[]; readonly text: string }[] = [{ states: start, text: "" }];
  for (const { states, text } of waiting) {
    if (isBeyond(states)) return text;
    if (isOver(states)) continue;
    for (const code of codes) {
      spend();
      const next = all.map((each, index) => each.step(states[index]!, code));
      const key = next.join();
      if (met.has(key)) continue;
      met.add(key);
      waiting.push({ states: next, text: text + String.fromCodePoint(code) });
    }
  }
  return undefined;
}
