/** Lists the values of a schema that often reveal bugs. */
import type { Choices } from "./choices.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, withMember, without } from "./json.ts";
import type { LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { findSample } from "./sample.ts";
import { canEndShape } from "./sample_depth.ts";
import { listNumbers } from "./sample_number.ts";
import { listTexts } from "./sample_string.ts";
import {
  type ArrayShape,
  countPrefix,
  itemSchemas,
  knownNames,
  memberSchemas,
  type ObjectShape,
  type Shape,
} from "./shapes.ts";
import { type Allowance, limitSteps, StepLimitError } from "./steps.ts";
import { isValid } from "./validate.ts";

/** The most times that a schema may be entered on the way to a value. */
const mostEntries = 2;

/** The longest list that is built at its maximum length. */
const longestList = 100;

/** The part of a schema whose boundaries are listed. */
interface Part {
  /** The schemas that its values must match, all of them. */
  readonly schemas: readonly LocatedSchema[];
  /** The schemas that were entered on the way. */
  readonly trail: readonly LocatedSchema[];
  /** How many more parts are listed: schemas that many paths lead to have exponentially many. */
  readonly budget: { left: number };
}

/** The most steps that a list takes. */
const mostSteps = 3_000_000;

/** The most parts that are listed. */
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
  return validOnce(boundariesOf({ schemas: [schema], trail: [], budget }), schema);
}

function* validOnce(values: Iterable<Json>, schema: LocatedSchema): Iterable<Json> {
  const seen = new Set<string>();
  const source = values[Symbol.iterator]();
  const allowance = { left: mostSteps };
  while (allowance.left > 0) {
    const next = within(allowance, () => source.next());
    if (next === undefined || next.done) return;
    const { value } = next;
    const text = JSON.stringify(value);
    allowance.left -= text.length; // to build a value takes time too
    if (seen.has(text) || !within(allowance, () => isValid(schema, value))) continue;
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

/** Yields the boundary values of a part. Some may be invalid. */
function* boundariesOf({ schemas, trail, budget }: Part): Iterable<Json> {
  if (budget.left-- <= 0) return;
  if (schemas.every(({ schema }) => schema === true)) return yield* anyValues;
  const isEntered = schemas.some((schema) => trail.filter((other) => other === schema).length >= mostEntries);
  if (isEntered) return yield* plainValues(schemas);
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

function* shapeBoundaries(shape: Shape, part: Part): Iterable<Json> {
  if (shape.type === "null") yield null;
  else if (shape.type === "boolean") yield* [false, true];
  else if (shape.type === "number") yield* listNumbers(shape);
  else if (shape.type === "string") yield* listTexts(shape);
  else if (shape.type === "array") yield* listBoundaries(shape, part);
  else yield* objectBoundaries(shape, part);
}

/** Yields the simplest value that matches some schemas. */
function* plainValues(schemas: readonly LocatedSchema[]): Iterable<Json> {
  const [first] = schemas;
  const plain = first ? draw(schemas, 0) : null;
  if (plain !== undefined) yield plain;
}

/** Draws a value that matches all schemas, from choices that are all equal. */
function draw(schemas: readonly LocatedSchema[], byte: number, isRealistic = false): Json | undefined {
  const [first, ...others] = schemas;
  if (!first) return byte;
  const choices: Choices = { next: () => byte };
  const value = findSample(first, choices, { isRealistic });
  return value !== undefined && others.every((schema) => isValid(schema, value)) ? value : undefined;
}

/**
 * Yields the smallest, the typical and the longest lists, and a list for every boundary value of each of the first
 * items.
 */
function* listBoundaries(shape: ArrayShape, { schemas, ...below }: Part): Iterable<Json> {
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
function* objectBoundaries(shape: ObjectShape, { schemas, ...below }: Part): Iterable<Json> {
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
  yield withMembers(base, schemas, memberSchemas(shape, "other"));
  for (const name of [...oddNames, "other"]) {
    if (Object.hasOwn(base, name)) continue;
    for (const value of firstOf(boundariesOf({ schemas: memberSchemas(shape, name), ...below }), 2)) {
      yield withMember(base, name, value);
    }
  }
}

/** Adds up to four members that the schema does not name. */
function withMembers(base: JsonObject, schemas: readonly LocatedSchema[], rest: readonly LocatedSchema[]): JsonObject {
  let object = base;
  for (const name of ["w", "x", "y", "z"]) {
    const value = draw(rest, 0);
    const fuller = value === undefined ? object : withMember(object, name, value);
    if (schemas.every((schema) => isValid(schema, fuller))) object = fuller;
  }
  return object;
}

/** Returns an object with as many of the named members as possible. */
function fillObject(shape: ObjectShape, schemas: readonly LocatedSchema[]): JsonObject | undefined {
  const drawn = draw(schemas, 0, true);
  if (!isJsonObject(drawn)) return undefined;
  let full = drawn;
  for (const name of knownNames(shape).filter((name) => !Object.hasOwn(drawn, name))) {
    const value = draw(memberSchemas(shape, name), 0);
    const fuller = value === undefined ? full : withMember(full, name, value);
    if (schemas.every((schema) => isValid(schema, fuller))) full = fuller;
  }
  return full;
}

function* firstOf(values: Iterable<Json>, count: number): Iterable<Json> {
  let left = count;
  for (const value of values) {
    if (left-- === 0) return;
    yield value;
  }
}
