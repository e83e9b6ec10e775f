/** Draws lists and objects. */
import { type Choices, choose, chooseBetween, chooseFrom, createChoices } from "./choices.ts";
import { type Draw, drawBelow, type Thing } from "./draw.ts";
import {
  isEqual,
  isSchemaObject,
  type Json,
  type JsonObject,
  type JsonSchemaObject,
  namedSchemas,
  textList,
} from "./json.ts";
import { type LocatedSchema, locatePart } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { fitsDepth, leastItems } from "./sample_depth.ts";
import { drawPattern } from "./sample_pattern.ts";
import { drawWord } from "./sample_string.ts";
import {
  type ArrayShape,
  countPrefix,
  hasName,
  intersectShapes,
  itemSchemas,
  knownNames,
  memberSchemas,
  type ObjectShape,
  type Shape,
} from "./shapes.ts";
import { isValidForAll } from "./validate.ts";

const usualMost = 5;

const longest = 10_000;

export function drawArray(shape: ArrayShape, draw: Draw): readonly Json[] | undefined {
  const wanted = drawLength(shape, draw);
  if (wanted > longest) return undefined;
  const containing = shape.contains.flatMap(({ schema, least }) =>
    Array<LocatedSchema>(Math.min(least, 1_000)).fill(schema)
  );
  const items: Json[] = [];
  while (items.length < wanted) {
    const index = items.length;
    const also = containing[index - Math.max(0, wanted - containing.length)] ?? [];
    const item = drawItem(itemSchemas(shape, index).concat(also), shape.isUnique ? items : [], { draw, index });
    if (item === undefined) return index >= leastItems(shape) ? items : undefined;
    items.push(item);
  }
  return items;
}

/** Draws the length of a list. Items that must match `contains` are the last ones. */
function drawLength(shape: ArrayShape, { choices, depth, options, budget }: Draw): number {
  const least = leastItems(shape);
  const most = Math.min(shape.maxItems, mostItems(shape, depth));
  if (depth === 0 || budget.parts <= 0) return least;
  if (!options.isRealistic) {
    const wanted = [least, least + 1, least + choose(choices, usualMost), most <= 50 ? most : least + 2];
    return Math.max(least, Math.min(most, chooseFrom(choices, wanted)));
  }
  const usual = Math.max(least, Math.min(most, 3));
  return choose(choices, 4) === 3 ? chooseBetween(choices, least, Math.max(usual, Math.min(most, usualMost))) : usual;
}

/** Returns the most items that a list can certainly have. */
function mostItems(shape: ArrayShape, depth: number): number {
  const places = 1 + countPrefix(shape);
  for (let index = 0; index < places; index++) if (!fitsDepth(itemSchemas(shape, index), depth - 1)) return index;
  return Infinity;
}

/** Draws an item that differs from all earlier ones. */
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

/** Draws the identifier of an object that represents a thing. All other members depend on it. */
export function findThing(shape: Shape, draw: Draw, attempt: number): Thing | undefined {
  const { things } = draw.options;
  const name = things?.names.find((each) => canHave(shape, each));
  if (!things || name === undefined || shape.type !== "object" || draw.depth === 0) return undefined;
  const identifier = drawBelow(memberSchemas(shape, name), name, draw);
  if (identifier === undefined) return undefined;
  return {
    name,
    identifier,
    toChoices: (part) => things.toChoices(identifier, attempt === 0 ? part : `${part} ${attempt}`),
  };
}

export function canHave(shape: Shape, name: string): boolean {
  return shape.type === "object" && shape.values === undefined && hasName(shape, name) &&
    fitsDepth(memberSchemas(shape, name), 0);
}

export function drawObject(shape: ObjectShape, draw: Draw): JsonObject | undefined {
  const names = chooseNames(shape, draw);
  const whole = addDependentSchemas(shape, names);
  const members: [string, Json][] = [];
  for (const name of names) {
    const value = drawMember(memberSchemas(whole, name), name, draw);
    if (value !== undefined) members.push([name, value]);
    else if (shape.required.has(name)) return undefined;
  }
  const drawn = addMembers(shape, members, draw);
  return drawn && Object.fromEntries(drawn);
}

function drawMember(schemas: readonly LocatedSchema[], name: string, draw: Draw): Json | undefined {
  const { thing } = draw;
  if (!thing) return drawBelow(schemas, name, draw);
  if (name !== thing.name) return drawBelow(schemas, name, { ...draw, choices: thing.toChoices(name) });
  return isValidForAll(schemas, thing.identifier) ? thing.identifier : undefined;
}

function chooseNames(shape: ObjectShape, draw: Draw): readonly string[] {
  const { choices, depth, options, budget, thing } = draw;
  const { required, maxProperties } = shape;
  const possible = knownNames(shape).filter((name) =>
    required.has(name) || fitsDepth(memberSchemas(shape, name), depth - 1)
  );
  let [left, free] = [maxProperties - required.size, possible.length - required.size];
  let needed = shape.minProperties - required.size;
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

function addDependents(shape: ObjectShape, names: readonly string[]): readonly string[] {
  if (shape.also.length === 0) return names;
  const rules = shape.also.map(({ schema }) => schema).filter(isSchemaObject);
  const all = new Set(names);
  for (const name of all) for (const rule of rules) for (const other of listDependents(rule, name)) all.add(other);
  return [...all];
}

/** Returns a shape with the schemas that apply if certain members are present. */
function addDependentSchemas(shape: ObjectShape, names: readonly string[]): ObjectShape {
  const schemas = shape.also.flatMap((located) => {
    const { schema } = located;
    return namedSchemas(isSchemaObject(schema) ? schema.dependentSchemas : undefined)
      .filter(([name]) => names.includes(name)).map(([, part]) => locatePart(located, part));
  });
  const more = schemas.length === 0 ? undefined : normalize(schemas).find(({ type }) => type === "object");
  const whole = more && intersectShapes(shape, more);
  return whole?.type === "object" ? whole : shape;
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

const mostAdded = 1_000;

/** Adds members that the schema does not name: those that it requires, and sometimes more. */
function addMembers(
  shape: ObjectShape,
  members: readonly (readonly [string, Json])[],
  draw: Draw,
): readonly (readonly [string, Json])[] | undefined {
  const all = [...members];
  const names = new Set(members.map(([name]) => name));
  const wanted = Math.max(shape.minProperties, Math.min(shape.maxProperties, members.length + drawExtra(shape, draw)));
  if (wanted - members.length > mostAdded) return undefined;
  for (let attempt = 0; all.length < wanted && attempt < 12 + 2 * wanted; attempt++) {
    const name = drawName(shape, draw, attempt);
    if (name === undefined || names.has(name)) continue;
    const schemas = memberSchemas(shape, name);
    const value = fitsDepth(schemas, draw.depth - 1) ? drawBelow(schemas, name, draw) : undefined;
    if (value === undefined) continue;
    all.push([name, value]);
    names.add(name);
  }
  return all.length >= shape.minProperties ? all : undefined;
}

function drawExtra(shape: ObjectShape, { choices, depth, options, budget }: Draw): number {
  if (depth === 0 || budget.parts <= 0) return 0;
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
  return found !== undefined && isValidForAll(shape.names, found) ? found : undefined;
}

const anyName: JsonSchemaObject = { type: "string" };

function drawMatchingName({ names }: ObjectShape, draw: Draw): string | undefined {
  const { isRealistic } = draw.options;
  const schemas = [...names, ...names.slice(0, 1).map((first) => locatePart(first, anyName))];
  const name = draw.drawPart(schemas, { ...draw, options: { isRealistic } });
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
