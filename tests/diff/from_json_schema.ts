import type { JsonSchemaObject } from "../../src/tools/json_schema/json.ts";
import { type LocatedSchema, locateSchema } from "../../src/tools/json_schema/locate.ts";
import { listFailures } from "../../src/tools/json_schema/validate.ts";
import type { Schema } from "../../src/schema.ts";

/**
 * A schema of any library that validates with a JSON Schema, and converts to it. A rule of its member `a` may reject
 * more.
 */
export function fromJsonSchema<Value = unknown>(
  schema: JsonSchemaObject,
  refuses: (value: Value) => boolean = () => false,
): Schema<Value> {
  let located: LocatedSchema | undefined; // when it is needed, because locating rejects a deeply nested schema
  const standard = {
    version: 1,
    vendor: "test",
    validate: (value: unknown) => {
      const issues = listFailures(located ??= locateSchema(schema), value as never).map(({ path, message }) => ({
        path,
        message,
      }));
      if (issues.length > 0) return { issues };
      return refuses(value as Value) ? { issues: [{ path: ["a"], message: "is refused" }] } : { value };
    },
    jsonSchema: { input: () => schema, output: () => schema },
  };
  return { "~standard": standard as unknown as Schema<Value>["~standard"] };
}
