import {
  isEqual,
  isSchemaObject,
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  listKeywords,
  namedKeywords,
  namedSchemas,
  schemaList,
  singleKeywords,
  toSchema,
} from "./json.ts";
import { createMemo, followReference, type LocatedSchema, locatePart, mostLevels, type WholeSchema } from "./locate.ts";
import { spend } from "./steps.ts";

/** Keywords that never reject a value. */
const annotations: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$vocabulary",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "examples",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
  "discriminator",
  "externalDocs",
  "xml",
]);

/** Pairs of schemas that are being compared, by their ids. Recursive schemas are equal unless another part differs. */
interface Pairs {
  readonly assumed: Set<string>;
  /** How deeply the comparison is nested. */
  level: number;
}

/**
 * Tests whether two schemas, possibly of different whole schemas, are certainly equivalent for senders and readers.
 * References are resolved. Annotations are ignored, and so is whether described objects are closed.
 */
export function areSame(left: LocatedSchema, right: LocatedSchema, pairs?: Pairs): boolean {
  const [one, other] = [resolveAlias(left), resolveAlias(right)];
  if (!hasKeywords(one) || !hasKeywords(other)) return one.schema === other.schema;
  const pair = `${one.id} ${other.id}`;
  const known = knownPairs(one, other);
  const before = known.get(pair) ?? (pairs?.assumed.has(pair) || undefined);
  if (before !== undefined) return before;
  spend();
  const own = pairs ?? { assumed: new Set(), level: 0 };
  own.assumed.add(pair);
  own.level++;
  const isSame = own.level <= mostLevels && haveSameKeywords(one, other, own);
  own.level--;
  if (!isSame) known.set(pair, false);
  // The comparison of the first pair has ended, so everything that it assumed is proven.
  if (isSame && !pairs) { for (const each of own.assumed) known.set(each, true); }
  return isSame;
}

/** The results of {@linkcode areSame}, by the other whole schema and the ids of both schemas. */
const knownComparisons = createMemo(() => new Map<WholeSchema, Map<string, boolean>>());

/** Returns the pairs of subschemas of two whole schemas that have been compared, and whether they are the same. */
function knownPairs({ whole }: LocatedSchema, other: LocatedSchema): Map<string, boolean> {
  const all = knownComparisons(whole);
  const pairs = all.get(other.whole) ?? new Map<string, boolean>();
  all.set(other.whole, pairs);
  return pairs;
}

/** A schema that is an object of keywords. */
interface LocatedKeywords extends LocatedSchema {
  readonly schema: JsonSchemaObject;
}

function hasKeywords(located: LocatedSchema): located is LocatedKeywords {
  return isSchemaObject(located.schema);
}

function haveSameKeywords(one: LocatedKeywords, other: LocatedKeywords, pairs: Pairs): boolean {
  const [keywords, others] = [keywordsOf(one.schema), keywordsOf(other.schema)];
  return keywords.length === others.length && keywords.every((keyword) => others.includes(keyword)) &&
    keywords.every((keyword) => isSameKeyword(keyword, one, other, pairs));
}

/** Returns the target of a reference without other keywords. */
export function resolveAlias(located: LocatedSchema, hops = 0): LocatedSchema {
  const { schema } = located;
  if (!isSchemaObject(schema) || typeof schema.$ref !== "string" || hops > 100) return located;
  return keywordsOf(schema).length === 1 ? resolveAlias(followReference(located, schema.$ref), hops + 1) : located;
}

function keywordsOf(schema: JsonSchemaObject): string[] {
  return Object.keys(schema).filter((keyword) => !annotations.has(keyword) && !closes(schema, keyword));
}

/** Tests whether a keyword only closes an object that is described, which every sender treats as closed anyway. */
function closes(schema: JsonSchemaObject, keyword: string): boolean {
  return (keyword === "additionalProperties" || keyword === "unevaluatedProperties") && schema[keyword] === false &&
    schema.properties !== undefined;
}

/** Keywords whose schemas apply to the same value. Such a schema also closes the object to the members of the others. */
const inPlaceKeywords = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/** Tests whether both or none of two schemas close their objects. */
function closeAlike(one: LocatedSchema, other: LocatedSchema): boolean {
  const [left, right] = [one, other].map((located) => {
    const { schema } = resolveAlias(located);
    return isSchemaObject(schema) ? Object.keys(schema).filter((keyword) => closes(schema, keyword)).sort().join() : "";
  });
  return left === right;
}

function isSameKeyword(keyword: string, one: LocatedKeywords, other: LocatedKeywords, pairs: Pairs): boolean {
  const [left, right] = [one.schema[keyword], other.schema[keyword]];
  const areSameParts = (first: LocatedSchema, second: LocatedSchema) =>
    (!inPlaceKeywords.includes(keyword) || closeAlike(first, second)) && areSame(first, second, pairs);
  const isSame = (first: JsonSchema, second: JsonSchema) =>
    areSameParts(locatePart(one, first), locatePart(other, second));
  if (keyword === "$ref" && typeof left === "string" && typeof right === "string") {
    return areSameParts(followReference(one, left), followReference(other, right));
  }
  if (singleKeywords.includes(keyword)) return isSame(toSchema(left), toSchema(right));
  if (listKeywords.includes(keyword)) return isSameList(schemaList(left), schemaList(right), isSame);
  if (!namedKeywords.includes(keyword)) return isEqual(left as Json, right as Json); // schemas are JSON
  const [names, more] = [new Map(namedSchemas(left)), new Map(namedSchemas(right))];
  return names.size === more.size &&
    [...names].every(([name, part]) => {
      const other = more.get(name);
      return other !== undefined && isSame(part, other);
    });
}

function isSameList(
  left: readonly JsonSchema[],
  right: readonly JsonSchema[],
  isSame: (first: JsonSchema, second: JsonSchema) => boolean,
): boolean {
  return left.length === right.length && left.every((part, index) => isSame(part, right[index]!));
}
