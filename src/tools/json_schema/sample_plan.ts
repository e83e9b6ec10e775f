/** Plans how values of schemas are drawn, each plan once, and holds the state that the parts of one sample share. */
import type { Choices } from "./choices.ts";
import type { Json, JsonSchemaObject } from "./json.ts";
import { createMemo, type LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { canEndShape, leastDepth } from "./sample_depth.ts";
import { countPrefix, itemSchemas, knownNames, memberSchemas, type Shape } from "./shapes.ts";

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
  readonly memberPlan: (name: string) => ValuePlan;
  /** Returns the plan for an item of a list. */
  readonly itemPlan: (index: number) => ValuePlan;
}

/** Tests whether a value can have at most `depth` levels. */
export function fitsDepth({ least }: ValuePlan, depth: number): boolean {
  return least !== undefined && least <= depth;
}

let anyValue: ValuePlan | undefined;

/** The results of {@linkcode toValuePlan}, by the ids of the schemas. */
const knownPlans = createMemo(() => new Map<string, ValuePlan>());

/** Plans how values that match all of some schemas are drawn. */
export function toValuePlan(schemas: readonly LocatedSchema[]): ValuePlan {
  const [first] = schemas;
  if (!first) return anyValue ??= createPlan(schemas);
  const known = knownPlans(first.whole);
  const key = schemas.map(({ id }) => id).join();
  const plan = known.get(key) ?? createPlan(schemas);
  known.set(key, plan);
  return plan;
}

function createPlan(schemas: readonly LocatedSchema[]): ValuePlan {
  const shapes = normalize(schemas).map(toShapePlan);
  const within = new Map<number, readonly ShapePlan[]>();
  const shapesWithin = (depth: number): readonly ShapePlan[] => {
    const ending = within.get(depth) ?? shapes.filter(({ shape }) => canEndShape(shape, depth));
    const found = ending.length === shapes.length ? shapes : ending; // one list, because unions may have thousands
    within.set(depth, found);
    return found;
  };
  return { schemas, least: leastDepth(schemas), shapesWithin };
}

/**
 * Plans how values of a shape are drawn. Its parts are planned when they are needed, because schemas may be recursive.
 */
export function toShapePlan<Of extends Shape>(shape: Of): ShapePlan<Of> {
  const plan = knownShapePlans.get(shape) ?? createShapePlan(shape);
  knownShapePlans.set(shape, plan);
  return plan as ShapePlan<Of>; // of this shape
}

/** The results of {@linkcode toShapePlan}, because many unions have the same shapes. */
const knownShapePlans = new WeakMap<Shape, ShapePlan>();

function createShapePlan<Of extends Shape>(shape: Of): ShapePlan<Of> {
  const whole: Shape = shape; // narrowing needs the union
  const names = whole.type === "object" ? knownNames(whole) : [];
  const isKnown = new Set(names);
  const members = new Map<string, ValuePlan>();
  const memberPlan = (name: string): ValuePlan => {
    const plan = members.get(name) ?? toValuePlan(whole.type === "object" ? memberSchemas(whole, name) : []);
    if (isKnown.has(name)) members.set(name, plan);
    return plan;
  };
  const items: ValuePlan[] = [];
  const itemPlan = (index: number): ValuePlan => {
    if (whole.type !== "array") return toValuePlan([]);
    const place = Math.min(index, countPrefix(whole)); // all later items share a plan
    return items[place] ??= toValuePlan(itemSchemas(whole, place));
  };
  return { shape, isCertain: isCertain(shape), names, memberPlan, itemPlan };
}

function isCertain(shape: Shape): boolean {
  const { values, also, not } = shape;
  if (values || also.length > 0 || not.length > 0) return false;
  return shape.type === "array" ? shape.contains.length === 0 : shape.type !== "object" || shape.names.length === 0;
}

/** The names and indexes that lead from the whole value to a part. */
export type SamplePath = readonly (string | number)[];

/** The options of `sample`. */
export interface DrawOptions {
  /**
   * Whether values resemble those of a real service: most optional members are present, lists have a few items, and
   * `null` is rare. If all choices are 0, the value is then the most typical one, and otherwise the smallest one.
   */
  readonly isRealistic?: boolean | undefined;
  /**
   * Whether objects have only members that the schema describes, as the types of its library do, unless it requires
   * more.
   */
  readonly isDeclared?: boolean | undefined;
  /** Returns the value of the part at a path, which must be valid, or `undefined` to draw it. */
  readonly supply?: ((path: SamplePath, schema: JsonSchemaObject) => Json | undefined) | undefined;
  /** Returns a value for a part, or `undefined` to draw it. An invalid value is ignored. */
  readonly suggest?: ((part: SuggestedPart) => Json | undefined) | undefined;
  /** How objects that represent things are recognized, so that the same thing has the same value in every sample. */
  readonly things?: Things | undefined;
}

/** A part for which a value may be suggested. */
export interface SuggestedPart {
  /** The path of the part. */
  readonly path: SamplePath;
  /** The shape that was chosen for it. */
  readonly shape: Shape;
  /** The choices that it is drawn from. */
  readonly choices: Choices;
  /** Whether the part belongs to a thing, and is not its identifier. */
  readonly isWithinThing: boolean;
}

/** How objects that represent things are recognized. */
export interface Things {
  /**
   * The names of members that identify objects. The first name that an object can have is drawn, and determines all
   * other members.
   */
  readonly names: readonly string[];
  /** Returns the choices for another part of the thing. */
  readonly toChoices: (identifier: Json, part: string) => Choices;
}

/** A thing that is being drawn. */
export interface Thing {
  /** The name of the member that identifies it. */
  readonly name: string;
  /** The value of that member. */
  readonly identifier: Json;
  /** Returns the choices for another part of the thing. */
  readonly toChoices: (part: string) => Choices;
}

/** The state for drawing one part of a value. */
export interface Draw {
  readonly choices: Choices;
  readonly options: DrawOptions;
  /** The thing that the part represents, if any. */
  readonly thing?: Thing | undefined;
  /** Whether the part belongs to a thing. */
  readonly isWithinThing: boolean;
  /** The path of the part. */
  readonly path: SamplePath;
  /** How many levels of lists and objects may be below the part. */
  readonly depth: number;
  /** Limits that all parts share: how many parts may still be drawn freely, and how many attempts may still fail. */
  readonly budget: { parts: number; tries: number };
  /** Draws a value by a plan; returns `undefined` if none was found. */
  readonly drawPart: (plan: ValuePlan, draw: Draw) => Json | undefined;
}

/** Draws the member or item of the current part with this name or index. */
export function drawBelow(plan: ValuePlan, key: string | number, draw: Draw): Json | undefined {
  const { thing, isWithinThing, path, depth } = draw;
  return draw.drawPart(plan, {
    ...draw,
    thing: undefined,
    isWithinThing: isWithinThing || thing !== undefined,
    path: [...path, key],
    depth: depth - 1,
  });
}
