/** Converts types of ArkType. */
import { type JsonSchemaObject, namedSchemas } from "../json_schema/json.ts";
import { mapReferences } from "./references.ts";
import type { Schema } from "../../schema.ts";
import { type ConversionRules, copySchema, type Direction, runConverter } from "./definitions.ts";

/** Converts one side of a type. */
export function convertArkType(
  type: Schema,
  direction: Direction,
  supplyPart: ConversionRules["supplyPart"],
): JsonSchemaObject {
  const fallback = (part: ArkTypePart): JsonSchemaObject => supplyPart?.(part) ?? convertPart(part);
  const found = copySchema(runConverter(type, direction, { fallback }));
  return markGenerated(direction === "input" ? withDefaults(type, found, supplyPart) : found);
}

/** Marks the names of definitions that ArkType numbered, such as `intersection12`. */
function markGenerated(schema: JsonSchemaObject): JsonSchemaObject {
  const { $defs, ...own } = schema;
  if ($defs === undefined) return schema;
  const mark = (name: string): string => /^[a-z]+\d+$/.test(name) ? `__${name}` : name;
  const rename = (reference: string): string => reference.replace(/^#\/\$defs\/([a-z]+\d+)(?=\/|$)/, "#/$defs/__$1");
  const definitions = namedSchemas($defs).map(([name, each]) => [mark(name), mapReferences(each, rename)]);
  return { ...mapReferences(own, rename), $defs: Object.fromEntries(definitions) };
}

/**
 * Returns the input of an ArkType type with its defaults, which the conversion of the whole type has. Morphs in it
 * convert as their input.
 */
function withDefaults(
  schema: Schema,
  input: JsonSchemaObject,
  supplyPart: ConversionRules["supplyPart"],
): JsonSchemaObject {
  const { toJsonSchema }: ConvertibleArkType = schema as object;
  const whole = toJsonSchema?.call(schema, {
    target: "draft-2020-12",
    fallback: (part) => supplyPart?.(part) ?? convertInputPart(part),
  });
  const text = JSON.stringify(whole) ?? "";
  return text.includes('"default":') ? copySchema(whole) : input;
}

/** Converts a part of the output to anything. The conversion of the input has refused what is part of that. */
function convertInputPart(part: ArkTypePart): JsonSchemaObject {
  try {
    return convertPart(part);
  } catch {
    return part.base;
  }
}

/** A type that converts as a whole, beside its two sides. */
interface ConvertibleArkType {
  readonly toJsonSchema?: (
    options: { readonly target: "draft-2020-12"; readonly fallback: (part: ArkTypePart) => JsonSchemaObject },
  ) => unknown;
}

/** A part of an ArkType type that JSON Schema cannot express. */
interface ArkTypePart {
  readonly code: string;
  readonly base: JsonSchemaObject;
  readonly proto?: { readonly name?: string };
  readonly unit?: unknown;
}

/**
 * Returns the JSON Schema of a part of an ArkType type that JSON Schema cannot express. ArkType's default accepts
 * everything, which is right for a narrowing check but wrong for a value that does not exist in JSON.
 */
function convertPart({ code, base, proto, unit }: ArkTypePart): JsonSchemaObject {
  if (code === "proto" && (proto?.name === "File" || proto?.name === "Blob")) {
    return { ...base, type: "string", format: "binary" };
  }
  if (code === "unit" && unit === undefined) return { not: {} }; // absent: no JSON value is undefined
  if (code === "proto") throw new TypeError(`JSON Schema cannot express ${proto?.name ?? "the object"}`);
  if (code === "domain" || code === "date" || code === "unit") {
    throw new TypeError(`JSON Schema cannot express the ${code}`);
  }
  return base;
}
