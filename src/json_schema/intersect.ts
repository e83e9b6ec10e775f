/** Intersects two shapes. */
import { isEqual, isSchemaObject, type Json } from "./json.ts";
import {
  type ArrayShape,
  memberSchemas,
  type NumberShape,
  type ObjectShape,
  type Shape,
  type StringShape,
} from "./shapes.ts";
import { spend } from "./steps.ts";

/** Joins two lists without duplicates: schemas that many paths lead to would otherwise double at each of them. */
function unite<Item>(left: readonly Item[], right: readonly Item[]): readonly Item[] {
  if (right.length === 0 || left === right) return left;
  return left.length === 0 ? right : [...new Set([...left, ...right])];
}

/** Returns the shape of the values that have both shapes; `undefined` if there are certainly none. */
export function intersectShapes(left: Shape, right: Shape): Shape | undefined {
  if (left === right) return left;
  if (left.type !== right.type) return undefined;
  spend(1 + left.sources.length + right.sources.length);
  const values = commonValues(left.values, right.values);
  if (values?.length === 0) return undefined;
  const common = {
    values,
    also: unite(left.also, right.also),
    not: unite(left.not, right.not),
    sources: unite(left.sources, right.sources),
  };
  return { type: left.type, ...common, ...commonRules(left, right) } as Shape;
}

function commonValues(left: Shape["values"], right: Shape["values"]): readonly Json[] | undefined {
  return left && right ? left.filter((value) => right.some((other) => isEqual(value, other))) : left ?? right;
}

function commonRules(left: Shape, right: Shape): object {
  if (left.type === "number") return commonNumbers(left, right as NumberShape);
  if (left.type === "string") return commonStrings(left, right as StringShape);
  if (left.type === "array") return commonArrays(left, right as ArrayShape);
  if (left.type === "object") return commonObjects(left, right as ObjectShape);
  return {};
}

function commonNumbers(left: NumberShape, right: NumberShape): object {
  const lower = left.minimum > right.minimum ? left : right;
  const upper = left.maximum < right.maximum ? left : right;
  const [minimum, maximum] = [lower.minimum, upper.maximum];
  return {
    isInteger: left.isInteger || right.isInteger,
    minimum,
    isMinimumExcluded: [left, right].some((each) => each.minimum === minimum && each.isMinimumExcluded),
    maximum,
    isMaximumExcluded: [left, right].some((each) => each.maximum === maximum && each.isMaximumExcluded),
    multiplesOf: unite(left.multiplesOf, right.multiplesOf),
  };
}

function commonStrings(left: StringShape, right: StringShape): object {
  return {
    minLength: Math.max(left.minLength, right.minLength),
    maxLength: Math.min(left.maxLength, right.maxLength),
    patterns: [...new Set([...left.patterns, ...right.patterns])],
    formats: [...new Set([...left.formats, ...right.formats])],
    mediaTypes: unite(left.mediaTypes, right.mediaTypes),
    encodings: unite(left.encodings, right.encodings),
    contents: unite(left.contents, right.contents),
  };
}

function commonArrays(left: ArrayShape, right: ArrayShape): object {
  return {
    minItems: Math.max(left.minItems, right.minItems),
    maxItems: Math.min(left.maxItems, right.maxItems),
    isUnique: left.isUnique || right.isUnique,
    items: unite(left.items, right.items),
    contains: unite(left.contains, right.contains),
  };
}

function commonObjects(left: ObjectShape, right: ObjectShape): object {
  return {
    minProperties: Math.max(left.minProperties, right.minProperties),
    maxProperties: Math.min(left.maxProperties, right.maxProperties),
    required: new Set([...left.required, ...right.required]),
    members: unite(left.members, right.members),
    names: unite(left.names, right.names),
  };
}

/** Whether certainly no value has both shapes, judging by their types, values and tags. */
export function areDisjoint(left: Shape, right: Shape): boolean {
  if (intersectShapes(left, right) === undefined) return true;
  if (left.type !== "object" || right.type !== "object") return false;
  return [...left.required].filter((name) => right.required.has(name))
    .some((name) => haveOtherTags(tagsOf(left, name), tagsOf(right, name)));
}

/** Returns the allowed values of a member, if they are few and can identify the kind of an object. */
export function tagsOf(shape: ObjectShape, name: string): readonly Json[] | undefined {
  for (const { schema } of memberSchemas(shape, name)) {
    if (!isSchemaObject(schema)) continue;
    if ("const" in schema) return [schema.const as Json];
    if (Array.isArray(schema.enum)) return schema.enum as Json[];
  }
}

function haveOtherTags(left: readonly Json[] | undefined, right: readonly Json[] | undefined): boolean {
  return left !== undefined && right !== undefined && commonValues(left, right)!.length === 0;
}
