/** Writes types as JSON Schemas of draft 2020-12. */
import type { Json, JsonObject } from "../json_schema/json.ts";
import { toObject } from "../openapi/part.ts";
import type { Shape } from "./shape.ts";

/** Returns the JSON Schema of a type. References lead to `$defs`, under the names that `nameOf` returns. */
export function toJsonSchema(shape: Shape, nameOf: (key: string) => string): JsonObject {
  const { description, deprecated, default: fallback } = shape;
  return {
    ...toCore(shape, (part) => toJsonSchema(part, nameOf), nameOf),
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

function toCore(shape: Shape, inner: (part: Shape) => JsonObject, nameOf: (key: string) => string): JsonObject {
  switch (shape.kind) {
    case "unknown":
      return {};
    case "never":
      return { not: {} };
    case "null":
    case "boolean":
      return { type: shape.kind };
    case "string":
      return toKeywords("string", shape);
    case "file":
      return { type: "string", format: "binary" };
    case "number": {
      const { isInteger, ...keywords } = shape;
      return toKeywords(isInteger ? "integer" : "number", keywords);
    }
    case "literal":
      return { enum: shape.values };
    case "array": {
      const { items, ...keywords } = shape;
      return { ...toKeywords("array", keywords), items: inner(items) };
    }
    case "tuple": {
      const { length } = shape.items;
      return {
        type: "array",
        prefixItems: shape.items.map(inner),
        items: shape.rest ? inner(shape.rest) : false,
        minItems: length,
      };
    }
    case "object": {
      const required = shape.properties.filter(({ isRequired }) => isRequired).map(({ name }) => name);
      const { others } = shape;
      return {
        type: "object",
        properties: toObject(shape.properties.map((property) => [property.name, inner(property.shape)] as const)),
        ...(required.length > 0 && { required }),
        ...(typeof others === "object" && { additionalProperties: inner(others) }),
        ...(others === "closed" && { additionalProperties: false }),
        ...(others === "open" && { additionalProperties: true }),
      };
    }
    case "union":
      return { anyOf: shape.members.map(inner) };
    case "intersection":
      return { allOf: shape.members.map(inner) };
    case "reference":
      return { $ref: `#/$defs/${nameOf(shape.key)}` };
    case "text":
      return inner(shape.of);
    case "template":
      return { type: "string", pattern: toPattern(shape.parts) };
  }
}

/** Returns the keywords of a scalar or a list besides its type and its notes. */
function toKeywords(
  type: string,
  { kind: _, description: _text, deprecated: _old, default: _value, ...keywords }: object & {
    readonly kind: string;
    readonly description?: unknown;
    readonly deprecated?: unknown;
    readonly default?: unknown;
  },
): JsonObject {
  return { type, ...keywords as Record<string, Json> }; // their names are those of JSON Schema
}

function toPattern(parts: readonly (string | undefined)[]): string {
  const escaped = parts.map((part) => part === undefined ? "[^]+" : part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return `^${escaped.join("")}$`;
}
