/** Draws objects. */
import { type Choices, choose, chooseFrom, createChoices } from "./choices.ts";
import { isSchemaObject, type Json, type JsonObject, type JsonSchemaObject, namedSchemas, textList } from "./json.ts";
import { locatePart } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { drawPattern } from "./sample_pattern.ts";
import {
  type Draw,
  drawBelow,
  fitsDepth,
  type ShapePlan,
  type Thing,
  toShapePlan,
  toValuePlan,
  type ValuePlan,
} from "./sample_plan.ts";
import { drawWord } from "./sample_string.ts";
import { intersectShapes, type ObjectShape } from "./shapes.ts";
import { isValid } from "./validate.ts";

/** Draws the identifier of an object that represents a thing. All other members depend on it. */
export function findThing(plan: ShapePlan, draw: Draw, attempt: number): Thing | undefined {
  const { things } = draw.options;
  const name = things?.names.find((each) => canHave(plan, each));
  if (!things || name === undefined || draw.depth === 0) return undefined;
  const identifier = drawBelow(plan.memberPlan(name), name, draw);
  if (identifier === undefined) return undefined;
  return {
    name,
    identifier,
    toChoices: (part) => things.toChoices(identifier, attempt === 0 ? part : `${part} ${attempt}`),
  };
}

/** Tests whether objects of a shape can have a named member. */
export function canHave({ shape, names, memberPlan }: ShapePlan, name: string): boolean {
  return names.includes(name) && shape.values === undefined && fitsDepth(memberPlan(name), 0);
}

/** Draws an object; returns `undefined` if a required member was not found. */
export function drawObject(plan: ShapePlan<ObjectShape>, draw: Draw): JsonObject | undefined {
  const names = chooseNames(plan, draw);
  const { memberPlan } = addDependentSchemas(plan, names);
  const members: [string, Json][] = [];
  for (const name of names) {
    const value = drawMember(memberPlan(name), name, draw);
    if (value !== undefined) members.push([name, value]);
    else if (plan.shape.required.has(name)) return undefined;
  }
  const drawn = addMembers(plan, members, draw);
  return drawn && Object.fromEntries(drawn);
}

function drawMember(plan: ValuePlan, name: string, draw: Draw): Json | undefined {
  const { thing } = draw;
  if (!thing) return drawBelow(plan, name, draw);
  if (name !== thing.name) return drawBelow(plan, name, { ...draw, choices: thing.toChoices(name) });
  const { identifier } = thing;
  return plan.schemas.every((schema) => isValid(schema, identifier)) ? identifier : undefined;
}

/** Chooses which of the named members are present. */
function chooseNames({ shape, names, memberPlan }: ShapePlan<ObjectShape>, draw: Draw): readonly string[] {
  const { choices, depth, options, budget, thing } = draw;
  const { required, maxProperties } = shape;
  const possible = names.filter((name) => required.has(name) || fitsDepth(memberPlan(name), depth - 1));
  const limit = maxProperties - required.size;
  const missing = shape.minProperties - required.size;
  let [left, free] = [limit, possible.length - required.size];
  let needed = missing;
  const chosen = possible.filter((name) => {
    if (required.has(name)) return true;
    const isWanted = left > 0 &&
      (name === thing?.name || needed >= free || budget.parts > 0 && wants(choices, options.isRealistic));
    free--;
    if (isWanted) [left, needed] = [left - 1, needed - 1];
    return isWanted;
  });
  return addDependents(shape, chosen);
}

function wants(choices: Choices, isRealistic: boolean | undefined): boolean {
  return isRealistic ? choose(choices, 8) < 7 : choose(choices, 2) === 1;
}

/** Adds the members that the chosen ones require. */
function addDependents(shape: ObjectShape, names: readonly string[]): readonly string[] {
  if (shape.also.length === 0) return names;
  const rules = shape.also.map(({ schema }) => schema).filter(isSchemaObject);
  const all = new Set(names);
  for (const name of all) for (const rule of rules) for (const other of listDependents(rule, name)) all.add(other);
  return [...all];
}

