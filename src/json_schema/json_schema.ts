/** A JSON Schema in the dialect that OpenAPI 3.1 and 3.2 share: draft 2020-12 with OpenAPI's own vocabulary. */
export type JsonSchema = boolean | JsonSchemaObject;

/** A JSON Schema that is an object of keywords. */
export interface JsonSchemaObject {
  /** A keyword, like `type` or `properties`. */
  readonly [keyword: string]: unknown;
}

/** Whether a value is a schema with keywords. */
export function isSchemaObject(value: unknown): value is JsonSchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
  return isSchemaObject(value) ? Object.entries(value) as [string, JsonSchema][] : [];
}
