/** Draws numbers. */
import { type Choices, choose, chooseFrom } from "./choices.ts";
import { integerRange, isMultipleOf } from "./json.ts";
import type { NumberShape } from "./shapes.ts";

/** Evenly spaced numbers: integers, multiples, or sixteenths. */
interface Grid {
  readonly unit: number;
  /** The lowest and the highest number of units. */
  readonly lowest: number;
  readonly highest: number;
}

/** Tests whether a number has a shape. Ignores `also` and `not`. */
function fitsNumber(shape: NumberShape, value: number): boolean {
  const { isInteger, minimum, maximum, isMinimumExcluded, isMaximumExcluded, multiplesOf } = shape;
  return (!isInteger || Number.isInteger(value)) &&
    (isMinimumExcluded ? value > minimum : value >= minimum) &&
    (isMaximumExcluded ? value < maximum : value <= maximum) &&
    multiplesOf.every((factor) => isMultipleOf(value, factor));
}

/**
 * Draws a number; returns `undefined` if none was found. Realistic numbers are near the simplest one and rarely at a
 * bound.
 */
export function drawNumber(shape: NumberShape, choices: Choices, isRealistic = false): number | undefined {
  const grid = toGrid(shape);
  if (grid && (isRealistic || choose(choices, 4) < 3)) {
    const drawn = toNumber(grid, drawUnits(grid, choices, isRealistic));
    if (fitsNumber(shape, drawn)) return drawn;
  }
  const values = listNumbers(shape);
  return values[choose(choices, values.length)];
}

/** Lists the numbers at and next to the bounds of a shape, and the simplest ones. */
export function listNumbers(shape: NumberShape): readonly number[] {
  const { minimum, maximum, isInteger } = shape;
  const grid = toGrid(shape);
  const onGrid = grid
    ? [simplest(grid), grid.lowest, grid.lowest + 1, grid.highest - 1, grid.highest].map((units) =>
      toNumber(grid, units)
    )
    : [];
  const bounds = [minimum, maximum].filter(Number.isFinite);
  const between = bounds.length === 2 ? [minimum + (maximum - minimum) / 2] : [];
  const others = isInteger ? [0, 1, -1] : [0, 1, -1, 0.5, ...between, 1e21, Number.MIN_VALUE];
  const values = [...onGrid, ...bounds, ...others].filter((value) => fitsFormat(shape, value))
    .map((value) => value === 0 ? 0 : value) // excludes -0, which JSON does not have
    .filter((value) => fitsNumber(shape, value));
  return [...new Set(values)];
}

function fitsFormat(shape: NumberShape, value: number): boolean {
  const bounds = boundsOf(shape);
  return bounds === undefined || value >= bounds[0] && value <= bounds[1];
}

function boundsOf({ sources }: NumberShape): readonly [number, number] | undefined {
  const ranges = sources.map(({ format }) =>
    format === "uint64" ? [0, Number.MAX_SAFE_INTEGER] as const : integerRange(format)
  );
  return ranges.find((range) => range !== undefined);
}

/** Returns the grid of a shape; `undefined` if none of its numbers is within the bounds. */
function toGrid(shape: NumberShape): Grid | undefined {
  const unit = unitOf(shape);
  const [least, most] = boundsOf(shape) ?? [-Infinity, Infinity];
  const reach = Number.MAX_SAFE_INTEGER * Math.min(unit, 1);
  const lowest = Math.ceil(clamp(Math.max(shape.minimum, least), reach) / unit);
  const highest = Math.floor(clamp(Math.min(shape.maximum, most), reach) / unit);
  const from = fitsBound(shape, lowest * unit) ? lowest : lowest + 1;
  const to = fitsBound(shape, highest * unit) ? highest : highest - 1;
  return from <= to ? { unit, lowest: from, highest: to } : undefined;
}

function clamp(value: number, reach: number): number {
  return Math.max(-reach, Math.min(reach, value));
}

function fitsBound(shape: NumberShape, value: number): boolean {
  return fitsNumber({ ...shape, isInteger: false, multiplesOf: [] }, value);
}

function unitOf({ isInteger, multiplesOf }: NumberShape): number {
  const units = isInteger ? [1, ...multiplesOf] : multiplesOf;
  if (units.length === 0) return 1 / 16;
  const scale = 10 ** Math.max(...units.map(countDecimals));
  return units.map((unit) => Math.round(unit * scale)).reduce(leastCommonMultiple) / scale;
}

function countDecimals(value: number): number {
  const [, digits = "", exponent = "0"] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.min(15, Math.max(0, digits.length - Number(exponent)));
}

function leastCommonMultiple(left: number, right: number): number {
  let [divisor, rest] = [left, right];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return left / divisor * right;
}

function toNumber({ unit }: Grid, units: number): number {
  return unit >= 1 ? units * unit : Number((units * unit).toFixed(countDecimals(unit)));
}

function simplest({ lowest, highest }: Grid): number {
  return Math.max(lowest, Math.min(highest, 0));
}

function drawUnits({ lowest, highest, unit }: Grid, choices: Choices, isRealistic: boolean): number {
  const start = simplest({ lowest, highest, unit });
  const near = [10 / Math.min(1, unit), 1000 / Math.min(1, unit)];
  const reach = chooseFrom(choices, isRealistic ? near : [...near, Infinity]);
  const isBelow = lowest < start && (highest === start || (!isRealistic && choose(choices, 4) === 3));
  const distance = isBelow ? start - lowest : highest - start;
  const drawn = choose(choices, Math.min(distance, reach) + 1);
  return isBelow ? start - drawn : start + drawn;
}
