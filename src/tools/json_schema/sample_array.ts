/** Draws lists. */
import { choose, chooseBetween, chooseFrom, createChoices } from "./choices.ts";
import { isEqual, type Json } from "./json.ts";
import type { LocatedSchema } from "./locate.ts";
import { leastItems } from "./sample_depth.ts";
import { type Draw, drawBelow, fitsDepth, type ShapePlan, toValuePlan, type ValuePlan } from "./sample_plan.ts";
import { type ArrayShape, countPrefix } from "./shapes.ts";

/** The usual maximum of items. Schemas may require more. */
const usualMost = 5;

/** The most items of a list. */
const longest = 10_000;

/** Draws a list; returns `undefined` if a required item was not found. */
export function drawArray(plan: ShapePlan<ArrayShape>, draw: Draw): readonly Json[] | undefined {
  const { shape, itemPlan } = plan;
  const wanted = drawLength(plan, draw);
  if (wanted > longest) return undefined;
  const containing = shape.contains.flatMap(({ schema, least }) =>
    Array<LocatedSchema>(Math.min(least, 1_000)).fill(schema)
  );
  const items: Json[] = [];
  while (items.length < wanted) {
    const index = items.length;
    const usual = itemPlan(index);
    const also = containing[index - Math.max(0, wanted - containing.length)];
    const wished = also ? toValuePlan([...usual.schemas, also]) : usual;
    const item = drawItem(wished, shape.isUnique ? items : [], { draw, index });
    if (item === undefined) return index >= leastItems(shape) ? items : undefined;
    items.push(item);
  }
  return items;
}

/** Draws the length of a list. Items that must match `contains` are the last ones. */
function drawLength(plan: ShapePlan<ArrayShape>, { choices, depth, options, budget }: Draw): number {
  const least = leastItems(plan.shape);
  const most = Math.min(plan.shape.maxItems, mostItems(plan, depth));
  if (depth === 0 || budget.parts <= 0) return least;
  if (!options.isRealistic) {
    const wanted = [least, least + 1, least + choose(choices, usualMost), most <= 50 ? most : least + 2];
    return Math.max(least, Math.min(most, chooseFrom(choices, wanted)));
  }
  const usual = Math.max(least, Math.min(most, 3));
  return choose(choices, 4) === 3 ? chooseBetween(choices, least, Math.max(usual, Math.min(most, usualMost))) : usual;
}

/** Returns the most items that a list can certainly have. */
function mostItems({ shape, itemPlan }: ShapePlan<ArrayShape>, depth: number): number {
  const places = 1 + countPrefix(shape);
  for (let index = 0; index < places; index++) if (!fitsDepth(itemPlan(index), depth - 1)) return index;
  return Infinity;
}

/** Draws an item that differs from all earlier ones. */
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
