/** Schemas and JSON values: types, equality, and the arithmetic of their keywords. */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  /** Any JSON value, by the name of the member. */
  readonly [name: string]: Json;
}

export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

export const jsonTypes: readonly JsonType[] = ["null", "boolean", "number", "string", "array", "object"];

/** The types in sentences, by their names in schemas. */
export const typeNames: ReadonlyMap<string, string> = new Map([
  ["null", "null"],
  ["boolean", "true or false"],
  ["number", "a number"],
  ["integer", "an integer"],
  ["string", "a string"],
  ["array", "an array"],
  ["object", "an object"],
]);

export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType; // a Json value has no other types
}

/** Tests whether a value is an object and not a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isSchemaObject(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Tests whether two values are equal as JSON Schema defines it (draft 2020-12 core, section 4.2.2): the order of
 * members is irrelevant.
 */
export function isEqual(left: Json, right: Json): boolean {
  if (left === right) return true; // includes 0 and -0, which are the same number
  if (isJsonList(left)) {
    return isJsonList(right) && left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index]!));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const members = Object.entries(left);
  return members.length === Object.keys(right).length &&
    members.every(([name, value]) => Object.hasOwn(right, name) && isEqual(value, right[name]!));
}

/** Returns a test of whether a list, which may be long, has a value that equals another one. */
export function toMembership(values: readonly Json[]): (value: Json) => boolean {
  const scalars = new Set(values);
  const structures = values.filter((value) => typeof value === "object" && value !== null);
  const sizes = new Set(structures.map((each) => Object.keys(each!).length));
  const texts = new Set(structures.map((each) => formatCanonical(each, maxDepth)));
  return (value) => {
    if (scalars.has(value)) return true;
    if (typeof value !== "object" || value === null || !sizes.has(Object.keys(value).length)) return false;
    const text = formatCanonical(value, maxDepth);
    return text !== undefined && texts.has(text);
  };
}

/** The deepest values that are accepted. Deeper ones could overflow the stack. */
export const maxDepth = 512;

export function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = object;
  return others;
}

/** Returns a copy of an object with a member, which is its last one. */
export function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  return { ...without(object, name), [name]: value };
}

/** Returns the number of code points of a text, which JSON Schema counts as its length. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Tests whether a number is a multiple of another one, both as decimals: 0.3 is a multiple of 0.1.
 *
 * @throws {TypeError} If the factor is 0 or less, which JSON Schema does not allow, or too large for a number.
 */
