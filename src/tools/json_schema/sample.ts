/** Draws values of a schema from random choices. */
import { type Choices, choose, chooseFrom, createChoices, readChoices } from "./choices.ts";
import type { Draw, DrawOptions, Thing } from "./draw.ts";
import type { Json } from "./json.ts";
import type { LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { leastDepth, shapesWithin } from "./sample_depth.ts";
import { drawNumber } from "./sample_number.ts";
import { drawText, fitsText } from "./sample_string.ts";
import { canHave, drawArray, drawObject, findThing } from "./sample_structure.ts";
import type { Shape } from "./shapes.ts";
import { limitSteps, spend, usualSteps } from "./steps.ts";
import { isValidForAll } from "./validate.ts";

/** The usual depth of values. Schemas may require more. */
const usualDepth = 8;

/**
 * Draws a value that `isValid` accepts. Equal choices return equal values. After the last byte all choices are zero.
 *
 * @throws {TypeError} If a matching value does not exist, or was not found.
 */
export function sample(schema: LocatedSchema, choices: Choices | Uint8Array, options: DrawOptions = {}): Json {
  const value = findSample(schema, choices, options);
  if (value !== undefined) return value;
  throw new TypeError("Cannot sample a JSON Schema: found no value that matches it");
}

/**
 * Draws a value like `sample`, but returns `undefined` if none was found.
 *
 * @throws {StepLimitError} If the search takes too many steps.
 */
export function findSample(
  schema: LocatedSchema,
  choices: Choices | Uint8Array,
  options: DrawOptions = {},
): Json | undefined {
  const draw = {
    choices: choices instanceof Uint8Array ? readChoices(choices) : choices,
    options,
    path: [],
    isWithinThing: false,
    depth: usualDepth,
    budget: { parts: options.parts ?? 150, tries: 1_000 },
    drawPart: drawValue,
  };
  return limitSteps(usualSteps, () => drawValue([schema], draw));
}

/** The most attempts to draw a valid part: a fixed number, plus some for each possible shape. */
const tries = { all: 16, shape: 4 };

/** The most parts of a value beyond those that are drawn freely. A small schema may require billions. */
const mostRequired = 20_000;

/** Draws a value that matches all schemas; returns `undefined` if none was found. */
function drawValue(schemas: readonly LocatedSchema[], draw: Draw): Json | undefined {
  spend(10);
  const supplied = supply(schemas, draw);
  if (supplied !== undefined) return supplied;
  const least = leastDepth(schemas);
  const { budget } = draw;
  if (least === undefined || budget.parts < -mostRequired) return undefined;
  const depth = budget.parts-- > 0 ? Math.max(least, draw.depth) : least;
  const shapes = shapesWithin(schemas, depth);
  for (let attempt = 0; attempt < tries.all + tries.shape * shapes.length; attempt++) {
    const options = attempt < tries.all / 2 ? draw.options : { ...draw.options, isRealistic: false };
    const choices = attempt === 0 ? draw.choices : createChoices(`${attempt} ${draw.choices.next()}`);
    const first = chooseShape(shapes, choices, attempt, options);
    const thing = draw.options.things && findThing(first, { ...draw, choices, depth }, attempt);
    const shape = thing ? chooseThing(shapes, thing, attempt) : first;
    const at = { ...draw, options, choices: thing?.toChoices("") ?? choices, depth, thing };
    const suggested = suggest(shape, at, schemas);
    if (suggested !== undefined) return suggested;
    const value = drawShape(shape, at);
    if (value !== undefined && (isCertain(shape) || isValidForAll(schemas, value))) return value;
    if (budget.tries-- <= 0) return undefined;
  }
}

/** Tests whether every drawn value is valid, because drawing follows all constraints of the shape. */
function isCertain(shape: Shape): boolean {
  const { values, also, not } = shape;
  if (values || also.length > 0 || not.length > 0) return false;
  return shape.type === "array" ? shape.contains.length === 0 : shape.type !== "object" || shape.names.length === 0;
}

function supply(schemas: readonly LocatedSchema[], { options, path }: Draw): Json | undefined {
  if (!options.supply) return undefined;
  const sources = normalize(schemas)[0]?.sources ?? [];
  const value = options.supply(path, Object.assign({}, ...[...sources].reverse()));
  if (value === undefined || isValidForAll(schemas, value)) return value;
  const place = path.map((name) => `/${name}`).join("");
  throw new TypeError(`Cannot sample a JSON Schema: the value supplied for ${place || "the whole"} is invalid`);
}

function suggest(shape: Shape, draw: Draw, schemas: readonly LocatedSchema[]): Json | undefined {
  const value = draw.options.suggest?.({ ...draw, shape });
  if (value === undefined) return undefined;
  const isPlain = shape.type === "string" && typeof value === "string" && isCertain(shape); // the common case
  return (isPlain ? fitsText(shape, value) : isValidForAll(schemas, value)) ? value : undefined;
}

/** Chooses a shape. The first attempt depends on the choices; later ones take the shapes in turns. */
function chooseShape(
  shapes: readonly Shape[],
  choices: Choices,
  attempt: number,
  { isRealistic }: DrawOptions,
): Shape {
  if (attempt > 0) return shapes[attempt % shapes.length]!;
  if (!isRealistic) return chooseFrom(choices, shapes);
  const usual = shapes.filter(({ type }) => type !== "null");
  const isUsual = usual.length > 0 && (usual.length === shapes.length || choose(choices, 8) < 7);
  const list = isUsual ? usual : shapes;
  const text = list.length > 4 ? list.find(({ type }) => type === "string") : undefined; // the schema accepts almost anything
  return text ?? chooseFrom(choices, list);
}

/** Chooses the shape of a thing, which depends only on its identifier. */
function chooseThing(shapes: readonly Shape[], { name, toChoices }: Thing, attempt: number): Shape {
  const possible = shapes.filter((each) => canHave(each, name));
  return possible[(choose(toChoices("shape"), possible.length) + attempt) % possible.length]!;
}

function drawShape(shape: Shape, draw: Draw): Json | undefined {
  const { choices, options: { isRealistic } } = draw;
  if (shape.values) return chooseFrom(choices, shape.values);
  switch (shape.type) {
    case "null":
      return null;
    case "boolean":
      return choose(choices, 2) === 1;
    case "number":
      return drawNumber(shape, choices, isRealistic);
    case "string":
      return drawText(shape, choices, isRealistic);
    case "array":
      return drawArray(shape, draw);
    case "object":
      return drawObject(shape, draw);
  }
}
