/** Decides whether a value can be of two types at once. */
import { canTest, matchesPattern } from "../json_schema/pattern.ts";
import { countCodePoints, isMultipleOf } from "../json_schema/json.ts";
import { spend } from "../json_schema/steps.ts";
import { jsonTypeOf, type LiteralModel, type Model, type NumberModel, type ObjectModel } from "./model.ts";

/** Returns the type of a named schema. `undefined` if it is not known. */
export type FindModel = (key: string) => Model | undefined;

/** Pairs of types that were compared. Pairs that are being compared are assumed to have a value in common. */
type KnownOverlaps = Map<Model, Map<Model, boolean>>;

/** Returns whether some value may be of all types. */
export function mayOverlap(models: readonly Model[], modelOf: FindModel): boolean {
  const comparison: OverlapSearch = { modelOf, known: new Map() };
  const budget = { left: mostCombinations };
  return combine([], models, 0);

  /** Returns whether some value may be of types that are not unions, and of others. */
  function combine(chosen: readonly Model[], waiting: readonly Model[], level: number): boolean {
    const [first, ...rest] = waiting;
    if (first === undefined || budget.left-- <= 0 || level > deepest) return true;
    if (first.kind === "union") return first.members.some((member) => combine(chosen, [member, ...rest], level + 1));
    if (first.kind === "intersection") return combine(chosen, [...first.members, ...rest], level + 1);
    const target = first.kind === "reference" ? modelOf(first.key) : undefined;
    if (target) return combine(chosen, [target, ...rest], level + 1);
    return chosen.every((other) => overlap(first, other, comparison)) && combine([...chosen, first], rest, level + 1);
  }
}

/** The most combinations of members that are compared. Further ones are assumed to have values. */
const mostCombinations = 10_000;

/** The most steps to the members of a combination. */
const deepest = 200;

/** Returns whether no value is of two of the types. */
export function areExclusive(models: readonly Model[], modelOf: FindModel): boolean {
  const comparison: OverlapSearch = { modelOf, known: new Map() };
  const targets = models.map((model) => model.kind === "reference" ? modelOf(model.key) ?? model : model);
  const literals = targets.filter((model) => model.kind === "literal");
  const values = literals.flatMap((literal) => literal.values);
  if (new Set(values).size < values.length) return false;
  const others = targets.filter(({ kind }) => kind !== "literal");
  if (literals.length === 0 && areToldApart(others, modelOf)) return true;
  const all = values.length === 0 ? others : [{ kind: "literal", values } satisfies LiteralModel, ...others];
  let left = mostPairs;
  return all.every((one, index) =>
    all.slice(index + 1).every((other) => left-- > 0 && !overlap(one, other, comparison))
  );
}

/** The most members of a choice that are compared in pairs. Of more, some are assumed to have values in common. */
const mostPairs = 50_000;

/** Returns whether all types are objects with a required property that has other values in each of them. */
export function areToldApart(models: readonly Model[], modelOf: FindModel): boolean {
  const [first] = models;
  if (first?.kind !== "object") return false;
  return first.properties.filter(({ isRequired }) => isRequired).some(({ name }) => {
    const values = models.map((model) => literalsAt(model, name, modelOf));
    const all = values.flat();
    return values.every((each) => each.length > 0) && new Set(all).size === all.length;
  });
}

/** Returns the values of a required property of an object. None if it has any others. */
function literalsAt(model: Model, name: string, modelOf: FindModel): LiteralModel["values"] {
  if (model.kind !== "object") return [];
  const property = model.properties.find((each) => each.name === name);
  if (!property?.isRequired) return [];
  const target = property.model.kind === "reference" ? modelOf(property.model.key) : property.model;
  return target?.kind === "literal" ? target.values : [];
}

interface OverlapSearch {
  readonly modelOf: FindModel;
  readonly known: KnownOverlaps;
}

function overlap(one: Model, other: Model, comparison: OverlapSearch): boolean {
  spend(1 / 100);
  const pairs = comparison.known.get(one) ?? new Map<Model, boolean>();
  comparison.known.set(one, pairs);
  const before = pairs.get(other);
  if (before !== undefined) return before;
  pairs.set(other, true);
  const found = compare(one, other, comparison);
  pairs.set(other, found);
  return found;
}

