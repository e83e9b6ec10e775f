/**
 * The normal form of a schema, a list of shapes, and their intersections. A value is valid if it has one of the shapes.
 * Each shape has one JSON type and contains all constraints on a value. Functions that process shapes need not handle
 * `$ref`, `allOf`, `anyOf`, `oneOf` or `if`.
 */
import {
  countCodePoints,
  isSchemaObject,
  type Json,
  type JsonSchemaObject,
  type JsonType,
  toMembership,
} from "./json.ts";
import type { LocatedSchema } from "./locate.ts";
import { matchesPattern } from "./pattern.ts";
import { spend } from "./steps.ts";

/** All constraints on the values of one JSON type. A maximum is `Infinity` if there is none. */
export type Shape = ShapeBase<"null"> | ShapeBase<"boolean"> | NumberShape | StringShape | ArrayShape | ObjectShape;

interface ShapeBase<Type extends JsonType> {
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
  readonly not: readonly LocatedSchema[];
  /**
   * The schema objects that the shape comes from, nearest first: for `title`, `examples`, `default` and similar
   * keywords.
   */
  readonly sources: readonly JsonSchemaObject[];
}

export interface NumberShape extends ShapeBase<"number"> {
  readonly isInteger: boolean;
  /** The minimum, which is itself valid unless `isMinimumExcluded`; `-Infinity` if there is none. */
  readonly minimum: number;
  readonly isMinimumExcluded: boolean;
  /** The maximum, which is itself valid unless `isMaximumExcluded`; `Infinity` if there is none. */
  readonly maximum: number;
  readonly isMaximumExcluded: boolean;
  readonly multiplesOf: readonly number[];
}

/** The shape of strings. Lengths count code points. */
export interface StringShape extends ShapeBase<"string"> {
  readonly minLength: number;
  readonly maxLength: number;
  /** Regular expressions that a value must match, all of them (ECMA-262, in Unicode mode if they compile in it). */
  readonly patterns: readonly string[];
  /** The names of formats. Validation ignores them; samples follow them. */
  readonly formats: readonly string[];
  /** The media types of the content that the text contains. Validation ignores them, and so the next two. */
  readonly mediaTypes: readonly string[];
  readonly encodings: readonly string[];
  readonly contents: readonly LocatedSchema[];
}

export interface ArrayShape extends ShapeBase<"array"> {
  readonly minItems: number;
  readonly maxItems: number;
  readonly isUnique: boolean;
  /** The constraints on items. All must hold; there are several if schemas were merged. */
  readonly items: readonly ItemRules[];
  readonly contains: readonly Contains[];
}

export interface ItemRules {
  readonly prefix: readonly LocatedSchema[];
  /** The schema of all other items; `undefined` if it is unconstrained. */
  readonly rest: LocatedSchema | undefined;
}

export interface Contains {
  readonly schema: LocatedSchema;
  readonly least: number;
  readonly most: number;
}

export interface ObjectShape extends ShapeBase<"object"> {
  readonly minProperties: number;
  readonly maxProperties: number;
  readonly required: ReadonlySet<string>;
  /** The constraints on members. All must hold; there are several if schemas were merged. */
  readonly members: readonly MemberRules[];
  /** The schemas that the name of every member must match. */
  readonly names: readonly LocatedSchema[];
}

export interface MemberRules {
  readonly named: ReadonlyMap<string, LocatedSchema>;
  /** The schemas of members by a pattern of their names. */
  readonly patterns: readonly (readonly [pattern: string, schema: LocatedSchema])[];
  /** The schema of all other members; `undefined` if it is unconstrained. */
  readonly rest: LocatedSchema | undefined;
}

export type CommonRules = Omit<ShapeBase<JsonType>, "type">;

/** The members of one type's shape that other shapes lack. */
export type RulesOf<Type extends JsonType> = Omit<Extract<Shape, { readonly type: Type }>, keyof ShapeBase<Type>>;

/** Returns the schemas that an item must match, all of them. */
export function itemSchemas({ items }: ArrayShape, index: number): LocatedSchema[] {
  if (items.length > 8) spend(items.length / 8);
  return items.flatMap(({ prefix, rest }) => prefix[index] ?? rest ?? []);
}

export function countPrefix({ items }: ArrayShape): number {
  return Math.max(0, ...items.map(({ prefix }) => prefix.length));
}

