/**
 * Tests texts with regular expressions of others. JavaScript cannot interrupt a test, so the source is analyzed first:
 * how a backtracking engine's steps grow with a text decides which texts are tested.
 */
import { compile, type GroupPart, parsePattern, type PatternPart, type RepeatedPart } from "./pattern_syntax.ts";
import { spend, StepLimitError } from "./steps.ts";

/** The most steps that one test may take, by estimate. */
const mostSteps = 20_000_000;

/** The longest text that is tested if the steps may grow exponentially. */
const longestHostile = 8;

/** The most characters, classes and steps of the analysis. Larger patterns count as exponential. */
const most = { length: 5_000, positions: 400, edges: 20_000, pairs: 200_000 };

/** A regular expression, with the longest text that it is tested with. */
interface Pattern {
  readonly expression: RegExp;
  readonly longest: number;
}

const compiled = new Map<string, Pattern>();

const mostKept = 10_000;

/**
 * Tests whether a text matches a `pattern`. A pattern that Unicode mode rejects, such as `\-`, is compiled without it.
 *
 * @throws {TypeError} If it is not a regular expression of JavaScript, such as `(?i)a`.
 * @throws {StepLimitError} If the test could take too long, such as that of `(a+)+$` with a long text.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const { expression, longest } = readPattern(pattern);
  if (text.length > longest) {
    const shown = pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern;
    throw new StepLimitError(
      `Cannot test a text of more than ${longest} characters with the pattern ${shown}: it could take too long`,
    );
  }
  spend(1 + text.length / 100);
  return expression.test(text);
}

/** Tests whether {@linkcode matchesPattern} tests a text of this length. */
export function canTest(pattern: string, text: string): boolean {
  return text.length <= readPattern(pattern).longest;
}

/** Compiles a pattern, which throws if it is not a regular expression. */
export function readPattern(pattern: string): Pattern {
  const known = compiled.get(pattern);
  if (known) return known;
  const read = { expression: compile(pattern), longest: longestOf(pattern) };
  if (compiled.size >= mostKept) compiled.clear();
  compiled.set(pattern, read);
  return read;
}

/** Returns the length up to which a test certainly ends soon. */
function longestOf(pattern: string): number {
  const degree = degreeOf(pattern);
  return degree === undefined ? longestHostile : degree === 1 ? Infinity : Math.floor(mostSteps ** (1 / degree));
}

/**
 * A part of a pattern as its Glushkov automaton: every character or class is a position, and an edge leads to each
 * position that may follow. There are two edges if there are two ways to continue, as in `(a*)*`.
 */
