/** Lists the values of a schema that often reveal bugs. */
import { type Choices, createChoices } from "./choices.ts";
import { countCodePoints, isJsonList, isJsonObject, type Json, type JsonObject, withMember, without } from "./json.ts";
import type { LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { findSample } from "./sample.ts";
import { canEndShape } from "./sample_depth.ts";
import { listNumbers } from "./sample_number.ts";
import { drawPattern } from "./sample_pattern.ts";
import { fitsText, listTexts } from "./sample_string.ts";
import {
  type ArrayShape,
  countPrefix,
  itemSchemas,
  knownNames,
  memberSchemas,
  type NumberShape,
  type ObjectShape,
  type Shape,
  type StringShape,
} from "./shapes.ts";
import { type Allowance, limitSteps, StepLimitError } from "./steps.ts";
import { isValid, isValidForAll } from "./validate.ts";

/** The most times that a schema may be entered on the way to a value. */
const mostEntries = 2;

const longestList = 100;

interface BoundedPart {
  /** The schemas that its values must match, all of them. */
  readonly schemas: readonly LocatedSchema[];
  readonly trail: readonly LocatedSchema[];
  /** How many more parts are listed: schemas that many paths lead to have exponentially many. */
  readonly budget: { left: number };
}

const mostSteps = 3_000_000;

const mostListed = 20_000;

/**
 * Returns the boundary values of a schema, all valid and without duplicates, generated lazily:
 *
 * - every branch, every value of an `enum`, every bound and its neighbors, examples and defaults;
 * - the shortest and the longest texts, and unusual characters;
 * - empty lists and lists of one item;
 * - each optional member absent and alone, and names like `__proto__` if additional members are allowed.
 */
export function sampleBoundaries(schema: LocatedSchema): Iterable<Json> {
  const budget = { left: mostListed };
  return once(boundariesOf({ schemas: [schema], trail: [], budget }), (value) => isValid(schema, value));
}

/**
 * Returns values for each bound of a schema: at the bound, one below it and one above it, within an object or a list
 * that is otherwise valid. Some are invalid, because they are out of bounds.
 */
export function sampleBounds(schema: LocatedSchema): Iterable<Json> {
  return once(boundsOf([schema], new Set()), () => true);
}

/** Returns values that a schema refuses: in each, one part is missing, repeated, of another type, or not described. */
export function sampleViolations(schema: LocatedSchema): Iterable<Json> {
  return once(violationsOf([schema], new Set()), (value) => !isValid(schema, value));
}

/** Yields the values that pass a test, each once, until that takes too long. */
function* once(values: Iterable<Json>, test: (value: Json) => boolean): Iterable<Json> {
  const seen = new Set<string>();
  const source = values[Symbol.iterator]();
  const allowance = { left: mostSteps };
  while (allowance.left > 0) {
    const next = within(allowance, () => source.next());
    if (next === undefined || next.done) return;
    const { value } = next;
    const text = JSON.stringify(value);
    allowance.left -= text.length; // to build a value takes time too
    if (seen.has(text) || !within(allowance, () => test(value))) continue;
    seen.add(text);
    yield value;
  }
}

/** Returns the result of a computation; `undefined` if it takes too many steps. */
function within<Result>(allowance: Allowance, run: () => Result): Result | undefined {
  try {
    return limitSteps(allowance, run);
  } catch (error) {
    if (error instanceof StepLimitError) return undefined;
    throw error;
  }
}

/** Values for schemas that accept everything. */
const anyValues: readonly Json[] = [
  ...[null, false, 0, 1.5, -1, "", "\0", "a".repeat(20)],
  ...[[], [null], [0, 0], ["a", "b", "c", "d", "e"]],
  ...[{}, { a: null }, { a: 0, b: "b", c: [], d: {}, e: true }],
];

function* boundariesOf({ schemas, trail, budget }: BoundedPart): Iterable<Json> {
  if (budget.left-- <= 0) return;
  if (schemas.every(({ schema }) => schema === true)) return yield* anyValues;
  const isEntered = schemas.some((schema) => trail.filter((other) => other === schema).length >= mostEntries);
  if (isEntered) {
    const plain = draw(schemas, 0);
    return yield* plain === undefined ? [] : [plain];
  }
  const below = { schemas, trail: [...trail, ...schemas], budget };
  for (const shape of normalize(schemas)) {
    if (!canEndShape(shape, 64)) continue;
    yield* exampleValues(shape);
    if (shape.values) yield* shape.values;
    else yield* shapeBoundaries(shape, below);
  }
}

function* exampleValues({ sources }: Shape): Iterable<Json> {
  for (const { examples, example, default: usual } of sources) {
    const listed: readonly Json[] = Array.isArray(examples) ? examples : [];
    yield* [...listed, example, usual].filter((value) => value !== undefined);
  }
}

function* shapeBoundaries(shape: Shape, part: BoundedPart): Iterable<Json> {
  if (shape.type === "null") yield null;
  else if (shape.type === "boolean") yield* [false, true];
  else if (shape.type === "number") yield* listNumbers(shape);
  else if (shape.type === "string") yield* listTexts(shape);
  else if (shape.type === "array") yield* listBoundaries(shape, part);
  else yield* objectBoundaries(shape, part);
}

/** Draws a value that matches all schemas, from choices that are all equal. */
function draw(schemas: readonly LocatedSchema[], byte: number, isRealistic = false): Json | undefined {
  const [first, ...others] = schemas;
  if (!first) return byte;
  const choices: Choices = { next: () => byte };
  const value = findSample(first, choices, { isRealistic });
  return value !== undefined && isValidForAll(others, value) ? value : undefined;
}

/**
 * Yields the smallest, the typical and the longest lists, and a list for every boundary value of each of the first
 * items.
 */
function* listBoundaries(shape: ArrayShape, { schemas, ...below }: BoundedPart): Iterable<Json> {
  const bases = [draw(schemas, 0), draw(schemas, 0, true), draw(schemas, 3)].filter(isJsonList);
  yield* bases;
  const base = bases[0] ?? [];
  const places = 1 + countPrefix(shape);
  for (let index = 0; index < places; index++) {
    for (const item of boundariesOf({ schemas: itemSchemas(shape, index), ...below })) {
      const filled = index < base.length ? base : bases.find((each) => each.length >= index) ?? base;
      if (filled.length >= index) yield [...filled.slice(0, index), item, ...filled.slice(index + 1)];
    }
  }
  for (const { schema } of shape.contains) {
    for (const item of boundariesOf({ schemas: [...itemSchemas(shape, base.length), schema], ...below })) {
      yield* [[item], [...base, item], [...base.slice(0, -1), item]];
    }
  }
  yield* longLists(shape, bases[1] ?? base);
}

/** Yields lists of equal items: two, a few, and the maximum. */
function* longLists(shape: ArrayShape, base: readonly Json[]): Iterable<Json> {
  const { maxItems, isUnique } = shape;
  const last = base.at(-1) ?? draw(itemSchemas(shape, 0), 0);
  if (last === undefined || isUnique) return;
  const longest = maxItems <= longestList ? [maxItems - 1, maxItems] : [];
  for (const length of [2, 5, ...longest]) {
    if (length <= maxItems && length > base.length) yield [...base, ...Array<Json>(length - base.length).fill(last)];
  }
}

/** Names of members that often reveal bugs. */
const oddNames = ["__proto__", "constructor", "toString", "", "é 😀", "a.b", "a[0]"];

/**
 * Yields the smallest and the largest object, objects with one member less or more, and one for each boundary value of
 * each member.
 */
function* objectBoundaries(shape: ObjectShape, { schemas, ...below }: BoundedPart): Iterable<Json> {
  const least = draw(schemas, 0);
  const full = fillObject(shape, schemas);
  const bases = [full, least].filter(isJsonObject);
  yield* bases;
  const [base = {}] = bases;
  const names = knownNames(shape);
  for (const name of names) yield without(base, name);
  for (const name of names) {
    if (below.budget.left <= 0) return;
    for (const value of boundariesOf({ schemas: memberSchemas(shape, name), ...below })) {
      yield withMember(base, name, value);
      if (isJsonObject(least) && !Object.hasOwn(least, name)) yield withMember(least, name, value);
    }
  }
  yield withMembers(base, ["w", "x", "y", "z"], () => memberSchemas(shape, "other"), schemas);
  for (const name of [...oddNames, "other"]) {
    if (Object.hasOwn(base, name)) continue;
    for (const value of firstOf(boundariesOf({ schemas: memberSchemas(shape, name), ...below }), 2)) {
      yield withMember(base, name, value);
    }
  }
}

/** Adds those of some members with which an object is valid. */
function withMembers(
  base: JsonObject,
  names: readonly string[],
  partOf: (name: string) => readonly LocatedSchema[],
  schemas: readonly LocatedSchema[],
): JsonObject {
  const drawn = names.flatMap((name): [string, Json][] => {
    const value = draw(partOf(name), 0);
    return value === undefined ? [] : [[name, value]];
  });
  const shape = independentShape(schemas);
  if (shape && names.every((name) => !Object.hasOwn(base, name)) && isValidForAll(schemas, base)) {
    const fitting = drawn.filter(([name, value]) =>
      isValidForAll(shape.names, name) && isValidForAll(memberSchemas(shape, name), value)
    ).slice(0, Math.max(0, shape.maxProperties - Object.keys(base).length));
    return { ...base, ...Object.fromEntries(fitting) };
  }
  return drawn.reduce((object, [name, value]) => {
    const fuller = withMember(object, name, value);
    return isValidForAll(schemas, fuller) ? fuller : object;
  }, base);
}

/** Returns the only shape of objects, if an object that is valid stays so with another valid member. */
function independentShape(schemas: readonly LocatedSchema[]): ObjectShape | undefined {
  const [shape, ...others] = normalize(schemas).filter((each) => each.type === "object");
  if (!shape || others.length > 0) return undefined;
  return shape.values || shape.also.length > 0 || shape.not.length > 0 ? undefined : shape;
}

function fillObject(shape: ObjectShape, schemas: readonly LocatedSchema[]): JsonObject | undefined {
  const drawn = draw(schemas, 0, true);
  if (!isJsonObject(drawn)) return undefined;
  const missing = knownNames(shape).filter((name) => !Object.hasOwn(drawn, name));
  return withMembers(drawn, missing, (name) => memberSchemas(shape, name), schemas);
}

function* firstOf(values: Iterable<Json>, count: number): Iterable<Json> {
  let left = count;
  for (const value of values) {
    if (left-- === 0) return;
    yield value;
  }
}

/** A shape with the schemas that lead to it, which are not entered again. */
interface Entered {
  readonly shape: Shape;
  readonly schemas: readonly LocatedSchema[];
  readonly trail: ReadonlySet<LocatedSchema>;
}

/** Lists the shapes of a part that have more than a few values. A part without a schema has none. */
function enter(schemas: readonly LocatedSchema[], trail: ReadonlySet<LocatedSchema>): readonly Entered[] {
  if (schemas.length === 0 || schemas.some((schema) => trail.has(schema))) return [];
  const below = new Set([...trail, ...schemas]);
  return normalize(schemas).filter((shape) => !shape.values && canEndShape(shape, 64))
    .map((shape) => ({ shape, schemas, trail: below }));
}

/** Yields the values around each bound of a part. */
function* boundsOf(schemas: readonly LocatedSchema[], trail: ReadonlySet<LocatedSchema>): Iterable<Json> {
  for (const entered of enter(schemas, trail)) {
    const { shape } = entered;
    if (shape.type === "number") yield* numberBounds(shape);
    else if (shape.type === "string") yield* textBounds(shape);
    else if (shape.type === "array") yield* listBounds(shape, entered);
    else if (shape.type === "object") yield* objectBounds(shape, entered);
  }
}

/** Returns the finite bounds, with the numbers that are one step below and above each. */
function around(bounds: readonly number[], step = 1): number[] {
  const finite = bounds.filter((bound) => Math.abs(bound) < Number.MAX_SAFE_INTEGER);
  return [...new Set(finite.flatMap((bound) => [bound - step, bound, bound + step]))];
}

function numberBounds({ minimum, maximum, isInteger, multiplesOf }: NumberShape): number[] {
  const step = multiplesOf.length === 1 ? multiplesOf[0]! : isInteger ? 1 : 0.5;
  return [...around([minimum, maximum]), ...around([minimum, maximum], step)];
}

/** Yields texts of the lengths around each bound, which match the patterns and formats. */
function* textBounds(shape: StringShape): Iterable<string> {
  const { minLength, maxLength, patterns } = shape;
  const free = { ...shape, minLength: 0, maxLength: Infinity };
  for (const length of around([minLength, maxLength])) {
    if (length < 0 || length > longestText || (minLength === 0 && length < 2 && maxLength > 2)) continue;
    const drawn = patterns.flatMap((pattern) =>
      [length, length - 1, 1].flatMap((repeats) =>
        drawPattern(pattern, { next: () => 0 }, { repeats: Math.max(0, repeats), isLong: true })
      )
    );
    const usual = [...listTexts(shape), ...drawn].flatMap((text) => toLength(text, length));
    const fitting = ["a".repeat(length), ...usual].find((text) =>
      countCodePoints(text) === length && fitsText(free, text)
    );
    if (fitting !== undefined) yield fitting;
  }
}

const longestText = 20_000;

/** Returns texts of a length: the beginning of a text, or the text with one of its characters repeated. */
function toLength(text: string, length: number): string[] {
  const points = [...text];
  const missing = length - points.length;
  if (missing <= 0) return [points.slice(0, length).join("")];
  return [points.at(-1) ?? "a", points[0] ?? "a"].map((character, index) =>
    index === 0 ? text + character.repeat(missing) : character.repeat(missing) + text
  );
}

function* listBounds(shape: ArrayShape, { schemas, trail }: Entered): Iterable<Json> {
  for (const length of around([shape.minItems, shape.maxItems])) {
    if (length < 0 || length > longestList || (shape.minItems === 0 && length < 2 && shape.maxItems > 2)) continue;
    const items = drawItems(shape, length);
    if (items) yield items;
  }
  const base = draw(schemas, 0, true);
  const items = isJsonList(base) && base.length > 0 ? base : drawItems(shape, 1) ?? [];
  for (let index = 0; index < Math.min(items.length, 1 + countPrefix(shape)); index++) {
    for (const item of boundsOf(itemSchemas(shape, index), trail)) {
      yield items.map((each, at) => at === index ? item : each);
    }
  }
}

/** Draws a list of a length, of different items if they must be; `undefined` if it did not find enough. */
function drawItems(shape: ArrayShape, length: number): Json[] | undefined {
  const items = new Map<string, Json>();
  for (let attempt = 0; items.size < length && attempt < 4 * length + 40; attempt++) {
    const [first, ...others] = itemSchemas(shape, items.size);
    const choices = attempt === 0 || !shape.isUnique ? { next: () => 0 } : createChoices(`item ${attempt}`);
    const item = first ? findSample(first, choices) : attempt;
    if (item === undefined || !isValidForAll(others, item)) return undefined;
    items.set(shape.isUnique ? JSON.stringify(item) : String(attempt), item);
  }
  return items.size === length ? [...items.values()] : undefined;
}

function* objectBounds(shape: ObjectShape, { schemas, trail }: Entered): Iterable<Json> {
  const base = fillObject(shape, schemas) ?? draw(schemas, 0);
  if (!isJsonObject(base)) return;
  for (const count of around([shape.minProperties, shape.maxProperties])) {
    const object = count < 0 || count > longestList ? undefined : withCount(base, shape, count);
    if (object) yield object;
  }
  for (const name of knownNames(shape)) {
    for (const value of boundsOf(memberSchemas(shape, name), trail)) yield withMember(base, name, value);
  }
}

/** Returns an object with a number of members; `undefined` if the schema describes too few, or requires more. */
function withCount(base: JsonObject, shape: ObjectShape, count: number): JsonObject | undefined {
  const names = [...shape.required, ...Object.keys(base).filter((name) => !shape.required.has(name))];
  for (let number = 0; names.length < count; number++) names.push(`key${number}`);
  if (shape.required.size > count) return undefined;
  const members = names.slice(0, count).map((name) =>
    [name, base[name] ?? draw(memberSchemas(shape, name), 0)] as const
  );
  return members.every(([, value]) => value !== undefined) ? Object.fromEntries(members) as JsonObject : undefined;
}

/** Values of which few schemas accept all. */
const oddValues: readonly Json[] = ["~", 1.5, null, {}];

/** Yields values that one of the schemas of a part may refuse. */
function* violationsOf(schemas: readonly LocatedSchema[], trail: ReadonlySet<LocatedSchema>): Iterable<Json> {
  if (schemas.some((schema) => trail.has(schema))) return;
  yield* firstOf(oddValues.filter((value) => !isValidForAll(schemas, value)), 2);
  for (const entered of enter(schemas, trail)) {
    const { shape } = entered;
    if (shape.type === "object") yield* objectViolations(shape, entered);
    if (shape.type !== "array") continue;
    const [item] = drawItems(shape, 1) ?? [];
    if (item !== undefined) yield [item, item];
    for (const wrong of violationsOf(itemSchemas(shape, 0), entered.trail)) yield [wrong];
  }
}

function* objectViolations(shape: ObjectShape, { schemas, trail }: Entered): Iterable<Json> {
  const base = fillObject(shape, schemas) ?? draw(schemas, 0);
  if (!isJsonObject(base)) return;
  for (const name of shape.required) yield without(base, name);
  yield withMember(base, "zzz", 0);
  for (const name of knownNames(shape)) {
    for (const value of violationsOf(memberSchemas(shape, name), trail)) yield withMember(base, name, value);
  }
}