/** Returns the schemas that a member must match, all of them. */
export function memberSchemas({ members }: ObjectShape, name: string): LocatedSchema[] {
  return rulesFor(members, name).flatMap((rules) => schemasByName(rules, name));
}

/** Returns the constraints that matter to a member. An `allOf` may have thousands of others, which name other members. */
export function rulesFor(members: readonly MemberRules[], name: string): readonly MemberRules[] {
  if (members.length < 3) return members;
  const { named, open } = knownRules.get(members) ?? indexRules(members);
  const ranks = [...named.get(name) ?? [], ...open];
  return ranks.sort((one, other) => one - other).map((rank) => members[rank]!); // they are its indexes
}

/** The places of constraints in their list. */
interface RulesIndex {
  /** Those that matter to each name alone. */
  readonly named: ReadonlyMap<string, readonly number[]>;
  /** Those that matter to every member. */
  readonly open: readonly number[];
}

const knownRules = new WeakMap<readonly MemberRules[], RulesIndex>();

function indexRules(members: readonly MemberRules[]): RulesIndex {
  const named = new Map<string, number[]>();
  const open: number[] = [];
  for (const [rank, { patterns, rest, named: own }] of members.entries()) {
    if (patterns.length > 0 || rest !== undefined) open.push(rank);
    else {
      for (const name of own.keys()) {
        const ranks = named.get(name);
        if (ranks) ranks.push(rank);
        else named.set(name, [rank]);
      }
    }
  }
  const index = { named, open };
  knownRules.set(members, index);
  return index;
}

/** Returns the schemas that one set of constraints has for a member. */
function schemasByName({ named, patterns, rest }: MemberRules, name: string): LocatedSchema[] {
  const own = named.get(name);
  const matching = patterns.filter(([pattern]) => matchesPattern(pattern, name)).map(([, schema]) => schema);
  if (own || matching.length > 0) return own ? [own, ...matching] : matching;
  return rest ? [rest] : [];
}

export function knownNames({ members, required }: ObjectShape): string[] {
  return [...new Set([...members.flatMap(({ named }) => [...named.keys()]), ...required])];
}

export function hasName({ members, required }: ObjectShape, name: string): boolean {
  return required.has(name) || rulesFor(members, name).some(({ named }) => named.has(name));
}

/**
 * Joins two lists without items of both: schemas that many paths lead to would otherwise double at each of them. An
 * `allOf` may have thousands of parts, and each adds few items to a long list.
 */
function unite<Item>(left: readonly Item[], right: readonly Item[]): readonly Item[] {
  if (right.length === 0 || left === right) return left;
  if (left.length === 0) return right;
  if (right.length > fewItems) return [...new Set([...left, ...right])];
  const added = right.filter((item) => !left.includes(item));
  return added.length === 0 ? left : [...left, ...added];
}

/** The longest list whose items are looked up one by one, which is then faster. */
const fewItems = 8;

/** Returns the shape of the values that have both shapes; `undefined` if there are certainly none. */
export function intersectShapes(left: Shape, right: Shape): Shape | undefined {
  if (left === right) return left;
  if (left.type !== right.type) return undefined;
  spend(1 + right.sources.length + left.sources.length / 20);
  const values = commonValues(left.values, right.values);
  if (values?.length === 0) return undefined;
  const joined: Record<string, unknown> = { ...left, values };
  for (const [name, own] of Object.entries(left)) {
    const join = joins.get(name);
    if (join) joined[name] = join(own as never, Reflect.get(right, name) as never); // of the constraint that it joins
  }
  if (left.type === "number" && right.type === "number") Object.assign(joined, excludeBounds(left, right));
  return joined as unknown as Shape; // with the members of one
}

type Join = (left: never, right: never) => unknown;

/** How the constraints of two shapes are joined, by their names. */
const joins: ReadonlyMap<string, Join> = new Map(
  [
    [Math.max, ["minimum", "minLength", "minItems", "minProperties"]] as const,
    [Math.min, ["maximum", "maxLength", "maxItems", "maxProperties"]] as const,
    [(left: boolean, right: boolean) => left || right, ["isInteger", "isUnique"]] as const,
    [(left: ReadonlySet<string>, right: ReadonlySet<string>) => new Set([...left, ...right]), ["required"]] as const,
    [unite, ["also", "not", "sources", "multiplesOf", "patterns", "formats", "mediaTypes", "encodings"]] as const,
    [unite, ["contents", "items", "contains", "members", "names"]] as const,
  ].flatMap(([join, names]) => names.map((name): [string, Join] => [name, join])),
);

