/** What follows from schemas alone when values are drawn of them: worked out once. */
import { type LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { canEndShape, leastDepth } from "./sample_depth.ts";
import { type ArrayShape, itemSchemas, knownNames, memberSchemas, type ObjectShape, type Shape } from "./shapes.ts";

/** How values are drawn that match all of some schemas. */
export interface ValuePlan {
  /** The schemas. */
  readonly schemas: readonly LocatedSchema[];
  /** The least levels of lists and objects in a value; `undefined` where it is plain that there is none. */
  readonly least: number | undefined;
  /** The shapes of the values that have at most so many levels. */
  readonly shapesWithin: (depth: number) => readonly ShapePlan[];
}

/** How values of a shape are drawn. */
export interface ShapePlan<Of extends Shape = Shape> {
  /** The shape. */
  readonly shape: Of;
  /** Whether whatever is drawn is valid, because drawing follows all rules of the shape. */
  readonly isCertain: boolean;
  /** The names of members that the rules of an object mention. */
  readonly names: readonly string[];
  /** How a member of an object is drawn. */
  readonly planMember: (name: string) => ValuePlan;
  /** How an item of a list is drawn. */
  readonly planItem: (index: number) => ValuePlan;
}

/** Whether a value has at most so many levels at the least. */
export function isWithin({ least }: ValuePlan, depth: number): boolean {
  return least !== undefined && least <= depth;
}

let anyValue: ValuePlan | undefined;

/** Plans how values are drawn that match all of some schemas. */
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

/** Plans how values of a shape are drawn. What it leads to is planned when it is needed, for schemas may be recursive. */
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
    const place = Math.min(index, countPrefix(shape as ArrayShape)); // all others are alike
    return items[place] ??= planValue(itemSchemas(shape as ArrayShape, place));
  };
  return { shape, isCertain: isCertain(shape), names, planMember, planItem };
}

/** How many items of a list have schemas of their own. */
export function countPrefix({ items }: ArrayShape): number {
  return Math.max(0, ...items.map(({ prefix }) => prefix.length));
}

function isCertain(shape: Shape): boolean {
  const { values, also, not } = shape;
  if (values || also.length > 0 || not.length > 0) return false;
  return shape.type === "array" ? shape.contains.length === 0 : shape.type !== "object" || shape.names.length === 0;
}
