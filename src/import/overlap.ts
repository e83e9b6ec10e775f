/** Decides whether a value can be of two types at once. */
import { jsonTypeOf, type LiteralShape, type NumberShape, type ObjectShape, type Shape } from "./shape.ts";

/** Returns the type of a named schema. `undefined` if it is not known. */
export type ShapeOf = (key: string) => Shape | undefined;

/** Pairs of types that were compared. Pairs that are being compared are assumed to have a value in common. */
type Known = Map<Shape, Map<Shape, boolean>>;

/** Whether some value may be of all types, compared in pairs. */
export function mayOverlap(shapes: readonly Shape[], shapeOf: ShapeOf): boolean {
  return pairsOf(shapes).every(([one, other]) => overlap(one, other, { shapeOf, known: new Map() }));
}

/** Whether no value is of two of the types. */
export function areDisjoint(shapes: readonly Shape[], shapeOf: ShapeOf): boolean {
  return !pairsOf(shapes).some(([one, other]) => overlap(one, other, { shapeOf, known: new Map() }));
}

function pairsOf(shapes: readonly Shape[]): (readonly [Shape, Shape])[] {
  return shapes.flatMap((one, index) => shapes.slice(index + 1).map((other) => [one, other] as const));
}

interface Comparison {
  readonly shapeOf: ShapeOf;
  readonly known: Known;
}

function overlap(one: Shape, other: Shape, comparison: Comparison): boolean {
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
  if (one.kind === "never" || other.kind === "never") return false;
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
  return type === undefined || another === undefined || type === another;
}

function overlapsLiteral({ values }: LiteralShape, other: Shape): boolean {
  return other.kind === "literal"
    ? values.some((value) => other.values.includes(value))
    : values.some((value) => typeof value === jsonTypeOf(other));
}

function overlapNumbers(one: NumberShape, other: NumberShape): boolean {
  const least = (shape: NumberShape) => Math.max(shape.minimum ?? -Infinity, shape.exclusiveMinimum ?? -Infinity);
  const most = (shape: NumberShape) => Math.min(shape.maximum ?? Infinity, shape.exclusiveMaximum ?? Infinity);
  return least(one) <= most(other) && least(other) <= most(one);
}

function overlapObjects(one: ObjectShape, other: ObjectShape, next: (one: Shape, other: Shape) => boolean): boolean {
  return isAccepted(one, other) && isAccepted(other, one) && haveCommonProperties(one, other, next);
}

/** Whether an object that is closed has the properties that another one requires. */
function isAccepted({ properties }: ObjectShape, { others, properties: own }: ObjectShape): boolean {
  return others !== "closed" ||
    properties.every(({ name, isRequired }) => !isRequired || own.some((property) => property.name === name));
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
