/** Intersects types: the values that are of several types at once. */
import { type JsonType, typeOf } from "../json_schema/json.ts";
import { spend } from "../json_schema/steps.ts";
import { describeReference, type DocumentPlace } from "../openapi/operations.ts";
import { present } from "../openapi/part.ts";
import { fitsBounds, mayOverlap } from "./overlap.ts";
import type { Reporter } from "./report.ts";
import {
  type ArrayModel,
  identityOf,
  joinedKey,
  jsonTypeOf,
  type Model,
  modelAlternatives,
  type NumberModel,
  type ObjectModel,
  placeKey,
  type Property,
  silentKey,
  type StringModel,
  toUnion,
  withoutNotes,
} from "./model.ts";

/** What types are intersected with. */
export interface Resolver {
  /** Returns the type behind references. `undefined` if it is being read, or refers to itself. */
  readonly resolve: (model: Model) => Model | undefined;
  readonly reporter: Reporter;
}

/** Returns a value that is of all types: one object where they are objects. */
export function intersect(models: readonly Model[], place: DocumentPlace, types: Resolver): Model {
  const parts = amongScalars(amongObjects(models.filter(({ kind }) => kind !== "unknown"), types), types);
  const [first, ...rest] = parts;
  if (first === undefined) return { kind: "unknown" };
  if (rest.length === 0) return first;
  const unique = [...new Map(parts.map((part) => [identityOf(part), part])).values()];
  if (unique.length === 1) return unique[0]!;
  const targets = unique.map((part) => types.resolve(part));
  if (targets.every((target) => target?.kind === "object")) return joinObjects(targets, place, types);
  const lists = targets.every((target) => target?.kind === "array") ? joinArrays(targets, types) : undefined;
  if (lists) return lists;
  const joined = joinScalars(unique, types) ?? joinByType(unique, place, types) ??
    (mayOverlap(unique, (key) => types.resolve({ kind: "reference", key })) ? undefined : { kind: "never" } as const);
  if (joined?.kind === "never") types.reporter.add("faults", place, "allOf has no value in common");
  return joined ?? { kind: "intersection", members: unique };
}

/** The most combinations of the members of several unions in `allOf`. */
const mostJoined = 100;

/**
 * Returns the values that several types of texts, numbers, booleans and null have in common. `undefined` for other
 * types.
 */
export function joinScalars(models: readonly Model[], types: Resolver): Model | undefined {
  let joined: readonly (readonly Model[])[] = [[]];
  for (const model of models) {
    const members = scalarsOf(model, types);
    if (members === undefined || joined.length * members.length > mostJoined) return undefined;
    joined = joined.flatMap((others) => members.map((member) => [...others, member]));
  }
  return toUnion(joined.map(joinPlain).filter(({ kind }) => kind !== "never"));
}

/** Leaves out a type of all texts, numbers or booleans beside one whose values are all of it, which may have a name. */
function amongScalars(models: readonly Model[], types: Resolver): readonly Model[] {
  if (models.length < 2) return models;
  const implies = (model: Model, type: Model): boolean =>
    scalarsOf(model, types)?.every((each) => {
      const isWhole = type.kind === "number" && type.isInteger;
      if (each.kind !== "literal") return each.kind === type.kind && (!isWhole || (each as NumberModel).isInteger);
      return each.values.every((value) => typeof value === type.kind && (!isWhole || Number.isInteger(value)));
    }) === true;
  const isSilent = (model: Model): boolean => {
    const plain = model.kind === "number" ? { ...model, isInteger: false } : model;
    return identityOf(plain) === identityOf(anyOf(model.kind as JsonType)) &&
      models.some((other) => identityOf(other) !== identityOf(model) && implies(other, model));
  };
  return models.filter((model) => !["string", "number", "boolean"].includes(model.kind) || !isSilent(model));
}

function scalarsOf(model: Model, { resolve }: Resolver): readonly Model[] | undefined {
  const found: Model[] = [];
  for (const each of modelAlternatives(model, resolve)) { // which may be many
    const isScalar = each && ["string", "number", "boolean", "null", "literal"].includes(each.kind);
    if (!isScalar || found.push(each) > mostJoined) return undefined;
  }
  return found;
}

