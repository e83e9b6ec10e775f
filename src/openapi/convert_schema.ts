import { isCodec } from "../contract/codec.ts";
import { type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { type Schema } from "../schema.ts";

/** The part of [Standard JSON Schema](https://standardschema.dev/json-schema) that documents use. */
interface Convertible {
  readonly vendor: string;
  readonly jsonSchema?: Readonly<Record<"input" | "output", (options: ConvertOptions) => unknown>>;
}

interface ConvertOptions {
  readonly target: "draft-2020-12";
  /** Options that only one library understands. */
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/**
 * Converts one side of a schema to JSON Schema. For a codec it converts the wire schema. Throws if the schema does not
 * convert.
 */
export function convertSchema(schema: Schema, direction: "input" | "output"): JsonSchemaObject {
  const standard = (isCodec(schema) ? schema.wire : schema)["~standard"] as Convertible;
  if (standard.jsonSchema === undefined) {
    throw new TypeError(`schemas of ${standard.vendor} do not implement Standard JSON Schema`);
  }
  const libraryOptions = standard.vendor === "arktype" ? { libraryOptions: { fallback: convertArkType } } : {};
  const converted = standard.jsonSchema[direction]({ target: "draft-2020-12", ...libraryOptions });
  return copyJson(converted) as JsonSchemaObject;
}

/** Returns a copy of a value as JSON. Throws if JSON cannot represent it. */
export function copyJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
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
function convertArkType({ code, base, proto, unit }: ArkTypePart): JsonSchemaObject {
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