export function isMultipleOf(value: number, factor: number): boolean {
  if (!(factor > 0 && factor < Infinity)) { // JSON has 1e400, which is Infinity
    const wanted = factor > 0 ? "finite" : "greater than 0";
    throw new TypeError(`Cannot read a JSON Schema: multipleOf must be ${wanted}, not ${factor}`);
  }
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const [left, right] = [toDecimal(value), toDecimal(factor)];
  const exponent = Math.min(left.exponent, right.exponent);
  return scale(left, exponent) % scale(right, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scale({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

/** Tests whether all items are different; `undefined` if one has more than so many levels. */
export function areUnique(items: readonly Json[], mostLevels: number): boolean | undefined {
  const texts = items.map((item) => formatCanonical(item, mostLevels));
  return texts.includes(undefined) ? undefined : new Set(texts).size === items.length;
}

/**
 * Returns JSON with members sorted by name, so that equal values have equal texts; `undefined` if the value is too
 * deep.
 */
function formatCanonical(value: Json, depth: number): string | undefined {
  const isList = isJsonList(value);
  if (!isList && !isJsonObject(value)) return JSON.stringify(value);
  if (depth === 0) return undefined;
  const parts = isList
    ? value.map((item) => formatCanonical(item, depth - 1))
    : Object.keys(value).sort().map((name) => {
      const part = formatCanonical(value[name]!, depth - 1);
      return part && `${JSON.stringify(name)}:${part}`;
    });
  if (parts.includes(undefined)) return undefined;
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`;
}

/** A JSON Schema in the dialect that OpenAPI 3.1 and 3.2 share: draft 2020-12 with OpenAPI's own vocabulary. */
export type JsonSchema = boolean | JsonSchemaObject;

/** A JSON Schema that is an object of keywords. */
export interface JsonSchemaObject {
  /** A keyword, like `type` or `properties`. */
  readonly [keyword: string]: unknown;
  /** The only valid value. */
  readonly const?: Json | undefined;
  /** The value of a part that is missing. */
  readonly default?: Json | undefined;
  /** A typical value. */
  readonly example?: Json | undefined;
}

/** Keywords that contain one schema, a list of schemas, and schemas by name. */
const [single, listed, named] = [
  [
    ...["not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames"],
    ...["unevaluatedItems", "unevaluatedProperties", "contentSchema"],
  ],
  ["allOf", "anyOf", "oneOf", "prefixItems"],
  ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"],
];

/** Keywords that contain schemas by name. */
export const namedKeywords: readonly string[] = named;

/** Lists the schemas in a keyword by the step that leads to each. */
export function listParts(keyword: string, value: unknown): readonly (readonly [step: string, part: JsonSchema])[] {
  if (single.includes(keyword)) return value === undefined ? [] : [["", toSchema(value)]];
  if (named.includes(keyword)) return namedSchemas(value);
  return listed.includes(keyword) ? schemaList(value).map((part, index) => [String(index), part]) : [];
}

/** Maps the schemas in a keyword. A value without any stays as it is. */
export function mapParts(
  keyword: string,
  value: unknown,
  map: (part: JsonSchema, step: string) => JsonSchema,
): unknown {
  if (single.includes(keyword)) return isJsonSchema(value) ? map(value, "") : value;
  const mapped = listParts(keyword, value).map(([step, part]) => [step, map(part, step)] as const);
  if (listed.includes(keyword)) return Array.isArray(value) ? mapped.map(([, part]) => part) : value;
  return named.includes(keyword) && isSchemaObject(value) ? Object.fromEntries(mapped) : value;
}

/** Lists the schemas directly inside a schema. */
export function listAllParts(schema: JsonSchemaObject): JsonSchema[] {
  return [...single, ...listed, ...named].flatMap((keyword) =>
    listParts(keyword, schema[keyword]).map(([, part]) => part)
  );
}

/** Keywords that say nothing about which values are valid. */
export const annotationKeywords: readonly string[] = [
  ...["title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly"],
  ...["externalDocs", "xml", "discriminator"],
];

/** Keywords that contain data instead of schemas. A `$ref` inside them is not a reference. */
export const dataKeywords: readonly string[] = ["const", "enum", "default", "examples", "example"];

export function isSchemaObject(value: unknown): value is JsonSchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isSchemaObject(value);
}

/**
 * Returns the schema of a keyword that contains one. Any other value, as invalid documents have it, counts as `true` or
 * `false`.
 */
export function toSchema(value: unknown): JsonSchema {
  return isJsonSchema(value) ? value : Boolean(value);
}

/** Returns the texts of a keyword that contains a list of texts; an empty list if the value is not a list. */
export function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns the schemas of a keyword that contains a list of schemas; an empty list if the value is not a list. */
export function schemaList(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Returns the schemas by name of a keyword that contains an object of schemas; an empty list if the value is not an
 * object.
 */
export function namedSchemas(value: unknown): readonly (readonly [string, JsonSchema])[] {
  return isSchemaObject(value) ? Object.entries(value).map(([name, part]) => [name, toSchema(part)]) : [];
}

const integerFormats: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  uint8: [0, 2 ** 8 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  uint16: [0, 2 ** 16 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
};

/**
 * Returns the least and the most integer of a format (OpenAPI Format Registry). `undefined` for any other format:
 * `int64` and `double` have more than JSON libraries read.
 */
export function integerRange(format: unknown): readonly [least: number, most: number] | undefined {
  return typeof format === "string" && Object.hasOwn(integerFormats, format) ? integerFormats[format] : undefined;
}
