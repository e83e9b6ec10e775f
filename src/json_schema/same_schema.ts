import {
  isEqual,
  isSchemaObject,
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  namedSchemas,
  schemaList,
} from "./json.ts";
import {
  followReference,
  listKeywords,
  type LocatedSchema,
  locatePart,
  mostLevels,
  namedKeywords,
  singleKeywords,
  type WholeSchema,
} from "./locate.ts";
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
 * Whether two schemas, possibly of different whole schemas, are certainly equivalent for senders and readers.
 * References are resolved. Annotations are ignored, and so is whether described objects are closed.
 */
export function areSame(left: LocatedSchema, right: LocatedSchema, pairs?: Pairs): boolean {
  const [one, other] = [resolveAlias(left), resolveAlias(right)];
  if (!isSchemaObject(one.schema) || !isSchemaObject(other.schema)) return one.schema === other.schema;
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

/** The pairs of subschemas of two whole schemas that have been compared, and whether they are the same. */
function knownPairs({ whole }: LocatedSchema, other: LocatedSchema): Map<string, boolean> {
  const all = whole.known.get("same") as Map<WholeSchema, Map<string, boolean>> | undefined ?? new Map();
  whole.known.set("same", all);
  const pairs = all.get(other.whole) ?? new Map<string, boolean>();
  all.set(other.whole, pairs);
  return pairs;
}

function haveSameKeywords(one: LocatedSchema, other: LocatedSchema, pairs: Pairs): boolean {
  const [keywords, others] = [one, other].map(({ schema }) => keywordsOf(schema as JsonSchemaObject));
  return keywords!.length === others!.length && keywords!.every((keyword) => others!.includes(keyword)) &&
    keywords!.every((keyword) => isSameKeyword(keyword, one, other, pairs));
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

/** Whether a keyword only closes an object that is described, which every sender treats as closed anyway. */
function closes(schema: JsonSchemaObject, keyword: string): boolean {
  return (keyword === "additionalProperties" || keyword === "unevaluatedProperties") && schema[keyword] === false &&
    schema.properties !== undefined;
}

/** Keywords whose schemas apply to the same value. Such a schema also closes the object to the members of the others. */
const inPlaceKeywords = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/** Whether both or none of two schemas close their objects. */
function closeAlike(one: LocatedSchema, other: LocatedSchema): boolean {
  const [left, right] = [one, other].map((located) => {
    const { schema } = resolveAlias(located);
    return isSchemaObject(schema) ? Object.keys(schema).filter((keyword) => closes(schema, keyword)).sort().join() : "";
  });
  return left === right;
}

function isSameKeyword(keyword: string, one: LocatedSchema, other: LocatedSchema, pairs: Pairs): boolean {
  const [left, right] = [one, other].map(({ schema }) => (schema as JsonSchemaObject)[keyword]);
  const areSameParts = (first: LocatedSchema, second: LocatedSchema) =>
    (!inPlaceKeywords.includes(keyword) || closeAlike(first, second)) && areSame(first, second, pairs);
  const isSame = (first: JsonSchema, second: JsonSchema) =>
    areSameParts(locatePart(one, first), locatePart(other, second));
  if (keyword === "$ref") {
    return areSameParts(followReference(one, left as string), followReference(other, right as string));
  }
  if (singleKeywords.includes(keyword)) return isSame(left as JsonSchema, right as JsonSchema);
  if (listKeywords.includes(keyword)) return isSameList(schemaList(left), schemaList(right), isSame);
  if (!namedKeywords.includes(keyword)) return isEqual(left as Json, right as Json);
  const [names, more] = [new Map(namedSchemas(left)), new Map(namedSchemas(right))];
  return names.size === more.size &&
    [...names].every(([name, part]) => more.has(name) && isSame(part, more.get(name)!));
}

function isSameList(
  left: readonly JsonSchema[],
  right: readonly JsonSchema[],
  isSame: (first: JsonSchema, second: JsonSchema) => boolean,
): boolean {
  return left.length === right.length && left.every((part, index) => isSame(part, right[index]!));
}
