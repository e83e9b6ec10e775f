/** Computes the minimum depth of a schema's values, so that values of recursive schemas are finite. */
import { createMemo, type LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import {
  type ArrayShape,
  countPrefix,
  isEmpty,
  itemSchemas,
  memberSchemas,
  type ObjectShape,
  type Shape,
} from "./shapes.ts";

/** The deepest values that are drawn. */
const deepest = 64;

/** The results of {@linkcode leastDepth}, by the ids of the schemas. */
const knownDepths = createMemo(() => new Map<string, number | undefined>());

/** The results of {@linkcode canEnd}, by the depth and the ids of the schemas. */
const knownEnds = createMemo(() => new Map<string, boolean>());

/**
 * Returns the minimum number of nested lists and objects in a value that matches all schemas; `undefined` if certainly
 * no value does.
 */
export function leastDepth(schemas: readonly LocatedSchema[]): number | undefined {
  const [first] = schemas;
  if (!first) return 0;
  const known = knownDepths(first.whole);
  const key = schemas.map(({ id }) => id).join();
  if (known.has(key)) return known.get(key);
  let depth = 0;
  while (depth <= deepest && !canEnd(schemas, depth)) depth++;
  const least = depth > deepest ? undefined : depth;
  known.set(key, least);
  return least;
}

/** Tests whether a value with at most `depth` nested lists and objects can match all schemas. */
function canEnd(schemas: readonly LocatedSchema[], depth: number): boolean {
  const [first] = schemas;
  if (!first) return true;
  const known = knownEnds(first.whole);
  const key = `${depth} ${schemas.map(({ id }) => id).join()}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const result = normalize(schemas).some((shape) => canEndShape(shape, depth));
  known.set(key, result);
  return result;
}

/**
 * Tests whether a value of a shape can have at most `depth` nested lists and objects. Ignores patterns and `also`.
 */
export function canEndShape(shape: Shape, depth: number): boolean {
  const limits = knownLimits.get(shape) ?? { ends: Infinity, fails: -1 };
  if (depth >= limits.ends || depth <= limits.fails) return depth >= limits.ends;
  const canEnd = findEnd(shape, depth);
  if (canEnd) limits.ends = Math.min(limits.ends, depth);
  else limits.fails = Math.max(limits.fails, depth);
  knownLimits.set(shape, limits);
  return canEnd;
}

/** The depths for which the result of {@linkcode canEndShape} is known: from `ends` on it is true, up to `fails` false. */
const knownLimits = new WeakMap<Shape, { ends: number; fails: number }>();

function findEnd(shape: Shape, depth: number): boolean {
  if (shape.not.some(({ schema }) => schema === true || Object.keys(schema).length === 0 && schema !== false)) {
    return false;
  }
  if (shape.values) return shape.values.length > 0;
  if (shape.type === "array") return canEndArray(shape, depth);
  return shape.type === "object" ? canEndObject(shape, depth) : !isEmpty(shape);
}

function canEndArray(shape: ArrayShape, depth: number): boolean {
  const { contains, maxItems } = shape;
  const least = leastItems(shape);
  if (least === 0) return true;
  if (least > maxItems || depth === 0) return false;
  const places = Math.min(least, 1 + countPrefix(shape));
  return contains.every(({ schema, least }) => least === 0 || canEnd([schema], depth - 1)) &&
    Array.from({ length: places }, (_, index) => itemSchemas(shape, index))
      .every((schemas) => canEnd(schemas, depth - 1));
}

/** Returns the minimum number of items of a list. */
export function leastItems({ minItems, contains }: ArrayShape): number {
  return Math.max(minItems, ...contains.map(({ least }) => least));
}

function canEndObject(shape: ObjectShape, depth: number): boolean {
  const { required, minProperties, maxProperties } = shape;
  if (required.size === 0 && minProperties === 0) return true;
  if (required.size > maxProperties || minProperties > maxProperties || depth === 0) return false;
  return [...required].every((name) => canEnd(memberSchemas(shape, name), depth - 1));
}
