/** A JSON Schema of the dialect that OpenAPI 3.1 and 3.2 share (draft 2020-12, with OpenAPI's own vocabulary). */
export type JsonSchema = boolean | JsonSchemaObject;

/** A JSON Schema that is an object of keywords. */
export interface JsonSchemaObject {
  /** A keyword, like `type` or `properties`. */
  readonly [keyword: string]: unknown;
}

/** Whether a value is a schema that has keywords. */
export function isSchemaObject(value: unknown): value is JsonSchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schemas of a keyword whose value is a list of schemas; none where it is something else. */
export function schemaList(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value : [];
}

/** The schemas by name of a keyword whose value is an object of schemas; none where it is something else. */
export function namedSchemas(value: unknown): readonly (readonly [string, JsonSchema])[] {
  return isSchemaObject(value) ? Object.entries(value) as [string, JsonSchema][] : [];
}
