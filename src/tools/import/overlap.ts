/** Decides whether a value can be of two types at once. */
import { canTest, matchesPattern } from "../json_schema/pattern.ts";
import { countCodePoints, isMultipleOf } from "../json_schema/json.ts";
import { spend } from "../json_schema/steps.ts";
import { jsonTypeOf, type LiteralShape, type NumberShape, type ObjectShape, type Shape } from "./shape.ts";

/** Returns the type of a named schema. `undefined` if it is not known. */
export type ShapeOf = (key: string) => Shape | undefined;

/** Pairs of types that were compared. Pairs that are being compared are assumed to have a value in common. */
type Known = Map<Shape, Map<Shape, boolean>>;

/** Returns whether some value may be of all types. */
export function mayOverlap(shapes: readonly Shape[], shapeOf: ShapeOf): boolean {
  const comparison: Comparison = { shapeOf, known: new Map() };
  const budget = { left: mostCombinations };
  return combine([], shapes, 0);

  /** Returns whether some value may be of types that are not unions, and of others. */
  function combine(chosen: readonly Shape[], waiting: readonly Shape[], level: number): boolean {
    const [first, ...rest] = waiting;
    if (first === undefined || budget.left-- <= 0 || level > deepest) return true;
    if (first.kind === "union") return first.members.some((member) => combine(chosen, [member, ...rest], level + 1));
    if (first.kind === "intersection") return combine(chosen, [...first.members, ...rest], level + 1);
    const target = first.kind === "reference" ? shapeOf(first.key) : undefined;
    if (target) return combine(chosen, [target, ...rest], level + 1);
    return chosen.every((other) => overlap(first, other, comparison)) && combine([...chosen, first], rest, level + 1);
  }
}

/** The most combinations of members that are compared. Further ones are assumed to have values. */
const mostCombinations = 10_000;

/** The most steps to the members of a combination. */
const deepest = 200;

/** Returns whether no value is of two of the types. */
export function areDisjoint(shapes: readonly Shape[], shapeOf: ShapeOf): boolean {
  const comparison: Comparison = { shapeOf, known: new Map() };
  const targets = shapes.map((shape) => shape.kind === "reference" ? shapeOf(shape.key) ?? shape : shape);
  const literals = targets.filter((shape) => shape.kind === "literal");
  const values = literals.flatMap((literal) => literal.values);
  if (new Set(values).size < values.length) return false;
  const others = targets.filter(({ kind }) => kind !== "literal");
  if (literals.length === 0 && areToldApart(others, shapeOf)) return true;
  const all = values.length === 0 ? others : [{ kind: "literal", values } satisfies LiteralShape, ...others];
  let left = mostPairs;
  return all.every((one, index) =>
    all.slice(index + 1).every((other) => left-- > 0 && !overlap(one, other, comparison))
  );
}

/** The most members of a choice that are compared in pairs. Of more, some are assumed to have values in common. */
const mostPairs = 50_000;

/** Returns whether all types are objects with a required property that has other values in each of them. */
function areToldApart(shapes: readonly Shape[], shapeOf: ShapeOf): boolean {
  const [first] = shapes;
  if (first?.kind !== "object") return false;
  return first.properties.filter(({ isRequired }) => isRequired).some(({ name }) => {
    const values = shapes.map((shape) => literalsAt(shape, name, shapeOf));
    const all = values.flat();
    return values.every((each) => each.length > 0) && new Set(all).size === all.length;
  });
}

/** Returns the values of a required property of an object. None if it has any others. */
function literalsAt(shape: Shape, name: string, shapeOf: ShapeOf): LiteralShape["values"] {
  if (shape.kind !== "object") return [];
  const property = shape.properties.find((each) => each.name === name);
  if (!property?.isRequired) return [];
  const target = property.shape.kind === "reference" ? shapeOf(property.shape.key) : property.shape;
  return target?.kind === "literal" ? target.values : [];
}

interface Comparison {
  readonly shapeOf: ShapeOf;
  readonly known: Known;
}

function overlap(one: Shape, other: Shape, comparison: Comparison): boolean {
  spend(1 / 100);
  const pairs = comparison.known.get(one) ?? new Map<Shape, boolean>();
  comparison.known.set(one, pairs);
  const before = pairs.get(other);
  if (before !== undefined) return before;
  pairs.set(other, true);
  const found = compare(one, other, comparison);
  pairs.set(other, found);
  return found;
}

function compare(one: Shape, other: Shape, comparison: Comparison): boolean {
  const next = (left: Shape, right: Shape) => overlap(left, right, comparison);
  if (isEmpty(one) || isEmpty(other)) return false;
  if (one.kind === "unknown" || other.kind === "unknown") return true;
  if (one.kind === "reference") {
    const target = comparison.shapeOf(one.key);
    return target === undefined || next(target, other);
  }
  if (one.kind === "union") return one.members.some((member) => next(member, other));
  if (one.kind === "intersection") return one.members.every((member) => next(member, other));
  if (other.kind === "reference" || other.kind === "union" || other.kind === "intersection") return next(other, one);
  if (one.kind === "literal") return overlapsLiteral(one, other);
  if (other.kind === "literal") return overlapsLiteral(other, one);
  if (one.kind === "object" && other.kind === "object") return overlapObjects(one, other, next);
  if (one.kind === "number" && other.kind === "number") return overlapNumbers(one, other);
  const [type, another] = [jsonTypeOf(one), jsonTypeOf(other)];
  if (type === undefined || another === undefined) return true;
  return type === another && overlapLengths(one, other) && overlapItems(one, other, next);
}