function commonValues(left: Shape["values"], right: Shape["values"]): readonly Json[] | undefined {
  return left && right ? left.filter(toMembership(right)) : left ?? right;
}

/** Tells which of the common bounds of numbers are themselves invalid. */
function excludeBounds(...shapes: [NumberShape, NumberShape]): Partial<NumberShape> {
  const minimum = Math.max(...shapes.map((each) => each.minimum));
  const maximum = Math.min(...shapes.map((each) => each.maximum));
  return {
    isMinimumExcluded: shapes.some((each) => each.minimum === minimum && each.isMinimumExcluded),
    isMaximumExcluded: shapes.some((each) => each.maximum === maximum && each.isMaximumExcluded),
  };
}

/** Tests whether certainly no value has both shapes, judging by their kinds, bounds and required members. */
export function areDisjoint(left: Shape, right: Shape): boolean {
  if (left === right) return false;
  if (areOfOtherKinds(left, right)) return true;
  const common = intersectShapes(left, right);
  return common === undefined || isEmpty(common);
}

/** Tests whether two shapes have no type, no value or no tag in common. */
export function areOfOtherKinds(left: Shape, right: Shape): boolean {
  if (left === right) return false;
  if (left.type !== right.type || commonValues(left.values, right.values)?.length === 0) return true;
  spend();
  if (left.type !== "object" || right.type !== "object") return false;
  return [...left.required].filter((name) => right.required.has(name))
    .some((name) => haveOtherTags(tagsOf(left, name), tagsOf(right, name)));
}

/** Tests whether certainly no value has a shape, judging by its own bounds and the names of its members. */
export function isEmpty(shape: Shape): boolean {
  if (shape.values?.every((value) => isOutside(shape, value))) return true;
  switch (shape.type) {
    case "number":
      return !hasRange(shape);
    case "string":
      return shape.minLength > shape.maxLength;
    case "array":
      return shape.minItems > shape.maxItems;
    case "object":
      return Math.max(shape.minProperties, shape.required.size) > shape.maxProperties ||
        [...shape.required].some((name) => memberSchemas(shape, name).some(({ schema }) => schema === false));
    default:
      return false;
  }
}

function isOutside(shape: Shape, value: Json): boolean {
  if (typeof value === "string" && shape.type === "string") {
    const length = countCodePoints(value);
    return length < shape.minLength || length > shape.maxLength;
  }
  if (typeof value !== "number" || shape.type !== "number") return false;
  const { minimum, maximum, isMinimumExcluded, isMaximumExcluded } = shape;
  return value < minimum || value > maximum || (isMinimumExcluded && value === minimum) ||
    (isMaximumExcluded && value === maximum);
}

function hasRange(shape: NumberShape): boolean {
  const { minimum, maximum, isMinimumExcluded, isMaximumExcluded } = shape.isInteger ? toIntegers(shape) : shape;
  return minimum < maximum || (minimum === maximum && !isMinimumExcluded && !isMaximumExcluded);
}

/** Rounds the bounds of integers to integers. Those that are too large to have a next integer stay excluded. */
export function toIntegers(shape: NumberShape): NumberShape {
  const minimum = shape.isMinimumExcluded ? Math.floor(shape.minimum) + 1 : Math.ceil(shape.minimum);
  const maximum = shape.isMaximumExcluded ? Math.ceil(shape.maximum) - 1 : Math.floor(shape.maximum);
  return {
    ...shape,
    minimum,
    isMinimumExcluded: shape.isMinimumExcluded && minimum === shape.minimum,
    maximum,
    isMaximumExcluded: shape.isMaximumExcluded && maximum === shape.maximum,
  };
}

/** Returns the allowed values of a member, if they are few and can identify the kind of an object. */
export function tagsOf(shape: ObjectShape, name: string): readonly Json[] | undefined {
  for (const { schema } of memberSchemas(shape, name)) {
    if (!isSchemaObject(schema)) continue;
    if (schema.const !== undefined) return [schema.const];
    if (Array.isArray(schema.enum)) return schema.enum;
  }
}

function haveOtherTags(left: readonly Json[] | undefined, right: readonly Json[] | undefined): boolean {
  return left !== undefined && right !== undefined && commonValues(left, right)?.length === 0;
}