function compare(one: Model, other: Model, comparison: OverlapSearch): boolean {
  const next = (left: Model, right: Model) => overlap(left, right, comparison);
  if (hasNoValue(one) || hasNoValue(other)) return false;
  if (one.kind === "unknown" || other.kind === "unknown") return true;
  if (one.kind === "reference") {
    const target = comparison.modelOf(one.key);
    return target === undefined || next(target, other);
  }
  if (one.kind === "union") return one.members.some((member) => next(member, other));
  if (one.kind === "intersection") return one.members.every((member) => next(member, other));
  if (other.kind === "reference" || other.kind === "union" || other.kind === "intersection") return next(other, one);
  if (one.kind === "literal") return overlapsLiteral(one, other);
  if (other.kind === "literal") return overlapsLiteral(other, one);
  if (one.kind === "object" && other.kind === "object") {
    return isAccepted(one, other, next) && isAccepted(other, one, next) && haveCommonProperties(one, other, next);
  }
  if (one.kind === "number" && other.kind === "number") return overlapNumbers(one, other);
  const [type, another] = [jsonTypeOf(one), jsonTypeOf(other)];
  if (type === undefined || another === undefined) return true;
  const [[least, most], [from, to]] = [lengthsOf(one), lengthsOf(other)];
  return type === another && Math.max(least, from) <= Math.min(most, to) && overlapItems(one, other, next);
}

/** Returns whether the bounds of a type leave no value. */
export function hasNoValue(model: Model): boolean {
  switch (model.kind) {
    case "never":
      return true;
    case "number":
      return !overlapNumbers(model, model);
    case "string":
      return (model.minLength ?? 0) > (model.maxLength ?? Infinity);
    case "array":
      return (model.minItems ?? 0) > (model.maxItems ?? Infinity);
    default:
      return false;
  }
}

function overlapsLiteral({ values }: LiteralModel, other: Model): boolean {
  const listed = other.kind === "literal" ? new Set(other.values) : undefined;
  return values.some((value) =>
    listed ? listed.has(value) : typeof value === jsonTypeOf(other) && fitsBounds(other, value)
  );
}

function lengthsOf(model: Model): readonly [least: number, most: number] {
  if (model.kind === "string") return [model.minLength ?? 0, model.maxLength ?? Infinity];
  if (model.kind === "array") return [model.minItems ?? 0, model.maxItems ?? Infinity];
  return model.kind === "tuple" ? [model.items.length, model.rest ? Infinity : model.items.length] : [0, Infinity];
}

/** Returns whether the items that lists must have may be of both types. */
function overlapItems(one: Model, other: Model, next: (one: Model, other: Model) => boolean): boolean {
  const needed = Math.max(lengthsOf(one)[0], lengthsOf(other)[0]);
  for (let index = 0; index < Math.min(needed, mostItems); index++) {
    const [left, right] = [itemAt(one, index), itemAt(other, index)];
    if (left && right && !next(left, right)) return false;
  }
  return true;
}

/** The most items of lists that are compared. */
const mostItems = 20;

function itemAt(model: Model, index: number): Model | undefined {
  if (model.kind === "array") return model.items;
  return model.kind === "tuple" ? model.items[index] ?? model.rest : undefined;
}

function overlapNumbers(one: NumberModel, other: NumberModel): boolean {
  const least = (model: NumberModel) => Math.max(model.minimum ?? -Infinity, model.exclusiveMinimum ?? -Infinity);
  const most = (model: NumberModel) => Math.min(model.maximum ?? Infinity, model.exclusiveMaximum ?? Infinity);
  const [from, to] = [Math.max(least(one), least(other)), Math.min(most(one), most(other))];
  return from < to || (from === to && fitsBounds(one, from) && fitsBounds(other, from));
}

/** Returns whether an object may have the properties that another one requires. */
function isAccepted(
  { properties }: ObjectModel,
  { others, properties: own }: ObjectModel,
  next: (one: Model, other: Model) => boolean,
): boolean {
  const added = properties.filter(({ name, isRequired }) => isRequired && !own.some((each) => each.name === name));
  if (others === "closed") return added.length === 0;
  return typeof others !== "object" || added.every(({ model }) => next(model, others));
}

function haveCommonProperties(
  one: ObjectModel,
  other: ObjectModel,
  next: (one: Model, other: Model) => boolean,
): boolean {
  const others = new Map(other.properties.map((property) => [property.name, property]));
  return one.properties.every(({ name, model, isRequired }) => {
    const same = others.get(name);
    return same === undefined || (!isRequired && !same.isRequired) || next(model, same.model);
  });
}

/** Returns whether a text or a number is within the bounds of a type, if it is of that type. */
export function fitsBounds(model: Model, value: string | number | boolean): boolean {
  if (typeof value === "string" && model.kind === "string") {
    const length = countCodePoints(value);
    return (model.minLength ?? 0) <= length && length <= (model.maxLength ?? Infinity) &&
      (model.pattern === undefined || !canTest(model.pattern, value) || matchesPattern(model.pattern, value));
  }
  if (typeof value !== "number" || model.kind !== "number") return true;
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = model;
  return minimum <= value && exclusiveMinimum < value && value <= maximum && value < exclusiveMaximum &&
    (!model.isInteger || Number.isInteger(value)) &&
    (model.multipleOf === undefined || isMultipleOf(value, model.multipleOf));
}