/** Returns whether the bounds of a type leave no value. */
function isEmpty(shape: Shape): boolean {
  switch (shape.kind) {
    case "never":
      return true;
    case "number":
      return !overlapNumbers(shape, shape);
    case "string":
      return (shape.minLength ?? 0) > (shape.maxLength ?? Infinity);
    case "array":
      return (shape.minItems ?? 0) > (shape.maxItems ?? Infinity);
    default:
      return false;
  }
}

function overlapsLiteral({ values }: LiteralShape, other: Shape): boolean {
  const listed = other.kind === "literal" ? new Set(other.values) : undefined;
  return values.some((value) =>
    listed ? listed.has(value) : typeof value === jsonTypeOf(other) && fitsBounds(other, value)
  );
}

/** Returns whether a text or a list may have the lengths of both types. */
function overlapLengths(one: Shape, other: Shape): boolean {
  const [[least, most], [from, to]] = [lengthsOf(one), lengthsOf(other)];
  return Math.max(least, from) <= Math.min(most, to);
}

function lengthsOf(shape: Shape): readonly [least: number, most: number] {
  if (shape.kind === "string") return [shape.minLength ?? 0, shape.maxLength ?? Infinity];
  if (shape.kind === "array") return [shape.minItems ?? 0, shape.maxItems ?? Infinity];
  return shape.kind === "tuple" ? [shape.items.length, shape.rest ? Infinity : shape.items.length] : [0, Infinity];
}

/** Returns whether the items that lists must have may be of both types. */
function overlapItems(one: Shape, other: Shape, next: (one: Shape, other: Shape) => boolean): boolean {
  const needed = Math.max(lengthsOf(one)[0], lengthsOf(other)[0]);
  for (let index = 0; index < Math.min(needed, mostItems); index++) {
    const [left, right] = [itemAt(one, index), itemAt(other, index)];
    if (left && right && !next(left, right)) return false;
  }
  return true;
}

/** The most items of lists that are compared. */
const mostItems = 20;

function itemAt(shape: Shape, index: number): Shape | undefined {
  if (shape.kind === "array") return shape.items;
  return shape.kind === "tuple" ? shape.items[index] ?? shape.rest : undefined;
}

function overlapNumbers(one: NumberShape, other: NumberShape): boolean {
  const least = (shape: NumberShape) => Math.max(shape.minimum ?? -Infinity, shape.exclusiveMinimum ?? -Infinity);
  const most = (shape: NumberShape) => Math.min(shape.maximum ?? Infinity, shape.exclusiveMaximum ?? Infinity);
  const [from, to] = [Math.max(least(one), least(other)), Math.min(most(one), most(other))];
  return from < to || (from === to && fitsBounds(one, from) && fitsBounds(other, from));
}

function overlapObjects(one: ObjectShape, other: ObjectShape, next: (one: Shape, other: Shape) => boolean): boolean {
  return isAccepted(one, other, next) && isAccepted(other, one, next) && haveCommonProperties(one, other, next);
}

/** Returns whether an object may have the properties that another one requires. */
function isAccepted(
  { properties }: ObjectShape,
  { others, properties: own }: ObjectShape,
  next: (one: Shape, other: Shape) => boolean,
): boolean {
  const added = properties.filter(({ name, isRequired }) => isRequired && !own.some((each) => each.name === name));
  if (others === "closed") return added.length === 0;
  return typeof others !== "object" || added.every(({ shape }) => next(shape, others));
}

function haveCommonProperties(
  one: ObjectShape,
  other: ObjectShape,
  next: (one: Shape, other: Shape) => boolean,
): boolean {
  const others = new Map(other.properties.map((property) => [property.name, property]));
  return one.properties.every(({ name, shape, isRequired }) => {
    const same = others.get(name);
    return same === undefined || (!isRequired && !same.isRequired) || next(shape, same.shape);
  });
}

/** Returns whether a text or a number is within the bounds of a type, if it is of that type. */
export function fitsBounds(shape: Shape, value: string | number | boolean): boolean {
  if (typeof value === "string" && shape.kind === "string") {
    const length = countCodePoints(value);
    return (shape.minLength ?? 0) <= length && length <= (shape.maxLength ?? Infinity) &&
      (shape.pattern === undefined || !canTest(shape.pattern, value) || matchesPattern(shape.pattern, value));
  }
  if (typeof value !== "number" || shape.kind !== "number") return true;
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = shape;
  return minimum <= value && exclusiveMinimum < value && value <= maximum && value < exclusiveMaximum &&
    (!shape.isInteger || Number.isInteger(value)) &&
    (shape.multipleOf === undefined || isMultipleOf(value, shape.multipleOf));
}
