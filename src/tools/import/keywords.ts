/** The keywords of schemas that concern values of all types, and those that no schema library expresses. */
import type { Json } from "../json_schema/json.ts";
import type { DocumentPlace } from "../openapi/operations.ts";
import { isPart, type Part, present, toList, toPart, toText } from "../openapi/part.ts";
import type { Reporter } from "./report.ts";
import { type Model, type Notes, toUnion } from "./model.ts";

/** Keywords that no schema library expresses in a type. */
export const droppedKeywords: readonly string[] =
  ("not if patternProperties propertyNames dependentRequired dependentSchemas contains uniqueItems " +
    "unevaluatedItems minProperties maxProperties dependencies $dynamicRef $recursiveRef").split(" ");

/** When a keyword that is not expressed says nothing. */
const idleKeywords: Readonly<Record<string, (schema: Part) => boolean>> = {
  if: ({ then: met, else: unmet }) => (met ?? true) === true && (unmet ?? true) === true,
  uniqueItems: ({ uniqueItems }) => uniqueItems === false,
  unevaluatedItems: ({ unevaluatedItems }) => unevaluatedItems === true,
  minProperties: ({ minProperties }) => minProperties === 0,
  not: ({ not }) => not === false,
  propertyNames: ({ propertyNames }) => propertyNames === true,
};

/** Keywords whose values are numbers. OpenAPI 3.0 has booleans for exclusive bounds. */
const numericKeywords =
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems".split(" ");

/** Reports the keywords of a schema that are not expressed, and those that are ignored. */
export function reportKeywords(schema: Part, place: DocumentPlace, reporter: Reporter): void {
  for (const keyword of droppedKeywords) {
    if (schema[keyword] !== undefined && !idleKeywords[keyword]?.(schema)) reporter.add("unchecked", place, keyword);
  }
  for (const keyword of numericKeywords) {
    const value = schema[keyword];
    const isFlag = typeof value === "boolean" && keyword.startsWith("exclusive");
    if (value !== undefined && !isFlag && toNumber(value) === undefined) {
      reporter.add("faults", place, `${keyword} is not a number; it is ignored`);
    }
  }
}

/** Returns a number that JavaScript does not read as infinite, such as `1e400`. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function readNotes({ description, title, deprecated, ...schema }: Part): Notes {
  const isReference = schema.$ref !== undefined || toList(schema.allOf).length === 1; // whose target has its own
  const text = toText(description) ?? (isReference ? undefined : toText(title));
  return {
    ...present({ description: text }),
    ...(deprecated === true && { deprecated }),
    ...("default" in schema && isJson(schema.default) && { default: schema.default }),
  };
}

/** Documents are JSON, unless a program passes something else. */
function isJson(value: unknown): value is Json {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol" && typeof value !== "bigint";
}

export function listTypes({ type }: Part): readonly unknown[] {
  return type === undefined || type === null ? [] : [type].flat();
}

/** Returns whether a schema of OpenAPI 3.0 or Swagger 2.0 accepts null besides the values of its type. */
export function hasNullFlag(schema: Part): boolean {
  return schema.nullable === true || schema["x-nullable"] === true;
}

export function isNullable(schema: Part): boolean {
  const isListed = schema.enum === undefined && schema.const === undefined;
  return hasNullFlag(schema) || (listTypes(schema).includes("null") && isListed) || toList(schema.enum).includes(null);
}

/** Returns a type that accepts null too, if its schema does. */
export function withNull(model: Model, schema: Part): Model {
  return isNullable(schema) && model.kind !== "null" ? toUnion([model, { kind: "null" }]) : model;
}

export function isOnlyNotes(value: unknown): boolean {
  return isPart(value) &&
    Object.keys(value).every((name) => ["description", "title", "example", "default"].includes(name));
}

export function isOnlyRequired(value: unknown): boolean {
  const names = Object.keys(toPart(value));
  return names.length > 0 && names.every((name) => name === "required" || name === "not" || name === "title");
}

/** Returns whether a member of a choice means null: OpenAPI 3.0 has no other way to say it. */
export function isOnlyNull(value: unknown): boolean {
  const { nullable, ...rest } = toPart(value);
  return nullable === true && Object.keys(rest).length === 0;
}

/** Returns whether a schema is a reference, with no more than what is said about it. */
export function isReference(value: unknown): value is Part & { readonly $ref: string } {
  const { $ref, ...others } = toPart(value);
  return typeof $ref === "string" && isOnlyNotes(others);
}
