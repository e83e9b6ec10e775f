/** Draws lists. */
import { choose, chooseBetween, createChoices } from "./choices.ts";
import { type Draw, drawBelow } from "./draw.ts";
import { isEqual, type Json } from "./json.ts";
import { type LocatedSchema } from "./locate.ts";
import { leastItems } from "./sample_depth.ts";
import { countPrefix, isWithin, planValue, type ShapePlan, type ValuePlan } from "./sample_plan.ts";
import { type ArrayShape } from "./shapes.ts";

/** The most items that are drawn where more are not asked for. */
const usualMost = 5;

/** The most items that are drawn at all. */
const longest = 10_000;

/** Draws a list of a shape; `undefined` where an item that must be there was not found. */
export function drawArray(plan: ShapePlan<ArrayShape>, draw: Draw): readonly Json[] | undefined {
  const { shape, planItem } = plan;
  const wanted = drawLength(plan, draw);
  if (wanted > longest) return undefined;
  const containing = shape.contains.flatMap(({ schema, least }) =>
    Array<LocatedSchema>(Math.min(least, 1_000)).fill(schema)
  );
  const items: Json[] = [];
  while (items.length < wanted) {
    const index = items.length;
    const usual = planItem(index);
    const also = containing[index - Math.max(0, wanted - containing.length)];
    const wished = also ? planValue([...usual.schemas, also]) : usual;
    const item = drawItem(wished, shape.isUnique ? items : [], { draw, index });
    if (item === undefined) return index >= leastItems(shape) ? items : undefined;
    items.push(item);
  }
  return items;
}

/** Draws how many items a list has: of those that must match `contains`, the last ones do. */
function drawLength(plan: ShapePlan<ArrayShape>, { choices, depth, options, budget }: Draw): number {
  const least = leastItems(plan.shape);
  const most = Math.min(plan.shape.maxItems, mostItems(plan, depth));
  if (depth === 0 || budget.parts <= 0) return least;
  if (!options.isRealistic) {
    const wanted = [least, least + 1, least + choose(choices, usualMost), most <= 50 ? most : least + 2];
    return Math.max(least, Math.min(most, wanted[choose(choices, 4)]!));
  }
  const usual = Math.max(least, Math.min(most, 3));
  return choose(choices, 4) === 3 ? chooseBetween(choices, least, Math.max(usual, Math.min(most, usualMost))) : usual;
}

/** How many items a list can have, as far as it is plain. */
function mostItems({ shape, planItem }: ShapePlan<ArrayShape>, depth: number): number {
  const places = 1 + countPrefix(shape);
  for (let index = 0; index < places; index++) if (!isWithin(planItem(index), depth - 1)) return index;
  return Infinity;
}

/** Draws an item that equals no earlier one. */
function drawItem(
  plan: ValuePlan,
  earlier: readonly Json[],
  { draw, index }: { readonly draw: Draw; readonly index: number },
): Json | undefined {
  for (let attempt = 0; attempt < 12; attempt++) {
    const choices = attempt === 0 ? draw.choices : createChoices(`item ${attempt} ${index} ${draw.choices.next()}`);
    const item = drawBelow(plan, index, { ...draw, choices });
    if (item === undefined || !earlier.some((other) => isEqual(item, other))) return item;
  }
}