/** Returns the type of the texts, numbers, booleans or null that are of several types, none of them a union. */
function joinPlain(models: readonly Model[]): Model {
  const [literal, ...literals] = models.filter((model) => model.kind === "literal");
  if (literal) {
    const others = literals.map(({ values }) => new Set(values));
    const plain = models.filter((model) => model.kind !== "literal");
    const values = literal.values.filter((value) =>
      others.every((each) => each.has(value)) &&
      plain.every((model) => typeof value === model.kind && fitsBounds(model, value))
    );
    return values.length > 0 ? { ...literal, values } : { kind: "never" };
  }
  const [first] = models;
  if (first === undefined || models.some((model) => model.kind !== first.kind)) return { kind: "never" };
  if (first.kind !== "string" && first.kind !== "number") return first;
  const known = models as readonly (StringModel & NumberModel)[]; // of one of the two kinds
  const isAlike = (["pattern", "format", "multipleOf"] as const).every((name) =>
    new Set(known.map((model) => model[name]).filter((each) => each !== undefined)).size <= 1
  );
  if (!isAlike) return { kind: "intersection", members: models };
  return Object.assign({}, ...known, {
    ...(first.kind === "number" && { isInteger: known.some(({ isInteger }) => isInteger) }),
    ...joinBounds(known, ["minLength", "minimum", "exclusiveMinimum"], Math.max),
    ...joinBounds(known, ["maxLength", "maximum", "exclusiveMaximum"], Math.min),
  }) as StringModel | NumberModel;
}

function joinBounds<Name extends string>(
  models: readonly { readonly [Each in Name]?: number | undefined }[],
  names: readonly Name[],
  tightest: (...bounds: readonly number[]) => number,
): Record<string, number> {
  return Object.fromEntries(names.flatMap((name) => {
    const bounds = models.map((model) => model[name]).filter((each) => each !== undefined);
    return bounds.length === 0 ? [] : [[name, tightest(...bounds)] as const];
  }));
}

/**
 * Returns what several types have in common, if they contain values of different types: what their texts have in
 * common, their lists, and so on. `undefined` if they are of one type, or a type is not known.
 */
function joinByType(models: readonly Model[], place: DocumentPlace, types: Resolver): Model | undefined {
  const parts = models.map((model) => splitByType(model, types));
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length || !known.some((part) => part.size > 1)) return undefined;
  const common = [...known[0]!.keys()].filter((type) => known.every((part) => part.has(type)));
  const joined = common.map((type) => {
    const slices = known.map((part) => toUnion(part.get(type)!));
    const said = slices.filter((slice) => JSON.stringify(withoutNotes(slice)) !== JSON.stringify(anyOf(type)));
    return said.length === 0 ? slices[0]! : intersect(said, place, types);
  });
  const discriminator = models.map((model) => model.kind === "union" ? model.discriminator : undefined)
    .find((each) => each !== undefined);
  const members = joined.filter(({ kind }) => kind !== "never");
  return toUnion(members, discriminator === undefined ? {} : { discriminator });
}

/** Returns the type of all values of a type of JSON. */
export function anyOf(type: JsonType): Model {
  if (type === "object") return { kind: "object", properties: [], others: "open" };
  if (type === "array") return { kind: "array", items: { kind: "unknown" } };
  return type === "number" ? { kind: "number", isInteger: false } : { kind: type };
}

/** Returns the members of a type by the type of their values. */
function splitByType(model: Model, types: Resolver): ReadonlyMap<JsonType, readonly Model[]> | undefined {
  const parts = new Map<JsonType, Model[]>();
  const waiting = [model];
  for (let [next, count] = [waiting.shift(), 0]; next; next = waiting.shift(), count++) {
    spend(1 / 10);
    const target = types.resolve(next);
    const isObjects = isOfObjects(next, types) === true;
    const found = isObjects ? ["object" as const] : target ? valueTypesOf(target) : [];
    if (target?.kind === "union" && !isObjects) waiting.unshift(...target.members);
    else if (found.length === 0 || count > mostJoined) return undefined;
    else for (const type of found) parts.set(type, [...parts.get(type) ?? [], ofType(next, target!, type)]);
  }
  return parts;
}

/** Returns the types of the values of a type that is not a union. None if they are not certain. */
function valueTypesOf(model: Model): readonly JsonType[] {
  if (model.kind === "literal") return [...new Set(model.values.map(typeOf))];
  return [jsonTypeOf(model) as JsonType | undefined].filter((type) => type !== undefined);
}

/** Returns the values of a type that are of a type of JSON. `model` may be a reference to it. */
function ofType(model: Model, target: Model, type: JsonType): Model {
  return target.kind === "literal" && valueTypesOf(target).length > 1
    ? { ...target, values: target.values.filter((value) => typeOf(value) === type) }
    : model;
}

/** Returns the list that is of several types. `undefined` if their items differ. */
function joinArrays(lists: readonly ArrayModel[], types: Resolver): ArrayModel | undefined {
  const present = lists.map((list) => list.items).filter(({ kind }) => kind !== "unknown");
  const items = amongNullable(amongObjects(present, types), types);
  if (new Set(items.map((item) => identityOf(item))).size > 1) return undefined;
  return {
    kind: "array",
    items: items[0] ?? { kind: "unknown" },
    ...joinBounds(lists, ["minItems"], Math.max),
    ...joinBounds(lists, ["maxItems"], Math.min),
    ...(lists.some(({ uniqueItems }) => uniqueItems) && { uniqueItems: true }),
  };
}

