/** Schemas of a document as the written code sees them: what a schema library can express, without its keywords. */
import type { Json } from "../json_schema/json.ts";
import { spend } from "../json_schema/steps.ts";
import type { FieldStyle } from "../../wire/field_styles.ts";
import { present, toObject } from "../openapi/part.ts";
import type { DocumentPlace } from "../openapi/operations.ts";

/** The key of the place of a type in its document. A symbol, so that types of two places compare as equal. */
export const placeKey: unique symbol = Symbol("place");

/** The key of the places of the further types that a property of `allOf` is joined with. */
export const joinedKey: unique symbol = Symbol("joined");

/**
 * The key of whether an object is open only because its schema does not mention properties, which says nothing beside
 * one that does.
 */
export const silentKey: unique symbol = Symbol("silent");

/** What a document says about a value besides its type. */
export interface Notes {
  /** Where the type is in the document. */
  readonly [placeKey]?: DocumentPlace | undefined;
  readonly [joinedKey]?: readonly DocumentPlace[];
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
  /** The default as an annotation. */
  readonly default?: Json | undefined;
}

/** Any value (`unknown`), no value (`never`), `null`, a boolean, or bytes: a file of a form, or a body. */
export interface PlainModel extends Notes {
  readonly kind: "unknown" | "never" | "null" | "boolean" | "file";
}

/** The type of any value, about which nothing is said. */
export const unknown: PlainModel = { kind: "unknown" };

/** A text. */
export interface StringModel extends Notes {
  readonly kind: "string";
  readonly format?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** A pattern that is valid with the flag `u`. */
  readonly pattern?: string | undefined;
  /** Whether it is a `Date` in the program. */
  readonly isDate?: true;
}

/** A number. */
export interface NumberModel extends Notes {
  readonly kind: "number";
  readonly isInteger: boolean;
  readonly format?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
}

/** One of several texts, numbers or booleans; never empty. */
export interface LiteralModel extends Notes {
  readonly kind: "literal";
  readonly values: readonly (string | number | boolean)[];
}

/** A list. */
export interface ArrayModel extends Notes {
  readonly kind: "array";
  readonly items: Model;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** What written schemas do not check. */
  readonly uniqueItems?: true | undefined;
}

/** A list whose first items have types of their own. */
export interface TupleModel extends Notes {
  readonly kind: "tuple";
  readonly items: readonly Model[];
  /** The type of further items; `undefined` if there are none. */
  readonly rest: Model | undefined;
}

/** A property of an object. */
export interface Property {
  readonly name: string;
  readonly model: Model;
  readonly isRequired: boolean;
  /** How the field of a slot is written, if it is not one text for each value. */
  readonly style?: FieldStyle;
}

/** Returns the styles of the fields of a slot; `undefined` if none has one. */
export function stylesIn({ properties }: ObjectModel): Record<string, FieldStyle> | undefined {
  const styled = properties.flatMap(({ name, style }) => style ? [[name, style] as const] : []);
  return styled.length === 0 ? undefined : toObject(styled);
}

/** An object. */
export interface ObjectModel extends Notes {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** Other properties: of one type, any (`open`), none (`closed`), or not mentioned (`ignored`). */
  readonly others: Model | "open" | "closed" | "ignored";
  /** The fewest and the most properties, which written schemas do not check. */
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly [silentKey]?: true;
}

/** A value of one of several types. */
export interface UnionModel extends Notes {
  readonly kind: "union";
  readonly members: readonly Model[];
  /** The property whose value tells objects apart. */
  readonly discriminator?: string | undefined;
}

/** A value of several types at once. */
export interface IntersectionModel extends Notes {
  readonly kind: "intersection";
  readonly members: readonly Model[];
}

/** A schema that has a name. */
export interface ReferenceModel extends Notes {
  readonly kind: "reference";
  /** The key of the schema among those of the import. */
  readonly key: string;
}

/** A number, boolean or literal that is text on the wire, such as a parameter. */
export interface TextModel extends Notes {
  readonly kind: "text";
  readonly of: NumberModel | PlainModel | LiteralModel;
}

/** A text of several parts: `{base}...{head}`. */
export interface TemplateModel extends Notes {
  readonly kind: "template";
  /** Literal text, or `undefined` for any text. */
  readonly parts: readonly (string | undefined)[];
}

/** A schema as the written code sees it. */
export type Model =
  | PlainModel
  | StringModel
  | NumberModel
  | LiteralModel
  | ArrayModel
  | TupleModel
  | ObjectModel
  | UnionModel
  | IntersectionModel
  | ReferenceModel
  | TextModel
  | TemplateModel;

/** Returns whether all properties are of the type of the others, as an index signature requires. */
export function areLikeOthers(properties: readonly Property[], others: Model): boolean {
  return properties.every(({ model, isRequired }) =>
    isRequired && model.kind === others.kind && model.kind !== "object" && model.kind !== "array" &&
    model.kind !== "union" && model.kind !== "reference" && isDate(model) === isDate(others)
  );
}

function isDate(model: Model): boolean {
  return model.kind === "string" && model.isDate === true;
}

/** Returns the type that JSON Schema has for the values of a type. `undefined` if they may be of several. */
export function jsonTypeOf(model: Model): string | undefined {
  switch (model.kind) {
    case "text":
      return jsonTypeOf(model.of);
    case "template":
    case "file":
      return "string";
    case "tuple":
      return "array";
    case "null":
    case "boolean":
    case "string":
    case "number":
    case "array":
    case "object":
      return model.kind;
    default:
      return undefined;
  }
}

