/** Finds what schemas of a document say that the types of an import do not: keywords, annotations, and components. */
import type { Direction } from "../openapi/definitions.ts";
import { droppedKeywords, isNullable, isOnlyNull, listTypes } from "./keywords.ts";
import { spend } from "../json_schema/steps.ts";
import { below, describePlace, describeReference, type DocumentPlace, type Located } from "../openapi/operations.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { isTextType } from "./media_types.ts";
import { discriminatorOf, findProperty, type ReferenceTarget, type RoutePlan } from "./plan.ts";
import { itemSchemaOf, type MediaContent, schemaOf } from "./read_operation.ts";
import { hasFlag, isPart, type Part, toList, toPart } from "../openapi/part.ts";
import {
  hasFormat,
  innerModels,
  joinedKey,
  type LiteralModel,
  type Model,
  type ObjectModel,
  placeKey,
  withoutNull,
} from "./model.ts";
import { integerRange } from "../json_schema/json.ts";
import { parameterNames, pathIdentity } from "../../path.ts";
import { lastName } from "../json_schema/references.ts";
import type { Reporter } from "./report.ts";
import type { Finder } from "./source.ts";
import { isCombined, isJoined } from "./value_types.ts";

/** What schemas are compared with. */
export interface UnpublishedReader {
  readonly find: Finder;
  readonly reporter: Reporter;
  /** The places of components that the contract has for one direction only, without the properties of the other. */
  readonly oneSided: ReadonlySet<string>;
  /** Returns the reference that the key of a model stands for, and the name of its component. */
  readonly targetOf: (key: string) => ReferenceTarget;
}

/** The annotations of schemas. Extensions are annotations, too. */
const annotations = [
  "title",
  "description",
  "example",
  "examples",
  "externalDocs",
  "deprecated",
  "readOnly",
  "writeOnly",
];

/** Keywords that are compared with types, or that say nothing about values. */
const known = new Set([
  ...annotations,
  ...("type nullable enum const format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum " +
    "multipleOf items prefixItems minItems maxItems properties required additionalProperties allOf anyOf oneOf $ref " +
    "default xml discriminator then else contentEncoding additionalItems $comment $schema $id id $anchor").split(" "),
  ...droppedKeywords,
]);

interface PendingSchema extends Located {
  readonly direction: Direction;
  /** The types that it is written into, and their place: as a member of `allOf`, or as a whole. */
  readonly around?: WrittenInto | undefined;
  /** The type of a parameter, a header or a body, if the plan has none for the place. */
  readonly whole?: Whole | undefined;
}

interface Whole {
  readonly model: Model;
  /** Whether its annotations are published. */
  readonly hasNotes: boolean;
}

interface WrittenInto {
  readonly models: readonly Model[];
  readonly place: string;
  readonly isMember: boolean;
}

/** What is around a schema that no type was made of. */
const nothing: WrittenInto = { models: [], place: "nothing", isMember: true };

/** Compares the schemas of a document with the types that were made of them. */
export class UnpublishedWalk {
  readonly #reader: UnpublishedReader;
  readonly #models = new Map<string, Model[]>();
  readonly #seen = new Set<string>();
  readonly #pending: PendingSchema[] = [];

  constructor(reader: UnpublishedReader, models: Iterable<Model>) {
    this.#reader = reader;
    for (const model of models) this.#collect(model);
  }

  /**
   * Compares a schema, and those that it contains or refers to.
   *
   * @param whole Its type, if the plan has none for its place.
   */
  compare({ value, place }: Located, direction: Direction, whole: Whole): void {
    this.#pending.push({ value, place, direction, whole });
    for (const next of this.#pending) this.#visit(next); // which grows
    this.#pending.length = 0;
  }

  /** Compares the schema of a media type. */
  compareMedia(media: MediaContent | undefined, direction: Direction): void {
    if (media === undefined) return;
    const kind = isTextType(mediaTypeEssence(media.type)) ? "string" : "file";
    this.compare(itemSchemaOf(media), direction, { model: { kind }, hasNotes: false });
  }

  /** Collects types by their place in the document. */
  #collect(model: Model, around?: DocumentPlace): void {
    spend(1 / 100);
    const { [placeKey]: place, [joinedKey]: joined = [] } = model;
    for (const each of place && place !== around ? [place, ...joined] : joined) {
      const key = describePlace(each);
      const others = this.#models.get(key);
      if (others === undefined) this.#models.set(key, [model]);
      else if (!others.includes(model)) others.push(model);
    }
    const within = model.kind === "union" || model.kind === "intersection" ? place : undefined; // a part of itself
    for (const part of innerModels(model)) this.#collect(part, within);
  }

