/** Draws lists. */
import { choose, chooseBetween, createChoices } from "./choices.ts";
import { type Draw, drawBelow } from "./draw.ts";
import { isEqual, type Json } from "./json.ts";
import { type LocatedSchema } from "./locate.ts";
import { canEnd, leastItems } from "./sample_depth.ts";
import { type ArrayShape, itemSchemas } from "./shapes.ts";

/** The most items that are drawn where more are not asked for. */
const usualMost = 5;

/** Draws a list of a shape; `undefined` where an item that must be there was not found. */
export function drawArray(shape: ArrayShape, draw: Draw): readonly Json[] | undefined {
  const wanted = drawLength(shape, draw);
  const containing = shape.contains.flatMap(({ schema, least }) =>
    Array<LocatedSchema>(Math.min(least, 1_000)).fill(schema)
  );
  const items: Json[] = [];
  while (items.length < wanted) {
    const index = items.length;
    const schemas = itemSchemas(shape, index);
    const also = containing[index - Math.max(0, wanted - containing.length)];
    const item = drawItem(also ? [...schemas, also] : schemas, shape.isUnique ? items : [], { draw, index });
    if (item === undefined) return index >= leastItems(shape) ? items : undefined;
    items.push(item);
  }
  return items;
}

/** Draws how many items a list has: of those that must match `contains`, the last ones do. */
function drawLength(shape: ArrayShape, { choices, depth, options, budget }: Draw): number {
  const least = leastItems(shape);
  const most = Math.min(shape.maxItems, mostItems(shape, depth));
  if (depth === 0 || budget.parts <= 0) return least;
  if (!options.isRealistic) {
    const wanted = [least, least + 1, least + choose(choices, usualMost), most <= 50 ? most : least + 2];
    return Math.max(least, Math.min(most, wanted[choose(choices, 4)]!));
  }
  const usual = Math.max(least, Math.min(most, 3));
  return choose(choices, 4) === 3 ? chooseBetween(choices, least, Math.max(usual, Math.min(most, usualMost))) : usual;
}

/** How many items a list can have, as far as it is plain. */
function mostItems(shape: ArrayShape, depth: number): number {
  const places = 1 + Math.max(0, ...shape.items.map(({ prefix }) => prefix.length));
  for (let index = 0; index < places; index++) {
    if (depth === 0 || !canEnd(itemSchemas(shape, index), depth - 1)) return index;
  }
  return Infinity;
}

/** Draws an item that equals no earlier one. */
function drawItem(
  schemas: readonly LocatedSchema[],
  earlier: readonly Json[],
  { draw, index }: { readonly draw: Draw; readonly index: number },
): Json | undefined {
  for (let attempt = 0; attempt < 12; attempt++) {
    const choices = attempt === 0 ? draw.choices : createChoices(`item ${attempt} ${index} ${draw.choices.next()}`);
    const item = drawBelow(schemas, index, { ...draw, choices });
    if (item === undefined || !earlier.some((other) => isEqual(item, other))) return item;
  }
}
