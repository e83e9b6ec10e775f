/** Compares what schemas of a document accept with what the written ones do. */
import { createChoices } from "../../src/tools/json_schema/choices.ts";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";
import { type LocatedSchema, locateSchema } from "../../src/tools/json_schema/locate.ts";
import { findSample } from "../../src/tools/json_schema/sample.ts";
import { sampleBoundaries } from "../../src/tools/json_schema/sample_boundaries.ts";
import { subset } from "../../src/tools/json_schema/subset.ts";
import { isValid } from "../../src/tools/json_schema/validate.ts";
import { convertSchema } from "../../src/tools/openapi/slot_schemas.ts";
import type { Schema } from "../../src/schema.ts";
import { components } from "./random_schemas.ts";

/** The schema of an operation, with the schemas that it refers to. */
function locate(schema: JsonSchema): LocatedSchema {
  const own = typeof schema === "boolean" ? { allOf: [schema] } : schema;
  return locateSchema({ ...own, components: { schemas: components } } as JsonSchema);
}

/** The differences between a schema of the document and a written one, which may accept more if that is named. */
export async function compareValues(document: JsonSchema, schema: Schema, isUnchecked: boolean): Promise<string[]> {
  const original = locate(document);
  const written = locateSchema(convertSchema(schema, "input"));
  const found = compareSchemas(original, written, isUnchecked);
  for (const value of valuesOf(original, written)) {
    const isExpected = isValid(original, value);
    if (!isExpected && isUnchecked) continue;
    const { issues, value: output } = await validate(schema, value);
    if (output === faulty) continue;
    if ((issues === undefined) !== isExpected) {
      found.push(`${isExpected ? "refuses" : "accepts"} ${JSON.stringify(value)}`);
    } else if (!isUnchecked && isExpected && !isValid(original, JSON.parse(JSON.stringify(output)))) {
      found.push(`makes ${JSON.stringify(output)} of ${JSON.stringify(value)}`);
    }
  }
  return found;
}

/** The output for a value of which ArkType does not decide. */
const faulty = Symbol("faulty");

/**
 * Validates a value. ArkType 2.2 throws where a map is one of several types and two of its values are of another type
 * than its values have: after the first of them it does not see that the second one is no object, and reads its
 * properties. A server answers such a value with an error, and never accepts it.
 */
async function validate(schema: Schema, value: Json): Promise<{ readonly issues?: unknown; readonly value?: unknown }> {
  try {
    return await schema["~standard"].validate(value);
  } catch (error) {
    if (schema["~standard"].vendor === "arktype" && readsNoObject.test(String(error))) return { value: faulty };
    throw error;
  }
}

/** What reading the properties or the length of what is no object throws. */
const readsNoObject =
  /^TypeError: Cannot (?:use 'in' operator|convert undefined or null to object|read properties of null)/;

/** What subset() refutes in both directions. */
function compareSchemas(original: LocatedSchema, written: LocatedSchema, isUnchecked: boolean): string[] {
  const isBeyond = /"enum":.*"min|"(?:m|exclusiveM)inimum":[^{}]*"multipleOf"/.test(JSON.stringify(original.schema));
  if (isBeyond) return []; // subset() does not see that no value is left
  const isSafe = (bound: unknown) => Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER; // Zod's integers are
  const refuted = (one: LocatedSchema, other: LocatedSchema, direction: string) =>
    subset(one, other).filter(({ verdict, reader }) => verdict === "refuted" && !isSafe(reader))
      .map(({ path, keyword }) => `${direction}: ${path.join("/")} ${keyword}`);
  return [...refuted(original, written, "narrower"), ...isUnchecked ? [] : refuted(written, original, "wider")];
}

/** Samples and boundary values of schemas, and values of all types. */
function valuesOf(...schemas: readonly LocatedSchema[]): Json[] {
  const values = schemas.flatMap((schema) => [
    ...Iterator.from(sampleBoundaries(schema)).take(60),
    ...Array.from({ length: 5 }, (_, index) => findSample(schema, createChoices(index))),
  ]).filter((value) => value !== undefined);
  return [...new Map([...values, ...usual].map((value) => [JSON.stringify(value), value])).values()].filter(isAlike);
}

const usual: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 2, 3, 0.3, "", "a", "b", "ab", "abcd", "1", "true"],
  ...[[], [null], [1, 2], ["a"], {}, { a: null }, { a: "a" }, { a: 1, b: "b" }, { kind: "a" }],
];

/** Libraries count UTF-16 units, have safe integers, and read what objects inherit. */
function isAlike(value: Json): boolean {
  return !/[\ud800-\udfff]|\\ud[89a-f]|\d{16}|e\+|"(?:__proto__|constructor|toString)"/.test(JSON.stringify(value));
}

/** The texts for which a written schema decides otherwise than the document. */
export async function compareTexts(document: JsonSchema, schema: Schema, isUnchecked: boolean): Promise<string[]> {
  const original = locate(document);
  const found: string[] = [];
  const texts = new Map(valuesOf(original).filter(hasText).map(toText).map((text) => [JSON.stringify(text), text]));
  for (const text of texts.values()) {
    const isExpected = readText(text).some((value) => isValid(original, value));
    if (!isExpected && isUnchecked) continue;
    const { issues } = await schema["~standard"].validate({ q: text });
    if ((issues === undefined) !== isExpected) {
      found.push(`${isExpected ? "refuses" : "accepts"} ${JSON.stringify(text)}`);
    }
  }
  return found;
}

/** Null has no text, and a long list has many meanings. */
function hasText(value: Json): boolean {
  const text = JSON.stringify(value);
  return text.length < 60 && !text.includes("null");
}

function toText(value: Json): Json {
  if (Array.isArray(value)) return value.map(toText);
  if (typeof value !== "object" || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toText(each)]));
}

/** The values that a text may mean: itself, and a number or a boolean. */
function readText(text: Json): Json[] {
  if (typeof text === "object" && text !== null) {
    let all: Record<string, Json>[] = [{}];
    for (const [name, item] of Object.entries(text)) {
      all = all.flatMap((members) => readText(item).map((value) => ({ ...members, [name]: value })));
    }
    return Array.isArray(text) ? all.map((members) => Object.values(members)) : all;
  }
  const plain = String(text);
  const isNumber = plain.trim() !== "" && Number.isFinite(Number(plain));
  return [
    plain,
    ...isNumber ? [Number(plain)] : [],
    ...plain === "true" || plain === "false" ? [plain === "true"] : [],
  ];
}
