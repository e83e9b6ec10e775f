/**
 * The normal form of a schema: a list of shapes. A value is valid if it has one of them. Each shape has one JSON type
 * and contains all constraints on a value. Functions that process shapes need not handle `$ref`, `allOf`, `anyOf`,
 * `oneOf` or `if`.
 */
import { type Json, type JsonSchemaObject, type JsonType } from "./json.ts";
import { type LocatedSchema } from "./locate.ts";
import { matchesPattern } from "./pattern.ts";

export type Shape = PlainShape | NumberShape | StringShape | ArrayShape | ObjectShape;

/** The members that all shapes have. */
interface ShapeBase<Type extends JsonType> {
  /** The type of its values. */
  readonly type: Type;
  /**
   * The only possible values, from `const` and `enum`; `undefined` if they are not enumerated. All are of the type, but
   * other constraints may exclude some.
   */
  readonly values: readonly Json[] | undefined;
  /**
   * Schemas that a value must also match, because the shape cannot express them: `oneOf` with overlaps,
   * `dependentSchemas` and others.
   */
  readonly also: readonly LocatedSchema[];
  /** Schemas that a value must not match. */
  readonly not: readonly LocatedSchema[];
  /**
   * The schema objects that the shape comes from, nearest first: for `title`, `examples`, `default` and similar
   * keywords.
   */
  readonly sources: readonly JsonSchemaObject[];
}

/** The shapes of `null` and booleans. */
export type PlainShape = ShapeBase<"null"> | ShapeBase<"boolean">;

/** The shape of numbers. */
export interface NumberShape extends ShapeBase<"number"> {
  /** Whether only integers are valid. `1.0` is an integer. */
  readonly isInteger: boolean;
  /** The minimum, which is itself valid unless `isMinimumExcluded`; `-Infinity` if there is none. */
  readonly minimum: number;
  /** Whether `minimum` itself is invalid. */
  readonly isMinimumExcluded: boolean;
  /** The maximum, which is itself valid unless `isMaximumExcluded`; `Infinity` if there is none. */
  readonly maximum: number;
  /** Whether `maximum` itself is invalid. */
  readonly isMaximumExcluded: boolean;
  /** A value must be a multiple of each of these. */
  readonly multiplesOf: readonly number[];
}

/** The shape of strings. Lengths count code points. */
export interface StringShape extends ShapeBase<"string"> {
  readonly minLength: number;
  /** The maximum length; `Infinity` if there is none. */
  readonly maxLength: number;
  /** Regular expressions that a value must match, all of them (ECMA-262, in Unicode mode if they compile in it). */
  readonly patterns: readonly string[];
  /** The names of formats. Validation ignores them; samples follow them. */
  readonly formats: readonly string[];
  /** The media types of the content that the text contains. Validation ignores them, and so the next two. */
  readonly mediaTypes: readonly string[];
  /** The encodings of the content. */
  readonly encodings: readonly string[];
  /** The schemas of the content. */
  readonly contents: readonly LocatedSchema[];
}

/** The shape of lists. */
export interface ArrayShape extends ShapeBase<"array"> {
  /** The minimum number of items. */
  readonly minItems: number;
  /** The maximum number of items; `Infinity` if there is none. */
  readonly maxItems: number;
  /** Whether all items must be different. */
  readonly isUnique: boolean;
  /** The constraints on items. All must hold; there are several if schemas were merged. */
  readonly items: readonly ItemRules[];
  /** How many items must match a schema. */
  readonly contains: readonly Contains[];
}

/** The schemas of the items of a list. */
export interface ItemRules {
  /** The schemas of the first items. */
  readonly prefix: readonly LocatedSchema[];
  /** The schema of all other items; `undefined` if it is unconstrained. */
  readonly rest: LocatedSchema | undefined;
}

/** How many items must match a schema. */
export interface Contains {
  readonly schema: LocatedSchema;
  /** The minimum number of matching items. */
  readonly least: number;
  /** The maximum number of matching items; `Infinity` if there is none. */
  readonly most: number;
}

/** The shape of objects. */
export interface ObjectShape extends ShapeBase<"object"> {
  /** The minimum number of members. */
  readonly minProperties: number;
  /** The maximum number of members; `Infinity` if there is none. */
  readonly maxProperties: number;
  /** The names of required members. */
  readonly required: ReadonlySet<string>;
  /** The constraints on members. All must hold; there are several if schemas were merged. */
  readonly members: readonly MemberRules[];
  /** The schemas that the name of every member must match. */
  readonly names: readonly LocatedSchema[];
}

/** The schemas of the members of an object. */
export interface MemberRules {
  /** The schemas of members by name. */
  readonly named: ReadonlyMap<string, LocatedSchema>;
  /** The schemas of members by a pattern of their names. */
  readonly patterns: readonly (readonly [pattern: string, schema: LocatedSchema])[];
  /** The schema of all other members; `undefined` if it is unconstrained. */
  readonly rest: LocatedSchema | undefined;
}

/** The members of one type's shape that other shapes lack. */
export type RulesOf<Type extends JsonType> = Omit<Extract<Shape, { readonly type: Type }>, keyof ShapeBase<Type>>;

/** Returns the schemas that an item must match, all of them. */
export function itemSchemas({ items }: ArrayShape, index: number): LocatedSchema[] {
  return items.flatMap(({ prefix, rest }) => prefix[index] ?? rest ?? []);
}

/** Returns the schemas that a member must match, all of them. */
export function memberSchemas({ members }: ObjectShape, name: string): LocatedSchema[] {
  return members.flatMap((rules) => schemasByName(rules, name));
}

/** Returns the schemas that one set of constraints has for a member. */
function schemasByName({ named, patterns, rest }: MemberRules, name: string): LocatedSchema[] {
  const own = named.get(name);
  const matching = patterns.filter(([pattern]) => matchesPattern(pattern, name)).map(([, schema]) => schema);
  if (own || matching.length > 0) return own ? [own, ...matching] : matching;
  return rest ? [rest] : [];
}

/** Returns the names of members that are required or have their own schemas. */
export function knownNames({ members, required }: ObjectShape): string[] {
  return [...new Set([...members.flatMap(({ named }) => [...named.keys()]), ...required])];
}
