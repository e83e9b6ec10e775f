/** Computes the minimum depth of a schema's values, so that values of recursive schemas are finite. */
import { type LocatedSchema, memoOfSchemas } from "./locate.ts";
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

const deepest = 64;

/**
 * Returns the minimum number of nested lists and objects in a value that matches all schemas; `undefined` if certainly
 * no value does.
 */
export const leastDepth: (schemas: readonly LocatedSchema[]) => number | undefined = /* @__PURE__ */ memoOfSchemas(
  (schemas) => {
    if (schemas.length === 0) return 0;
    let depth = 0;
    while (depth <= deepest && !canEnd(schemas, depth)) depth++;
    return depth > deepest ? undefined : depth;
  },
);

/** Tests whether a value that matches all schemas can have at most a number of nested lists and objects. */
export function fitsDepth(schemas: readonly LocatedSchema[], depth: number): boolean {
  const least = leastDepth(schemas);
  return least !== undefined && least <= depth;
}

export function shapesWithin(schemas: readonly LocatedSchema[], depth: number): readonly Shape[] {
  const known = knownWithin(schemas);
  let found = known.get(depth);
  if (found === undefined) {
    const shapes = normalize(schemas);
    const ending = shapes.filter((shape) => canEndShape(shape, depth));
    found = ending.length === shapes.length ? shapes : ending; // one list, because unions may have thousands
    known.set(depth, found);
  }
  return found;
}

const knownWithin = /* @__PURE__ */ memoOfSchemas(() => new Map<number, readonly Shape[]>());

const knownEnds = /* @__PURE__ */ memoOfSchemas(() => new Map<number, boolean>());

/** Tests whether a value with at most `depth` nested lists and objects can match all schemas. */
function canEnd(schemas: readonly LocatedSchema[], depth: number): boolean {
  if (schemas.length === 0) return true;
  const known = knownEnds(schemas);
  const result = known.get(depth) ?? normalize(schemas).some((shape) => canEndShape(shape, depth));
  known.set(depth, result);
  return result;
}

/** Tests whether a value of a shape can have at most `depth` nested lists and objects. Ignores patterns and `also`. */
export function canEndShape(shape: Shape, depth: number): boolean {
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

export function leastItems({ minItems, contains }: ArrayShape): number {
  return Math.max(minItems, ...contains.map(({ least }) => least));
}

function canEndObject(shape: ObjectShape, depth: number): boolean {
  const { required, minProperties, maxProperties } = shape;
  if (required.size === 0 && minProperties === 0) return true;
  if (required.size > maxProperties || minProperties > maxProperties || depth === 0) return false;
  return [...required].every((name) => canEnd(memberSchemas(shape, name), depth - 1));
}