  #visit({ value, place, direction, around, whole: fallback }: PendingSchema): void {
    if (!isPart(value)) return;
    const key = `${direction} ${describePlace(place)} ${around?.place ?? ""}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    spend(1 / 100);
    const models = around?.models ?? this.#models.get(describePlace(place)) ?? (fallback && [fallback.model]);
    const isMember = around?.isMember === true;
    const isNoted = models !== undefined && (models[0] !== fallback?.model || fallback?.hasNotes === true);
    this.#report(value, place, { models, isMember, isNoted });
    const unenforced = direction === "input" ? "readOnly" : "writeOnly";
    if (value[unenforced] === true) this.#reader.reporter.add("unpublished", place, unenforced);
    const whole = models && { models, place: around?.place ?? describePlace(place), isMember };
    if (typeof value.$ref === "string") this.#follow(value.$ref, { place, direction, around: whole, whole: fallback });
    const push = (each: unknown, ...steps: readonly (string | number)[]) =>
      this.#pending.push({ value: each, place: below(place, ...steps), direction });
    toList(value.allOf).forEach((each, index) =>
      this.#pending.push({
        value: each,
        place: below(place, "allOf", index),
        direction,
        around: whole ? { ...whole, isMember: true } : nothing,
      })
    );
    for (const [name, each] of Object.entries(toPart(value.properties))) {
      if (!hasFlag(each, unenforced, this.#reader.find)) push(each, "properties", name);
      else if (this.#reader.oneSided.has(describePlace(place))) {
        this.#reader.reporter.add("unpublished", below(place, "properties", name), unenforced);
      }
    }
    for (const name of ["items", "additionalProperties"]) push(value[name], name);
    for (const name of ["anyOf", "oneOf", "prefixItems"]) {
      toList(value[name]).forEach((each, index) => push(each, name, index));
    }
  }

  #follow(reference: string, { place, direction, around, whole }: Omit<PendingSchema, "value">): void {
    const target = this.#reader.find(reference);
    if (target === undefined) return; // the report has it
    const found = (around?.models ?? []).flatMap((model) => this.#componentsOf(model, reference));
    const name = lastName(reference);
    for (const each of found) {
      if (each !== name && each !== `${name}Input`) {
        this.#reader.reporter.add("unpublished", place, `its component is ${each}`);
      }
    }
    if (found.length > 0) {
      this.#pending.push({ ...target, direction });
      return;
    }
    this.#reader.reporter.add("unpublished", place, `${describeReference(reference)} is written out`);
    this.#pending.push({ ...target, direction, ...(whole ? { whole } : { around }) });
  }

  /** Returns the components that a type refers to instead of a reference of the document. */
  #componentsOf(model: Model, reference: string): readonly string[] {
    if (model.kind === "union" || model.kind === "intersection") {
      return model.members.flatMap((member) => this.#componentsOf(member, reference));
    }
    if (model.kind !== "reference") return [];
    const target = this.#reader.targetOf(model.key);
    return target.reference === reference ? [target.component] : [];
  }

  /** Reports what types do not have. `isNoted` tells whether the document has their annotations. */
  #report(value: Part, place: DocumentPlace, { models, isMember, isNoted }: {
    readonly models: readonly Model[] | undefined;
    readonly isMember: boolean;
    readonly isNoted: boolean;
  }): void {
    const { reporter } = this.#reader;
    const names = new Set<string>();
    for (const name of Object.keys(value)) {
      if (!known.has(name) && !name.startsWith("x-")) names.add(name);
      if (name === "items" && hasItemsOfNone(value, models)) names.add(name);
      if (!isNoted && isNote(name) && isSaid(value[name]) && name !== "x-nullable") names.add(name);
    }
    for (const model of models ?? []) {
      const isTold = !isPart(value.discriminator) || discriminatorOf(value, model, this.#reader.targetOf) !== undefined;
      if (!isTold) names.add("discriminator");
      for (const name of [...listLost(value, model, isMember), ...this.#listOverruled(value, model)]) names.add(name);
    }
    for (const name of names) reporter.add("unpublished", place, name);
  }

  /** Lists the annotations of which the schemas that a type is joined of say something else before. */
  #listOverruled(value: Part, { [joinedKey]: joined = [] }: Model): readonly string[] {
    const all = joined.map((each) => toPart(this.#reader.find(describePlace(each))?.value));
    return Object.keys(value).filter((name) => {
      const first = isNote(name) && isSaid(value[name]) && all.find((each) => isSaid(each[name]));
      return first && JSON.stringify(first[name]) !== JSON.stringify(value[name]);
    });
  }
}

function isNote(name: string): boolean {
  return annotations.includes(name) || name.startsWith("x-");
}

/** Tests whether a schema has items in a form that says nothing: as a list, or beside the type of other values. */
function hasItemsOfNone(schema: Part, models: readonly Model[] | undefined): boolean {
  const types = listTypes(schema);
  return Array.isArray(schema.items) || (models !== undefined && types.length > 0 && !types.includes("array"));
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== false && value !== "";
}

/** Lists the keywords of a schema that a type does not have, or has otherwise. */
function listLost(schema: Part, model: Model, isMerged: boolean): readonly string[] {
  const target = withoutNull(model);
  const core = target.kind === "text" ? target.of : target;
  const hasNull = core.kind === "null" || core.kind === "unknown" ||
    (model.kind === "union" && model.members.some(({ kind }) => kind === "null"));
  const isFormatLost = typeof schema.format === "string" && !hasFormat(model, schema.format) &&
    !["file", "reference", "unknown", "never"].includes(core.kind);
  return [
    ...(mayBeNull(schema) && !hasNull && !isMerged ? ["null"] : []),
    ...(schema.default !== undefined && model.default === undefined && !isMerged ? ["default"] : []),
    ...(isFormatLost ? ["format"] : []),
    ...listStructure(schema, core, isMerged),
  ];
}

/** Tests whether a schema accepts null, itself or as a member of a choice. */
function mayBeNull(schema: Part): boolean {
  return isNullable(schema) ||
    ["anyOf", "oneOf"].some((name) => toList(schema[name]).some((each) => toPart(each)["type"] === "null"));
}

function listStructure(schema: Part, model: Model, isMerged: boolean): readonly string[] {
  const choice = ["anyOf", "oneOf"].filter((name) => countMembers(schema[name]) > 1);
  const merged = model.kind === "union" && choice.length === 1
    ? isMerged || countMembers(schema[choice[0]!]) === model.members.filter(({ kind }) => kind !== "null").length
      ? []
      : choice
    : model.kind === "reference" || model.kind === "intersection"
    ? []
    : choice;
  const isFamily = schema.discriminator !== undefined && model.kind === "union" && choice.length === 0;
  return [...merged, ...(isFamily ? ["discriminator"] : []), ...listOfKind(schema, model, isMerged)];
}

function countMembers(list: unknown): number {
  return toList(list).filter((each) => toPart(each)["type"] !== "null" && !isOnlyNull(each)).length;
}

/** Keywords that restrict the values of one type. */
const restrictions = ("pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf " +
  "minItems maxItems").split(" ");

function listOfKind(schema: Part, model: Model, isMerged: boolean): readonly string[] {
  const own: Part = { ...model };
  const lost = restrictions.filter((name) => isRestrictionLost(name, schema, own, isMerged));
  switch (model.kind) {
    case "unknown":
    case "never":
      return ["type", "enum", "const", "properties", "items", "format"].filter((name) => schema[name] !== undefined);
    case "number":
      return [...lost, ...(isInteger(schema) && !model.isInteger ? ["type"] : [])];
    case "literal":
      return isEnumLost(schema, model) ? [...lost, "enum"] : lost;
    case "tuple":
      return Number(schema["maxItems"]) > model.items.length ? ["maxItems"] : [];
    case "object":
      return [...lost, ...listObject(schema, model, isMerged)];
    case "string":
    case "boolean":
    case "array":
      return toList(schema.required).length > 0 ? [...lost, "required"] : lost;
    default:
      return [];
  }
}

/** Tests whether a type has other values than a schema that lists them, or that refers to none that does. */
function isEnumLost(schema: Part, { values }: LiteralModel): boolean {
  const declared = schema.enum === undefined ? "const" in schema ? [schema.const] : undefined : toList(schema.enum);
  if (declared === undefined) return !isCombined(schema);
  const kept = new Set<unknown>(values);
  return declared.some((each) => each !== null && !kept.has(each));
}

function isInteger(schema: Part): boolean {
  const types = listTypes(schema);
  return types.includes("integer") && !types.includes("number");
}

function isRestrictionLost(name: string, schema: Part, model: Part, isMerged: boolean): boolean {
  const declared = schema[name];
  const [least, most] = integerRange(schema.format) ?? [];
  if (name === "pattern") { // which regular expressions write with their slashes escaped
    return typeof declared === "string" && model[name] !== declared.replaceAll(/(?<!\\)\//g, "\\/");
  }
  if (typeof declared === "boolean") return false;
  if ((name === "minimum" && declared === least) || (name === "maximum" && declared === most)) return false;
  if (name === "minimum" && schema["exclusiveMinimum"] === true) return declared !== model["exclusiveMinimum"];
  if (name === "maximum" && schema["exclusiveMaximum"] === true) return declared !== model["exclusiveMaximum"];
  if (declared === undefined || declared === 0) return false;
  return isMerged ? model[name] === undefined : declared !== model[name];
}

function listObject(schema: Part, { properties, others }: ObjectModel, isMerged: boolean): readonly string[] {
  const names = new Set(properties.map(({ name }) => name));
  const required = new Set(properties.filter(({ isRequired }) => isRequired).map(({ name }) => name));
  const declared = Object.keys(toPart(schema.properties));
  const isWhole = !isMerged && !isJoined(schema);
  const needed = toList(schema.required).filter((name) => typeof name === "string");
  const isClosed = schema.additionalProperties === false;
  return [
    ...(isWhole && properties.length > declared.filter((name) => names.has(name)).length ? ["properties"] : []),
    ...(needed.some((name) => names.has(name) && !required.has(name)) ? ["required"] : []),
    ...((isClosed && others !== "closed") || (isPart(schema.additionalProperties) && typeof others !== "object")
      ? ["additionalProperties"]
      : []),
  ];
}

/** Reports what the schemas of routes say that their types do not. `isSent` tests whether the API sends its requests. */
export function reportUnpublished(
  routes: readonly RoutePlan[],
  { isSent, ...reader }: UnpublishedReader & { readonly isSent: (route: RoutePlan) => boolean },
  models: Iterable<Model>,
): void {
  const walk = new UnpublishedWalk(reader, models);
  const firsts = new Map<string, readonly string[]>(); // the names of parameters by path
  for (const route of routes) {
    const { parts: { parameters, body, responses }, path } = route;
    const direction = isSent(route) ? "output" : "input";
    const [names, identity] = [parameterNames(path), pathIdentity(path)];
    const first = firsts.get(identity) ?? names;
    firsts.set(identity, first);
    for (const each of parameters) {
      const index = each.part.in === "path" ? names.indexOf(each.name) : -1;
      if (first[index] !== names[index]) {
        reader.reporter.add("unpublished", each.place, `its name is ${first[index]} in its path`);
      }
      const model = findProperty(route, each.part) ?? { kind: "string" };
      walk.compare(schemaOf(each), direction, { model, hasNotes: true });
    }
    walk.compareMedia(body.media, direction);
    for (const { media, headers } of responses) {
      walk.compareMedia(media, "output");
      for (const each of headers) walk.compare(schemaOf(each), "output", { model: { kind: "string" }, hasNotes: true });
    }
  }
}
