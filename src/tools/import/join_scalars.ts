/** Joins types of texts, numbers, booleans or null that a value must be of at once. */
import { fitsBounds } from "./overlap.ts";
import type { NumberShape, Shape, StringShape } from "./shape.ts";

/** Returns the type of the texts, numbers, booleans or null that have the constraints of several types. */
export function joinScalars(shapes: readonly Shape[]): Shape {
  const literals = shapes.filter((shape) => shape.kind === "literal");
  const plain = shapes.filter((shape) => shape.kind !== "literal");
  const [literal, ...rest] = literals;
  if (literal) {
    const others = rest.map(({ values }) => new Set(values));
    const values = literal.values.filter((value) => others.every((each) => each.has(value)))
      .filter((value) => plain.every((shape) => typeof value === shape.kind && fitsBounds(shape, value)));
    return values.length > 0 ? { ...literal, values } : { kind: "never" };
  }
  const [first] = shapes;
  if (first === undefined || shapes.some((shape) => shape.kind !== first.kind)) return { kind: "never" };
  if (first.kind !== "string" && first.kind !== "number") return first;
  const known = shapes as readonly (StringShape & NumberShape)[]; // of one of the two kinds
  const isAlike = (["pattern", "format", "multipleOf"] as const).every((name) =>
    new Set(known.map((shape) => shape[name]).filter((each) => each !== undefined)).size <= 1
  );
  if (!isAlike) return { kind: "intersection", members: shapes };
  const joined = Object.assign({}, ...known, {
    ...(first.kind === "number" && { isInteger: known.some(({ isInteger }) => isInteger) }),
    ...joinBounds(known, ["minLength", "minimum", "exclusiveMinimum"], Math.max),
    ...joinBounds(known, ["maxLength", "maximum", "exclusiveMaximum"], Math.min),
  }) as StringShape | NumberShape;
  return joined;
}

/** Returns the tightest of some bounds. */
function joinBounds(
  shapes: readonly (StringShape & NumberShape)[],
  names: readonly (keyof StringShape | keyof NumberShape)[],
  tightest: (...bounds: readonly number[]) => number,
): Record<string, number> {
  return Object.fromEntries(names.flatMap((name) => {
    const bounds = shapes.map((shape) => shape[name as keyof typeof shape]).filter((each) => typeof each === "number");
    return bounds.length === 0 ? [] : [[name, tightest(...bounds as number[])] as const];
  }));
}
