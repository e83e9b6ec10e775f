/** Plans how values of schemas are drawn. Each plan is computed once. */
import { type LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { canEndShape, leastDepth } from "./sample_depth.ts";
import { type ArrayShape, itemSchemas, knownNames, memberSchemas, type ObjectShape, type Shape } from "./shapes.ts";

/** How values that match all of some schemas are drawn. */
export interface ValuePlan {
  readonly schemas: readonly LocatedSchema[];
  /** The minimum number of nested lists and objects in a value; `undefined` if certainly no value exists. */
  readonly least: number | undefined;
  /** Returns the shapes of the values with at most `depth` levels. */
  readonly shapesWithin: (depth: number) => readonly ShapePlan[];
}

/** How values of a shape are drawn. */
export interface ShapePlan<Of extends Shape = Shape> {
  readonly shape: Of;
  /** Whether every drawn value is valid, because drawing follows all constraints of the shape. */
  readonly isCertain: boolean;
  /** The names of members in the constraints of an object. */
  readonly names: readonly string[];
  /** Returns the plan for a member of an object. */
  readonly planMember: (name: string) => ValuePlan;
  /** Returns the plan for an item of a list. */
  readonly planItem: (index: number) => ValuePlan;
}

/** Returns whether a value can have at most `depth` levels. */
export function fitsDepth({ least }: ValuePlan, depth: number): boolean {
  return least !== undefined && least <= depth;
}

let anyValue: ValuePlan | undefined;

/** Plans how values that match all of some schemas are drawn. */
export function planValue(schemas: readonly LocatedSchema[]): ValuePlan {
  const known = schemas[0]?.whole.known;
  if (!known) return anyValue ??= createPlan(schemas);
  const key = `sample ${schemas.map(({ id }) => id).join()}`;
  const plan = known.get(key) as ValuePlan | undefined ?? createPlan(schemas);
  known.set(key, plan);
  return plan;
}

function createPlan(schemas: readonly LocatedSchema[]): ValuePlan {
  const shapes = normalize(schemas).map(planShape);
  const within = new Map<number, readonly ShapePlan[]>();
  const shapesWithin = (depth: number): readonly ShapePlan[] => {
    const found = within.get(depth) ?? shapes.filter(({ shape }) => canEndShape(shape, depth));
    within.set(depth, found);
    return found;
  };
  return { schemas, least: leastDepth(schemas), shapesWithin };
}

/**
 * Plans how values of a shape are drawn. Its parts are planned when they are needed, because schemas may be recursive.
 */
export function planShape<Of extends Shape>(shape: Of): ShapePlan<Of> {
  const names = shape.type === "object" ? knownNames(shape) : [];
  const isKnown = new Set(names);
  const members = new Map<string, ValuePlan>();
  const planMember = (name: string): ValuePlan => {
    const plan = members.get(name) ?? planValue(memberSchemas(shape as ObjectShape, name));
    if (isKnown.has(name)) members.set(name, plan);
    return plan;
  };
  const items: ValuePlan[] = [];
  const planItem = (index: number): ValuePlan => {
    const place = Math.min(index, countPrefix(shape as ArrayShape)); // all later items share a plan
    return items[place] ??= planValue(itemSchemas(shape as ArrayShape, place));
  };
  return { shape, isCertain: isCertain(shape), names, planMember, planItem };
}

/** Returns the number of items with their own schemas. */
export function countPrefix({ items }: ArrayShape): number {
  return Math.max(0, ...items.map(({ prefix }) => prefix.length));
}

function isCertain(shape: Shape): boolean {
  const { values, also, not } = shape;
  if (values || also.length > 0 || not.length > 0) return false;
  return shape.type === "array" ? shape.contains.length === 0 : shape.type !== "object" || shape.names.length === 0;
}