/** Returns the type of the values of a nullable type besides null; any other type as it is. */
export function withoutNull(model: Model): Model {
  const [present, ...further] = model.kind === "union" ? model.members.filter(({ kind }) => kind !== "null") : [];
  return present === undefined || further.length > 0 ? model : present;
}

/** Tests whether the values of a type have a format. Listed values have any, because they say more. */
export function hasFormat(model: Model, format: string): boolean {
  const present = withoutNull(model);
  const own = present.kind === "text" ? present.of : present;
  return own.kind === "literal" || ((own.kind === "string" || own.kind === "number") && own.format === format);
}

/** Returns the types directly inside another one. */
export function innerModels(model: Model): readonly Model[] {
  switch (model.kind) {
    case "array":
      return [model.items];
    case "tuple":
      return [...model.items, ...(model.rest ? [model.rest] : [])];
    case "object":
      return [
        ...model.properties.map((property) => property.model),
        ...(typeof model.others === "object" ? [model.others] : []),
      ];
    case "union":
    case "intersection":
      return model.members;
    default:
      return [];
  }
}

/** Returns a type with others directly inside it. */
export function mapInner(model: Model, map: (part: Model) => Model): Model {
  switch (model.kind) {
    case "array":
      return { ...model, items: map(model.items) };
    case "tuple":
      return { ...model, items: model.items.map(map), rest: model.rest && map(model.rest) };
    case "object": {
      const properties = model.properties.map((each) => ({ ...each, model: map(each.model) }));
      return { ...model, properties, others: typeof model.others === "object" ? map(model.others) : model.others };
    }
    case "union":
    case "intersection":
      return { ...model, members: model.members.map(map) };
    default:
      return model;
  }
}

/** Returns the type of a named schema. */
export type ModelOf = (key: string) => Model;

/** Returns the type behind references, of which at most twenty are followed. */
export function behind(model: Model, modelOf: ModelOf, hops = 0): Model {
  return model.kind === "reference" && hops < 20 ? behind(modelOf(model.key), modelOf, hops + 1) : model;
}

/**
 * Lists the types that a value may be of: those of a union behind references, or the type itself. `undefined` stands
 * for one that is not known. A union in several others is listed once, and none that is in `seen`.
 */
export function* choicesOf(
  model: Model,
  resolve: (model: Model) => Model | undefined,
  seen = new Set<Model>(),
): Generator<Exclude<Model, UnionModel | ReferenceModel> | undefined> {
  const waiting = [model]; // the last one is next
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    spend(1 / 10);
    const target = resolve(next);
    if (target?.kind !== "union") yield target?.kind === "reference" ? undefined : target;
    else if (seen.size < seen.add(target).size) {
      for (const member of target.members.toReversed()) waiting.push(member);
    }
  }
}

/** Returns whether a type has an object with such other properties, itself or behind references. */
export function hasOthers(
  model: Model,
  test: (others: ObjectModel["others"]) => boolean,
  modelOf: ModelOf,
  seen = new Set<Model>(),
): boolean {
  return [...choicesOf(model, (each) => behind(each, modelOf), seen)].some((each) =>
    each?.kind === "intersection"
      ? seen.size < seen.add(each).size && each.members.some((member) => hasOthers(member, test, modelOf, seen))
      : each?.kind === "object" && test(each.others)
  );
}

/** Returns whether the text of a value, or of its parts, is converted. */
export function isConverted(model: Model): boolean {
  spend(1 / 100);
  return model.kind === "text" || innerModels(model).some(isConverted);
}

/** Returns the keys of the schemas that a type refers to. */
export function keysIn(model: Model): readonly string[] {
  return model.kind === "reference" ? [model.key] : innerModels(model).flatMap(keysIn);
}

/** Returns a union without repeated members and nested unions; a single member stands alone. */
export function toUnion(members: readonly Model[], notes: Notes & Pick<UnionModel, "discriminator"> = {}): Model {
  const flat = members.flatMap((member) =>
    member.kind === "union" && !member.discriminator ? member.members : [member]
  );
  const kept = flat.length === 1 ? flat : [...new Map(flat.map((member) => [identityOf(member), member])).values()];
  if (kept.some(({ kind }) => kind === "unknown")) return { kind: "unknown", ...withoutDiscriminator(notes) };
  const literals = kept.filter((member) => member.kind === "literal");
  const joined = literals.length > 1
    ? [
      { kind: "literal", values: [...new Set(literals.flatMap(({ values }) => values))] } satisfies LiteralModel,
      ...kept.filter((member) => member.kind !== "literal"),
    ]
    : kept;
  const [only] = joined;
  if (only === undefined) return { kind: "never" };
  if (joined.length === 1) return { ...only, ...withoutDiscriminator(notes) };
  return { kind: "union", members: joined, ...notes };
}

function withoutDiscriminator({ discriminator: _, ...notes }: Notes & Pick<UnionModel, "discriminator">): Notes {
  return notes;
}

/** Returns a text that equal types have in common, whatever is said about them. It may be longer than the document. */
export function identityOf(model: Model): string {
  const text = JSON.stringify(withoutNotes(model));
  spend(text.length / 100);
  return text;
}

/** Returns what is said about a type, besides a default. */
export function notesOf({ description, deprecated }: Model): Notes {
  return present({ description, deprecated: deprecated || undefined });
}

/** Returns a type with what is said about a reference to it. */
export function withNotes<Of extends Model>(target: Of, reference: Model): Of {
  return { ...target, ...notesOf(reference) };
}

/** Returns a type without what is said about it. */
export function withoutNotes<Of extends Model>(model: Of): Of {
  const { description: _description, deprecated: _deprecated, default: _default, ...rest } = model;
  return rest as Of; // only notes are gone
}
