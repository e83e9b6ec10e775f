/** Draws values of a schema from choices. */
import { type Choices, choose, chooseFrom, createChoices, readChoices } from "./choices.ts";
import { type Draw, type SampleOptions, type Thing } from "./draw.ts";
import { type Json } from "./json.ts";
import { type LocatedSchema } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { drawArray } from "./sample_array.ts";
import { canEndShape, leastDepth } from "./sample_depth.ts";
import { drawNumber } from "./sample_number.ts";
import { canHave, drawObject, findThing } from "./sample_object.ts";
import { drawText } from "./sample_string.ts";
import { type Shape } from "./shapes.ts";
import { isValid } from "./validate.ts";

/** The depth of values, where their schema does not ask for more. */
const usualDepth = 8;

/**
 * Draws a value that is valid by `isValid`. Equal choices give equal values; those of bytes are zeros after their end.
 *
 * @throws {TypeError} For a schema that no value matches, or for which none was found.
 */
export function sample(schema: LocatedSchema, choices: Choices | Uint8Array, options: SampleOptions = {}): Json {
  const value = findSample(schema, choices, options);
  if (value !== undefined) return value;
  throw new TypeError("Cannot sample a JSON Schema: found no value that matches it");
}

/** Draws a value as `sample` does; `undefined` where there is none, or none was found. */
export function findSample(
  schema: LocatedSchema,
  choices: Choices | Uint8Array,
  options: SampleOptions = {},
): Json | undefined {
  const budget = { parts: 150, tries: 1_000 };
  const drawn = choices instanceof Uint8Array ? readChoices(choices) : choices;
  return drawValue([schema], {
    choices: drawn,
    options,
    path: [],
    isWithinThing: false,
    depth: usualDepth,
    budget,
    drawPart: drawValue,
  });
}

/** How often a part is drawn until it is valid, and how often more for each shape that it may have. */
const tries = { all: 16, shape: 4 };

/** Draws a value that matches all of some schemas; `undefined` where none was found. */
function drawValue(schemas: readonly LocatedSchema[], draw: Draw): Json | undefined {
  const supplied = supply(schemas, draw);
  if (supplied !== undefined) return supplied;
  const least = leastDepth(schemas);
  if (least === undefined) return undefined;
  const { budget } = draw;
  const depth = budget.parts-- > 0 ? Math.max(least, draw.depth) : least;
  const shapes = normalize(schemas).filter((shape) => canEndShape(shape, depth));
  for (let attempt = 0; attempt < tries.all + tries.shape * shapes.length; attempt++) {
    const options = attempt < tries.all / 2 ? draw.options : { ...draw.options, isRealistic: false };
    const choices = attempt === 0 ? draw.choices : createChoices(`${attempt} ${draw.choices.next()}`);
    const first = chooseShape(shapes, choices, attempt, options);
    const thing = draw.options.things && findThing(first, { ...draw, choices, depth }, attempt);
    const shape = thing ? chooseThing(shapes, thing, attempt) : first;
    const at = { ...draw, options, choices: thing?.toChoices("") ?? choices, depth, thing };
    const suggested = suggest(schemas, shape, at);
    if (suggested !== undefined) return suggested;
    const value = drawShape(shape, at);
    if (value !== undefined && fits(shape, value, schemas)) return value;
    if (budget.tries-- <= 0) return undefined;
  }
}

function supply(schemas: readonly LocatedSchema[], { options, path }: Draw): Json | undefined {
  if (!options.supply) return undefined;
  const sources = normalize(schemas)[0]?.sources ?? [];
  const value = options.supply(path, Object.assign({}, ...[...sources].reverse()));
  if (value === undefined || schemas.every((schema) => isValid(schema, value))) return value;
  const place = path.map((name) => `/${name}`).join("");
  throw new TypeError(`Cannot sample a JSON Schema: the value supplied for ${place || "the whole"} is invalid`);
}

function suggest(schemas: readonly LocatedSchema[], shape: Shape, draw: Draw): Json | undefined {
  const { options, path, choices, isWithinThing } = draw;
  const value = options.suggest?.({ path, shape, choices, isWithinThing });
  return value !== undefined && schemas.every((schema) => isValid(schema, value)) ? value : undefined;
}

/** Without choices the first shape; tried again, the others too. */
function chooseShape(
  shapes: readonly Shape[],
  choices: Choices,
  attempt: number,
  { isRealistic }: SampleOptions,
): Shape {
  if (attempt > 0) return shapes[attempt % shapes.length]!;
  if (!isRealistic) return chooseFrom(choices, shapes);
  const usual = shapes.filter(({ type }) => type !== "null");
  const isUsual = usual.length > 0 && (usual.length === shapes.length || choose(choices, 8) < 7);
  const list = isUsual ? usual : shapes;
  const text = list.length > 4 ? list.find(({ type }) => type === "string") : undefined; // anything will do
  return text ?? chooseFrom(choices, list);
}

/** The shape of a thing, which follows from what tells it apart. */
function chooseThing(shapes: readonly Shape[], { name, toChoices }: Thing, attempt: number): Shape {
  const possible = shapes.filter((shape) => shape.type === "object" && canHave(shape, name));
  return possible[(choose(toChoices("shape"), possible.length) + attempt) % possible.length]!;
}

/** Whether a value that was drawn of a shape is valid; asked only where the shape has rules that drawing does not follow. */
function fits(shape: Shape, value: Json, schemas: readonly LocatedSchema[]): boolean {
  const isCertain = shape.values === undefined && shape.also.length === 0 && shape.not.length === 0 &&
    (shape.type !== "array" || shape.contains.length === 0) && (shape.type !== "object" || shape.names.length === 0);
  return isCertain || schemas.every((schema) => isValid(schema, value));
}

function drawShape(shape: Shape, draw: Draw): Json | undefined {
  const { choices } = draw;
  if (shape.values) return chooseFrom(choices, shape.values);
  if (shape.type === "null") return null;
  if (shape.type === "boolean") return choose(choices, 2) === 1;
  if (shape.type === "number") return drawNumber(shape, choices, draw.options.isRealistic);
  if (shape.type === "string") return drawText(shape, choices, draw.options.isRealistic);
  return shape.type === "array" ? drawArray(shape, draw) : drawObject(shape, draw);
}
