/** Draws values of a schema from random choices. */
import { type Choices, choose, chooseFrom, createChoices, readChoices } from "./choices.ts";
import type { Json } from "./json.ts";
import type { LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { drawArray } from "./sample_array.ts";
import { drawNumber } from "./sample_number.ts";
import { canHave, drawObject, findThing } from "./sample_object.ts";
import { type Draw, type DrawOptions, type ShapePlan, type Thing, toValuePlan, type ValuePlan } from "./sample_plan.ts";
import { drawText, fitsText } from "./sample_string.ts";
import type { ArrayShape, ObjectShape } from "./shapes.ts";
import { limitSteps, spend, usualSteps } from "./steps.ts";
import { isValid } from "./validate.ts";

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
  const budget = { parts: 150, tries: 1_000 };
  const drawn = choices instanceof Uint8Array ? readChoices(choices) : choices;
  const draw = {
    choices: drawn,
    options,
    path: [],
    isWithinThing: false,
    depth: usualDepth,
    budget,
    drawPart: drawValue,
  };
  return limitSteps(usualSteps, () => drawValue(toValuePlan([schema]), draw));
}

/** The most attempts to draw a valid part: a fixed number, plus some for each possible shape. */
const tries = { all: 16, shape: 4 };

/** The most parts of a value beyond those that are drawn freely. A small schema may require billions. */
const mostRequired = 20_000;

/** Draws a value by a plan; returns `undefined` if none was found. */
function drawValue(plan: ValuePlan, draw: Draw): Json | undefined {
  spend(10);
  const supplied = supply(plan, draw);
  if (supplied !== undefined) return supplied;
  const { least, schemas } = plan;
  if (least === undefined) return undefined;
  const { budget } = draw;
  if (budget.parts < -mostRequired) return undefined;
  const depth = budget.parts-- > 0 ? Math.max(least, draw.depth) : least;
  const shapes = plan.shapesWithin(depth);
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
    if (value !== undefined && (shape.isCertain || isValidForAll(schemas, value))) return value;
    if (budget.tries-- <= 0) return undefined;
  }
}

function isValidForAll(schemas: readonly LocatedSchema[], value: Json): boolean {
  return schemas.every((schema) => isValid(schema, value));
}

function supply({ schemas }: ValuePlan, { options, path }: Draw): Json | undefined {
  if (!options.supply) return undefined;
  const sources = normalize(schemas)[0]?.sources ?? [];
  const value = options.supply(path, Object.assign({}, ...[...sources].reverse()));
  if (value === undefined || isValidForAll(schemas, value)) return value;
  const place = path.map((name) => `/${name}`).join("");
  throw new TypeError(`Cannot sample a JSON Schema: the value supplied for ${place || "the whole"} is invalid`);
}

function suggest({ shape, isCertain }: ShapePlan, draw: Draw, schemas: readonly LocatedSchema[]): Json | undefined {
  const { options, path, choices, isWithinThing } = draw;
  const value = options.suggest?.({ path, shape, choices, isWithinThing });
  if (value === undefined) return undefined;
  const isPlain = isCertain && shape.type === "string" && typeof value === "string"; // the common case
  return (isPlain ? fitsText(shape, value) : isValidForAll(schemas, value)) ? value : undefined;
}

/** Chooses a shape. The first attempt depends on the choices; later ones take the shapes in turns. */
function chooseShape(
  shapes: readonly ShapePlan[],
  choices: Choices,
  attempt: number,
  { isRealistic }: DrawOptions,
): ShapePlan {
  if (attempt > 0) return shapes[attempt % shapes.length]!;
  if (!isRealistic) return chooseFrom(choices, shapes);
  const usual = shapes.filter(({ shape }) => shape.type !== "null");
  const isUsual = usual.length > 0 && (usual.length === shapes.length || choose(choices, 8) < 7);
  const list = isUsual ? usual : shapes;
  const text = list.length > 4 ? list.find(({ shape }) => shape.type === "string") : undefined; // the schema accepts almost anything
  return text ?? chooseFrom(choices, list);
}

/** Chooses the shape of a thing, which depends only on its identifier. */
function chooseThing(shapes: readonly ShapePlan[], { name, toChoices }: Thing, attempt: number): ShapePlan {
  const possible = shapes.filter((each) => canHave(each, name));
  return possible[(choose(toChoices("shape"), possible.length) + attempt) % possible.length]!;
}

function drawShape(plan: ShapePlan, draw: Draw): Json | undefined {
  const { shape } = plan;
  const { choices } = draw;
  if (shape.values) return chooseFrom(choices, shape.values);
  if (shape.type === "null") return null;
  if (shape.type === "boolean") return choose(choices, 2) === 1;
  if (shape.type === "number") return drawNumber(shape, choices, draw.options.isRealistic);
  if (shape.type === "string") return drawText(shape, choices, draw.options.isRealistic);
  if (isArrayPlan(plan)) return drawArray(plan, draw);
  return isObjectPlan(plan) ? drawObject(plan, draw) : undefined;
}

function isArrayPlan(plan: ShapePlan): plan is ShapePlan<ArrayShape> {
  return plan.shape.type === "array";
}

function isObjectPlan(plan: ShapePlan): plan is ShapePlan<ObjectShape> {
  return plan.shape.type === "object";
}
