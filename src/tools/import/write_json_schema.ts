/** Writes types as JSON Schemas of draft 2020-12. */
import type { Json, JsonObject } from "../json_schema/json.ts";
import { present, toObject } from "../openapi/part.ts";
import type { Model, ObjectModel } from "./model.ts";

/** Returns the JSON Schema of a type. References lead to `$defs`, under the names that `nameOf` returns. */
export function toJsonSchema(model: Model, nameOf: (key: string) => string): JsonObject {
  const { description, deprecated, default: fallback } = model;
  return {
    ...toCore(model, (part) => toJsonSchema(part, nameOf), nameOf),
    ...present({ description, deprecated: deprecated || undefined, default: fallback }),
  };
}

function toCore(model: Model, inner: (part: Model) => JsonObject, nameOf: (key: string) => string): JsonObject {
  switch (model.kind) {
    case "unknown":
      return {};
    case "never":
      return { not: {} };
    case "null":
    case "boolean":
      return { type: model.kind };
    case "string":
      return toKeywords("string", model);
    case "file":
      return { type: "string", format: "binary" };
    case "number": {
      const { isInteger, ...keywords } = model;
      return toKeywords(isInteger ? "integer" : "number", keywords);
    }
    case "literal":
      return { enum: model.values };
    case "array": {
      const { items, ...keywords } = model;
      return { ...toKeywords("array", keywords), items: inner(items) };
    }
    case "tuple": {
      const { length } = model.items;
      return {
        type: "array",
        prefixItems: model.items.map(inner),
        items: model.rest ? inner(model.rest) : false,
        minItems: length,
      };
    }
    case "object":
      return toMembers(model, inner);
    case "union":
      return { anyOf: model.members.map(inner) };
    case "intersection":
      return { allOf: model.members.map(inner) };
    case "reference":
      return { $ref: `#/$defs/${nameOf(model.key)}` };
    case "text":
      return inner(model.of);
    case "template":
      return { type: "string", pattern: toPattern(model.parts) };
  }
}

function toMembers(
  { properties, others, minProperties, maxProperties }: ObjectModel,
  inner: (part: Model) => JsonObject,
): JsonObject {
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: "object",
    properties: toObject(properties.map(({ name, model }) => [name, inner(model)] as const)),
    ...(required.length > 0 && { required }),
    ...(typeof others === "object" && { additionalProperties: inner(others) }),
    ...(others === "closed" && { additionalProperties: false }),
    ...(others === "open" && { additionalProperties: true }),
    ...present({ minProperties, maxProperties }),
  };
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