/** Returns the plan of a shape with the schemas that apply if certain members are present. */
function addDependentSchemas(plan: ShapePlan<ObjectShape>, names: readonly string[]): ShapePlan<ObjectShape> {
  const { shape } = plan;
  const schemas = shape.also.flatMap((located) => {
    const { schema } = located;
    return namedSchemas(isSchemaObject(schema) ? schema.dependentSchemas : undefined)
      .filter(([name]) => names.includes(name)).map(([, part]) => locatePart(located, part));
  });
  const more = schemas.length === 0 ? undefined : normalize(schemas).find(({ type }) => type === "object");
  const whole = more && intersectShapes(shape, more);
  return whole?.type === "object" ? toShapePlan(whole) : plan;
}

function listDependents(
  { dependentRequired, dependentSchemas, dependencies }: JsonSchemaObject,
  name: string,
): readonly string[] {
  return [dependentRequired, dependencies, dependentSchemas].flatMap((named) => {
    const found = isSchemaObject(named) && Object.hasOwn(named, name) ? named[name] : [];
    const list = isSchemaObject(found) ? found.required : found;
    return textList(list);
  });
}

/** The most members of an object. */
const largest = 1_000;

/** Adds members that the schema does not name: those that it requires, and sometimes more. */
function addMembers(
  { shape, memberPlan }: ShapePlan<ObjectShape>,
  members: readonly (readonly [string, Json])[],
  draw: Draw,
): readonly (readonly [string, Json])[] | undefined {
  const all = [...members];
  const wanted = Math.max(shape.minProperties, Math.min(shape.maxProperties, members.length + drawExtra(shape, draw)));
  if (wanted > largest) return undefined;
  for (let attempt = 0; all.length < wanted && attempt < 12 + 2 * wanted; attempt++) {
    const name = drawName(shape, draw, attempt);
    if (name === undefined || all.some(([other]) => other === name)) continue;
    const plan = memberPlan(name);
    const value = fitsDepth(plan, draw.depth - 1) ? drawBelow(plan, name, draw) : undefined;
    if (value !== undefined) all.push([name, value]);
  }
  return all.length >= shape.minProperties ? all : undefined;
}

/** Draws the number of additional members. */
function drawExtra(shape: ObjectShape, { choices, options, budget }: Draw): number {
  if (budget.parts <= 0) return 0;
  const isOpen = shape.required.size === 0 && shape.members.every(({ named }) => named.size === 0);
  const isRecord = shape.members.some(({ rest, patterns }) => rest !== undefined || patterns.length > 0);
  if (options.isDeclared && !isRecord) return 0;
  if (!options.isRealistic) return choose(choices, isOpen ? 2 : 8) === 1 ? choose(choices, 4) : 0;
  return isOpen && isRecord ? 3 : 0;
}

/** Names of members that often reveal bugs. */
const oddNames = ["__proto__", "constructor", "toString", "", " ", "a b", "😀"];

/** Draws the name of a member that the schema does not name; returns `undefined` if it did not find a valid one. */
function drawName(shape: ObjectShape, draw: Draw, attempt: number): string | undefined {
  const choices = attempt === 0 ? draw.choices : createChoices(`name ${attempt} ${draw.choices.next()}`);
  const found = shape.names.length > 0
    ? drawMatchingName(shape, { ...draw, choices })
    : drawFreeName(shape, choices, draw);
  return found !== undefined && shape.names.every((schema) => isValid(schema, found)) ? found : undefined;
}

/** A schema that accepts every name. */
const anyName: JsonSchemaObject = { type: "string" };

function drawMatchingName({ names }: ObjectShape, draw: Draw): string | undefined {
  const { isRealistic } = draw.options;
  const plan = toValuePlan([...names, ...names.slice(0, 1).map((first) => locatePart(first, anyName))]);
  const name = draw.drawPart(plan, { ...draw, options: { isRealistic } });
  return typeof name === "string" ? name : undefined;
}

function drawFreeName(shape: ObjectShape, choices: Choices, { options }: Draw): string {
  const patterns = shape.members.flatMap(({ patterns }) => patterns.map(([pattern]) => pattern));
  const isClosed = shape.members.some(({ rest }) => rest?.schema === false);
  if (patterns.length > 0 && (isClosed || choose(choices, 2) === 0)) {
    return drawPattern(chooseFrom(choices, patterns), choices, { repeats: 3, isLong: false })[0]!;
  }
  const isOdd = !options.isRealistic && choose(choices, 8) === 7;
  return isOdd ? chooseFrom(choices, oddNames) : drawWord(choices);
}