interface PatternFragment {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

interface Analysis {
  readonly sets: bigint[];
  /** The positions that may follow each position. */
  readonly follows: number[][];
  /** The groups that have ended, by number. */
  readonly groups: Map<string, GroupPart>;
  edges: number;
}

/** Thrown if a pattern cannot be analyzed: it refers to a group that repeats something, or it is too large. */
class Unclear extends Error {}

const empty: PatternFragment = { first: [], last: [], isNullable: true };

/**
 * Returns the degree of the polynomial that limits the steps of a test: 1 for `^a*b`, 2 for `^a*a*b`. Returns
 * `undefined` if the steps may grow exponentially.
 */
export function degreeOf(pattern: string): number | undefined {
  if (pattern.length > most.length) return undefined;
  const part = parsePattern(pattern);
  if (part === undefined) return undefined;
  const analysis: Analysis = { sets: [], follows: [], groups: new Map(), edges: 0 };
  try {
    addPart(analysis, part);
    const loops = reachableFrom(analysis.follows);
    if (isExponential(analysis, loops) || countChoices(analysis) > mostChoices) return undefined;
    const isAnchored = pattern.startsWith("^") && !pattern.includes("|");
    return Math.max(1, countLoops(analysis, loops) + (isAnchored ? 0 : 1));
  } catch (error) {
    if (error instanceof Unclear) return undefined;
    throw error;
  }
}

function addPart(analysis: Analysis, part: PatternPart): PatternFragment {
  switch (part.type) {
    case "assertion":
      return empty;
    case "characters": {
      const position = analysis.sets.push(charactersOf(part.text)) - 1;
      if (position >= most.positions) throw new Unclear();
      analysis.follows.push([]);
      return { first: [position], last: [position], isNullable: false };
    }
    case "sequence":
      return part.parts.reduce((whole, each) => concatenate(analysis, whole, addPart(analysis, each)), empty);
    case "choice": {
      const parts = part.parts.map((each) => addPart(analysis, each));
      return {
        first: parts.flatMap(({ first }) => first),
        last: parts.flatMap(({ last }) => last),
        isNullable: parts.some(({ isNullable }) => isNullable),
      };
    }
    case "repeated":
      return addRepeated(analysis, part);
    case "group": {
      const inner = addPart(analysis, part.part);
      analysis.groups.set(String(part.number), part);
      return /^\?<?[=!]/.test(part.opening) ? { ...inner, isNullable: true } : inner; // an assertion consumes nothing
    }
    case "reference": { // it matches one of the texts that its group matches, so it takes no more steps than that
      const group = analysis.groups.get(part.to);
      const isLong = group === undefined || group.source === "" || /[*+{\\]/.test(group.source);
      if (isLong) throw new Unclear(); // comparing a long text takes steps too
      return { ...addPart(analysis, group.part), isNullable: true }; // a group that did not take part matches nothing
    }
  }
}

function concatenate(analysis: Analysis, left: PatternFragment, right: PatternFragment): PatternFragment {
  connect(analysis, left.last, right.first);
  return {
    first: left.isNullable ? [...left.first, ...right.first] : left.first,
    last: right.isNullable ? [...left.last, ...right.last] : right.last,
    isNullable: left.isNullable && right.isNullable,
  };
}

function connect(analysis: Analysis, from: readonly number[], to: readonly number[]): void {
  analysis.edges += from.length * to.length;
  if (analysis.edges > most.edges) throw new Unclear();
  for (const each of from) analysis.follows[each]!.push(...to);
}

/** The most copies of a repeated part. More repetitions count as unlimited. */
const mostCopies = 8;

function addRepeated(analysis: Analysis, { part: repeated, least, most, isCounted }: RepeatedPart): PatternFragment {
  let part = addPart(analysis, repeated);
  if (least === most && least <= mostCopies) {
    for (let copy = 1; copy < least; copy++) part = concatenate(analysis, part, addPart(analysis, repeated));
    return least === 0 ? { ...part, isNullable: true } : part;
  }
  if (part.isNullable && isCounted) throw new Unclear(); // each of many copies may be left out
  if (most > 1) connect(analysis, part.last, part.first);
  return { ...part, isNullable: part.isNullable || least === 0 };
}

const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** The bit for all characters outside of ASCII, which count as one. */
const others = 1n << 128n;

const classes = new Map<string, bigint>();

function charactersOf(text: string): bigint {
  const known = classes.get(text);
  if (known !== undefined) return known;
  if (classes.size >= mostKept) classes.clear();
  const expression = compile(text === "/" ? text : `^(?:${text})$`);
  const hasOthers = /^\.$|^\[\^|\\[uUxpPWDSs]|[^\0-\x7f]/.test(text);
  const bits = characters.reduce(
    (all, character, code) => expression.test(character) ? all | 1n << BigInt(code) : all,
    hasOthers ? others : 0n,
  );
  classes.set(text, bits);
  return bits;
}

/** Returns, for each position, the positions that a path leads to. */
function reachableFrom(follows: readonly (readonly number[])[]): readonly ReadonlySet<number>[] {
  return follows.map((next) => {
    const reached = new Set(next);
    for (const each of reached) for (const other of follows[each]!) reached.add(other);
    return reached;
  });
}

/**
 * Tests whether one text leads from a position back to it in two ways, so that each repetition of the text doubles the
 * steps. Follows pairs of paths with the same text until they meet again.
 */
function isExponential({ sets, follows }: Analysis, reached: readonly ReadonlySet<number>[]): boolean {
  let steps = 0;
  return follows.some((next, start) => {
    if (!reached[start]!.has(start)) return false;
    const inLoop = (each: number) => each === start || reached[each]!.has(start) && reached[start]!.has(each);
    if (new Set(next).size < next.length && next.some((each, index) => inLoop(each) && next.indexOf(each) < index)) {
      return true;
    }
    const pairs = new Set<number>([start * sets.length + start]);
    for (const pair of pairs) { // a pair, and afterwards whether the two paths differed on the way
      const isApart = pair >= sets.length ** 2;
      const [one, other] = [Math.floor(pair / sets.length) % sets.length, pair % sets.length];
      for (const left of follows[one]!) {
        if (!inLoop(left)) continue;
        for (const right of follows[other]!) {
          if (++steps > most.pairs) throw new Unclear();
          if (!inLoop(right) || (sets[left]! & sets[right]!) === 0n) continue;
          if (left === start && right === start && isApart) return true;
          pairs.add(left * sets.length + right + (isApart || left !== right ? sets.length ** 2 : 0));
        }
      }
    }
    return false;
  });
}

/** Counts the most loops in a row that can share a text: each multiplies the steps by the length of the text. */
function countLoops(analysis: Analysis, reached: readonly ReadonlySet<number>[]): number {
  const isSame = (one: number, other: number) => reached[one]!.has(other) && reached[other]!.has(one);
  const positions = analysis.sets.map((_, index) => index);
  const heads = positions.filter((each) =>
    reached[each]!.has(each) && positions.findIndex((other) => isSame(each, other)) === each
  );
  const loops = heads.map((head) => positions.filter((each) => isSame(head, each)));
  const lengths = loops.map(() => 1);
  const isBefore = (one: number, other: number) => one !== other && reached[heads[one]!]!.has(heads[other]!);
  const order = loops.map((_, index) => index)
    .toSorted((one, other) => reached[heads[one]!]!.size - reached[heads[other]!]!.size);
  for (const one of order) {
    const later = order.filter((other) => isBefore(one, other) && canShare(analysis, loops[one]!, loops[other]!));
    lengths[one] = 1 + Math.max(0, ...later.map((other) => lengths[other]!));
  }
  return Math.max(0, ...lengths);
}

/** Tests whether a text that repeats in one loop may also lead from it to another loop, and repeat there. */
function canShare({ sets, follows }: Analysis, one: readonly number[], other: readonly number[]): boolean {
  const charactersIn = (loop: readonly number[]) => loop.reduce((all, each) => all | sets[each]!, 0n);
  const common = charactersIn(one) & charactersIn(other);
  const reached = new Set(one.filter((each) => (sets[each]! & common) !== 0n));
  for (const each of reached) {
    for (const next of follows[each]!) if ((sets[next]! & common) !== 0n) reached.add(next);
  }
  return other.some((each) => reached.has(each));
}

/** The most choices between two ways that a text can leave open outside of loops, as in `a?a?a?aaa`. */
const mostChoices = 20;

/** Counts the choices between two ways that begin with the same character. */
function countChoices({ sets, follows }: Analysis): number {
  return follows.reduce((count, next) => {
    const alike = next.map((each) => next.filter((other) => (sets[each]! & sets[other]!) !== 0n).length);
    return count + Math.log2(Math.max(1, ...alike));
  }, 0);
}
