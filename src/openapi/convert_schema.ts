import { isCodec } from "../contract/codec.ts";
import { type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { type Schema } from "../schema.ts";

/** The part of [Standard JSON Schema](https://standardschema.dev/json-schema) that documents ask for. */
interface Convertible {
  readonly vendor: string;
  readonly jsonSchema?: Readonly<Record<"input" | "output", (options: ConvertOptions) => unknown>>;
}

interface ConvertOptions {
  readonly target: "draft-2020-12";
  /** What one library alone understands. */
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/** The JSON Schema of one side of a schema, a codec's by its wire schema; throws where there is none. */
export function convertSchema(schema: Schema, direction: "input" | "output"): JsonSchemaObject {
  const standard = (isCodec(schema) ? schema.wire : schema)["~standard"] as Convertible;
  if (standard.jsonSchema === undefined) {
    throw new TypeError(`schemas of ${standard.vendor} do not convert themselves (they are no Standard JSON Schema)`);
  }
  const libraryOptions = standard.vendor === "arktype" ? { libraryOptions: { fallback: convertArkType } } : {};
  const converted = standard.jsonSchema[direction]({ target: "draft-2020-12", ...libraryOptions });
  return copyJson(converted) as JsonSchemaObject;
}

/** What JSON keeps of a value; throws where JSON cannot carry it. */
export function copyJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A part of an ArkType that JSON Schema has no word for. */
interface ArkTypePart {
  readonly code: string;
  readonly base: JsonSchemaObject;
  readonly proto?: { readonly name?: string };
  readonly unit?: unknown;
}

/**
 * What stands for a part of an ArkType that JSON Schema has no word for. By itself ArkType puts a schema that accepts
 * everything, which is right for a check that narrows further, and wrong for a value that JSON does not have.
 */
function convertArkType({ code, base, proto, unit }: ArkTypePart): JsonSchemaObject {
  if (code === "proto" && (proto?.name === "File" || proto?.name === "Blob")) {
    return { ...base, type: "string", format: "binary" };
  }
  if (code === "unit" && unit === undefined) return { not: {} }; // absent, which no JSON value is
  if (code === "proto") throw new TypeError(`JSON Schema has no ${proto?.name ?? "such object"}`);
  if (code === "domain" || code === "date" || code === "unit") throw new TypeError(`JSON Schema has no such ${code}`);
  return base;
}