/** Leaves out what says nothing beside a type of objects: members that are none, and types of any object. */
function amongObjects(models: readonly Model[], types: Resolver): readonly Model[] {
  if (models.length < 2 || !models.some((model) => isOfObjects(model, types) === true)) return models;
  const objects = models.map((model) => {
    if (model.kind !== "union") return model;
    const { kind: _, members, ...notes } = model;
    return toUnion(members.filter((member) => isOfObjects(member, types) !== false), notes);
  });
  const arePlain = objects.every((model) => types.resolve(model)?.kind === "object");
  const said = objects.filter((model) => !isAny(model) || (arePlain && model[silentKey] === undefined));
  return said.some((model) => isOfObjects(model, types) === true) ? said : [objects.find(isAny)!, ...said];
}

/** Leaves out what says nothing beside types of objects and null: any object, or null. */
function amongNullable(models: readonly Model[], types: Resolver): readonly Model[] {
  const consistsOf = (model: Model, test: (member: Model) => boolean): boolean =>
    model.kind === "union" && model.members.every((member) => member.kind === "null" || test(member));
  const said = models.filter((model) => !consistsOf(model, isAny));
  const areNullable = said.length > 0 &&
    said.every((model) => consistsOf(model, (each) => isOfObjects(each, types) === true));
  return areNullable ? said : models;
}

function isAny(model: Model): model is ObjectModel {
  return model.kind === "object" && model.properties.length === 0 && model.others === "open";
}

/** Returns whether all values of a type are objects, or none. `undefined` if that is not certain. */
export function isOfObjects(
  model: Model,
  types: Pick<Resolver, "resolve">,
  known = new Map<Model, boolean | undefined>(),
): boolean | undefined {
  const target = types.resolve(model);
  if (target === undefined || target.kind === "unknown") return undefined;
  if (target.kind === "never") return true;
  if (target.kind !== "union" && target.kind !== "intersection") return target.kind === "object";
  if (known.has(target)) return known.get(target);
  spend(1 / 10);
  const all = new Set(target.members.map((member) => isOfObjects(member, types, known)));
  const isOne = all.size === 1 ? [...all][0] : undefined;
  const found = target.kind === "union" ? isOne : all.has(true) ? true : all.has(false) ? false : undefined;
  known.set(target, found);
  return found;
}

function joinObjects(objects: readonly ObjectModel[], place: DocumentPlace, types: Resolver): ObjectModel {
  spend(objects.length);
  const properties = new Map<string, Property>();
  for (const { name, model, isRequired } of objects.flatMap((object) => object.properties)) {
    const known = properties.get(name);
    const description = known?.model.description ?? model.description;
    const fallback = model.default ?? known?.model.default;
    const joined = known && {
      ...intersect([known.model, model], place, types),
      ...present({ description, default: fallback }),
      [joinedKey]: [known.model, model].flatMap(({ [placeKey]: at, [joinedKey]: joined = [] }) =>
        // without choices
        at && /\/properties\/[^/]+$/.test(at.pointer) ? [at, ...joined] : joined
      ),
    };
    properties.set(name, { name, model: joined ?? model, isRequired: isRequired || known?.isRequired === true });
  }
  const all = [...properties.values()];
  const isContradiction = objects.some(({ others, properties: own }) =>
    others === "closed" && own.length < properties.size
  );
  if (isContradiction) {
    types.reporter.add("faults", place, "additionalProperties: false rules out what allOf adds; it is ignored");
  }
  for (const object of objects) reportRuledOut(object, all, place, types);
  const said = objects.filter((object) => object[silentKey] === undefined);
  const kept = (said.length > 0 ? said : objects).map((object) => object.others)
    .filter((each) => !(isContradiction && each === "closed"));
  const typed = kept.filter((each) => typeof each === "object");
  if (new Set(typed.map(identityOf)).size > 1 && !kept.includes("closed")) {
    types.reporter.add("unchecked", place, "additionalProperties of several schemas of allOf");
  }
  const others = kept.find((each) => each === "closed") ?? typed[0] ?? kept.find((each) => each === "open");
  const silent = said.length === 0 ? { [silentKey]: true } as const : {};
  return {
    kind: "object",
    properties: all,
    others: others ?? "ignored",
    ...joinBounds(objects, ["minProperties"], Math.max),
    ...joinBounds(objects, ["maxProperties"], Math.min),
    ...silent,
  };
}

/** Reports properties that may be of another type than `additionalProperties` of an object without them. */
function reportRuledOut(
  { others, properties: own }: ObjectModel,
  all: readonly Property[],
  place: DocumentPlace,
  { reporter }: Resolver,
): void {
  if (typeof others !== "object") return;
  for (const { name, model } of all.filter((each) => !own.some((property) => property.name === each.name))) {
    if (identityOf(model) === identityOf(others)) continue;
    const property = describeReference(name);
    reporter.add("faults", place, `additionalProperties rules out ${property} of allOf; it is declared all the same`);
  }
}
