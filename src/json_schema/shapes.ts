/**
 * The normal form of a schema: a list of shapes. A value is valid if it has one of them. Each shape is of one JSON type and holds
 * all that must be true of a value at once, so functions over shapes know no `$ref`, `allOf`, `anyOf`, `oneOf` or `if`.
 */
import { type Json, type JsonType } from "./json.ts";
import { type JsonSchemaObject } from "./json_schema.ts";
import { type LocatedSchema } from "./locate.ts";

/** One shape. */
export type Shape = PlainShape | NumberShape | StringShape | ArrayShape | ObjectShape;

/** What every shape has. */
interface ShapeBase<Type extends JsonType> {
  /** The type of its values. */
  readonly type: Type;
  /** The only values, from `const` and `enum`; `undefined` where any value of the type will do. All are of the type; other rules may refuse some. */
  readonly values: readonly Json[] | undefined;
  /** Schemas that a value must match as well, because a shape cannot say what they say: `oneOf` with overlaps, `dependentSchemas` and others. */
  readonly also: readonly LocatedSchema[];
  /** Schemas that a value must not match. */
  readonly not: readonly LocatedSchema[];
  /** The schema objects that it was made of, nearest first: for `title`, `examples`, `default` and the like. */
  readonly sources: readonly JsonSchemaObject[];
}

/** `null` and booleans. */
export type PlainShape = ShapeBase<"null"> | ShapeBase<"boolean">;

/** Numbers. */
export interface NumberShape extends ShapeBase<"number"> {
  /** Whether only integers are valid; `1.0` is one. */
  readonly isInteger: boolean;
  /** The lowest valid value, or where `isMinimumExcluded` the value that all are above; `-Infinity` for none. */
  readonly minimum: number;
  /** Whether `minimum` itself is invalid. */
  readonly isMinimumExcluded: boolean;
  /** The highest valid value, or where `isMaximumExcluded` the value that all are below; `Infinity` for none. */
  readonly maximum: number;
  /** Whether `maximum` itself is invalid. */
  readonly isMaximumExcluded: boolean;
  /** What a value must be a multiple of: each of these. */
  readonly multiplesOf: readonly number[];
}

/** Strings. Lengths count code points. */
export interface StringShape extends ShapeBase<"string"> {
  /** The least length. */
  readonly minLength: number;
  /** The greatest length; `Infinity` for none. */
  readonly maxLength: number;
  /** Regular expressions (ECMA-262, with `u` where that compiles) of which a value must have a match of each. */
  readonly patterns: readonly string[];
  /** The names of formats. Validation does not look at them; samples follow them. */
  readonly formats: readonly string[];
}

/** Lists. */
export interface ArrayShape extends ShapeBase<"array"> {
  /** The fewest items. */
  readonly minItems: number;
  /** The most items; `Infinity` for none. */
  readonly maxItems: number;
  /** Whether no two items may be equal. */
  readonly isUnique: boolean;
  /** Rules of items, each of which must hold: several where schemas were merged. */
  readonly items: readonly ItemRules[];
  /** How many items must match a schema. */
  readonly contains: readonly Contains[];
}

/** What the items of a list must match. */
export interface ItemRules {
  /** The schemas of the first items. */
  readonly prefix: readonly LocatedSchema[];
  /** The schema of all others; `undefined` where any will do. */
  readonly rest: LocatedSchema | undefined;
}

/** How many items must match a schema. */
export interface Contains {
  /** The schema. */
  readonly schema: LocatedSchema;
  /** The fewest of them. */
  readonly least: number;
  /** The most of them; `Infinity` for none. */
  readonly most: number;
}

/** Objects. */
export interface ObjectShape extends ShapeBase<"object"> {
  /** The fewest members. */
  readonly minProperties: number;
  /** The most members; `Infinity` for none. */
  readonly maxProperties: number;
  /** The names of the members that must be there. */
  readonly required: ReadonlySet<string>;
  /** Rules of members, each of which must hold: several where schemas were merged. */
  readonly members: readonly MemberRules[];
  /** Schemas that the name of every member must match. */
  readonly names: readonly LocatedSchema[];
}

/** What the members of an object must match. */
export interface MemberRules {
  /** The schemas of members by name. */
  readonly named: ReadonlyMap<string, LocatedSchema>;
  /** The schemas of members by a regular expression that matches their names. */
  readonly patterns: readonly (readonly [pattern: string, schema: LocatedSchema])[];
  /** The schema of all others; `undefined` where any will do. */
  readonly rest: LocatedSchema | undefined;
}

/** The rules of the shape of one type: what it has beside the common part. */
export type RulesOf<Type extends JsonType> = Omit<Extract<Shape, { readonly type: Type }>, keyof ShapeBase<Type>>;

/** The schemas that an item must match, all of them. */
export function itemSchemas({ items }: ArrayShape, index: number): LocatedSchema[] {
  return items.flatMap(({ prefix, rest }) => prefix[index] ?? rest ?? []);
}

/** The schemas that a member must match, all of them. */
export function memberSchemas({ members }: ObjectShape, name: string): LocatedSchema[] {
  return members.flatMap((rules) => schemasByName(rules, name));
}

/** What one set of rules says of a member. */
function schemasByName({ named, patterns, rest }: MemberRules, name: string): LocatedSchema[] {
  const own = named.get(name);
  const matching = patterns.filter(([pattern]) => toRegExp(pattern).test(name)).map(([, schema]) => schema);
  if (own || matching.length > 0) return own ? [own, ...matching] : matching;
  return rest ? [rest] : [];
}

/** The names that the rules of an object mention: those of members that are required or have a schema of their own. */
export function knownNames({ members, required }: ObjectShape): string[] {
  return [...new Set([...members.flatMap(({ named }) => [...named.keys()]), ...required])];
}

const compiled = new Map<string, RegExp>();

/** The regular expression of a `pattern`; those that Unicode mode refuses, as `\-` is, are compiled without it. */
export function toRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  const expression = compile(pattern);
  compiled.set(pattern, expression);
  return expression;
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
