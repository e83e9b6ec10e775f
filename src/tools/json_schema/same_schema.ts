import { annotationKeywords, isEqual, isSchemaObject, type Json, type JsonSchemaObject, listParts } from "./json.ts";
import { acceptsFormat } from "./format_language.ts";
import { followReference, type LocatedSchema, locatePart, memoOfPairs } from "./locate.ts";
import { spend } from "./steps.ts";

/** Keywords that never reject a value. */
const silent: ReadonlySet<string> = new Set([
  ...annotationKeywords,
  ...["$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$comment", "$defs", "definitions"],
]);

interface Pair {
  readonly key: string;
  readonly one: LocatedSchema;
  readonly other: LocatedSchema;
}

/**
 * Tests whether two schemas, possibly of different whole schemas, are certainly equivalent for senders and readers.
 * References are resolved. Annotations are ignored, and so is whether described objects are closed.
 *
 * Recursive schemas are equal unless another part differs. So all pairs that the schemas lead to are compared by
 * themselves, and those that lead to a different one are different too. They are in a list, because schemas that refer
 * to each other lead more levels deep than a stack has.
 */
export function areSame(left: LocatedSchema, right: LocatedSchema): boolean {
  const known = knownPairs(left, right);
  const first = toPair(left, right);
  const before = known.get(first.key);
  if (before !== undefined) return before;
  if (!partsOf(first.one, first.other)) { // most have none, and an allOf may have thousands
    spend();
    known.set(first.key, false);
    return false;
  }
  const containers = new Map<string, string[]>([[first.key, []]]); // the pairs that contain each
  const different: string[] = [];
  const waiting = [first];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const { key, one, other } = pair;
    spend();
    const result = known.get(key);
    const parts = result === undefined ? partsOf(one, other) : result ? [] : undefined;
    if (!parts) different.push(key);
    for (const [part, otherPart] of parts ?? []) {
      const below = toPair(part, otherPart);
      const above = containers.get(below.key);
      if (above) above.push(key);
      else {
        containers.set(below.key, [key]);
        waiting.push(below);
      }
    }
  }
  const found = new Set(different);
  for (const key of found) for (const container of containers.get(key) ?? []) found.add(container);
  for (const key of containers.keys()) known.set(key, !found.has(key));
  return !found.has(first.key);
}

function toPair(left: LocatedSchema, right: LocatedSchema): Pair {
  const [one, other] = [resolveAlias(left), resolveAlias(right)];
  return { key: `${one.id} ${other.id}`, one, other };
}

/** The results of {@linkcode areSame}, by the ids of both schemas. */
const knownPairs = /* @__PURE__ */ memoOfPairs<boolean>();

/** Parts of two schemas that must be the same. */
type PairedParts = readonly (readonly [LocatedSchema, LocatedSchema])[];

/** Returns the parts of two schemas that have the same keywords; `undefined` if they certainly differ. */
function partsOf(one: LocatedSchema, other: LocatedSchema): PairedParts | undefined {
  const [left, right] = [one.schema, other.schema];
  if (!isSchemaObject(left) || !isSchemaObject(right)) return left === right ? [] : undefined;
  const [keywords, others] = [keywordsBeside(left, right), keywordsBeside(right, left)];
  if (keywords.length !== others.length || !keywords.every((keyword) => others.includes(keyword))) return undefined;
  const parts: (readonly [LocatedSchema, LocatedSchema])[] = [];
  for (const keyword of keywords) {
    const found = partsOfKeyword(keyword, [one, left[keyword]], [other, right[keyword]]);
    if (!found) return undefined;
    parts.push(...found);
  }
  return parts;
}

/** Returns the target of a reference without other keywords. */
export function resolveAlias(located: LocatedSchema, hops = 0): LocatedSchema {
  const { schema } = located;
  if (!isSchemaObject(schema) || typeof schema.$ref !== "string" || hops > 100) return located;
  return keywordsOf(schema).length === 1 ? resolveAlias(followReference(located, schema.$ref), hops + 1) : located;
}

/**
 * Returns the keywords of a schema that count beside those of another one. A library writes a pattern for a format,
 * where others have only the format.
 */
function keywordsBeside(schema: JsonSchemaObject, other: JsonSchemaObject): string[] {
  const { format, pattern } = schema;
  const isImplied = typeof pattern === "string" && other.pattern === undefined &&
    typeof format === "string" && format === other.format && acceptsFormat(pattern, format);
  return keywordsOf(schema).filter((keyword) => keyword !== "pattern" || !isImplied);
}

function keywordsOf(schema: JsonSchemaObject): string[] {
  return Object.keys(schema).filter((keyword) => !silent.has(keyword) && !closes(schema, keyword));
}

/** Tests whether a keyword only closes an object that is described, which every sender treats as closed anyway. */
function closes(schema: JsonSchemaObject, keyword: string): boolean {
  return (keyword === "additionalProperties" || keyword === "unevaluatedProperties") && schema[keyword] === false &&
    schema.properties !== undefined;
}

/** Keywords whose schemas apply to the same value. Such a schema also closes the object to the members of the others. */
const inPlaceKeywords = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

function closeAlike(one: LocatedSchema, other: LocatedSchema): boolean {
  const [left, right] = [one, other].map((located) => {
    const { schema } = resolveAlias(located);
    return isSchemaObject(schema) ? Object.keys(schema).filter((keyword) => closes(schema, keyword)).sort().join() : "";
  });
  return left === right;
}

function partsOfKeyword(
  keyword: string,
  [one, left]: readonly [LocatedSchema, unknown],
  [other, right]: readonly [LocatedSchema, unknown],
): PairedParts | undefined {
  const isInPlace = inPlaceKeywords.includes(keyword);
  const check = (parts: PairedParts) => isInPlace && !parts.every((pair) => closeAlike(...pair)) ? undefined : parts;
  if (keyword === "$ref" && typeof left === "string" && typeof right === "string") {
    return check([[followReference(one, left), followReference(other, right)]]);
  }
  const [parts, others] = [listParts(keyword, left), new Map(listParts(keyword, right))];
  if (parts.length === 0) return isEqual(left as Json, right as Json) ? [] : undefined; // schemas are JSON
  if (parts.length !== others.size || !parts.every(([step]) => others.has(step))) return undefined;
  return check(parts.map(([step, part]) => [locatePart(one, part), locatePart(other, others.get(step)!)]));
}
