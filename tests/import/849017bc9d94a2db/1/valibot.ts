import { type ConversionConfig, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

/** Converts the text of a parameter. A program can pass the value itself. */
export function fromText<const Declared extends v.GenericSchema<string | number | boolean>>(
  schema: Declared,
): v.GenericSchema<string | v.InferInput<Declared>, v.InferOutput<Declared>> {
  return {
    ...schema,
    "~run": (dataset, config) => schema["~run"]({ ...dataset, value: convert(dataset.value) }, config),
  } as v.GenericSchema<string | v.InferInput<Declared>, v.InferOutput<Declared>>;
}

function convert(text: unknown): unknown {
  if (typeof text !== "string" || text.trim() === "") return text;
  if (text === "true" || text === "false") return text === "true";
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Checks that a number is a multiple of a fraction. Both are compared as decimals: 0.3 is a multiple of 0.1. */
export function divisibleBy(step: number): v.CheckAction<number, string> {
  return v.check(
    (value: number) => Number.isInteger(Number((value / step).toPrecision(15))),
    `Invalid value: Expected a multiple of ${step}`,
  );
}

/** A schema with its JSON Schema, which documents, mocks and tests read. */
export function toSchema<Declared extends v.GenericSchema>(schema: Declared): {
  readonly "~standard": Declared["~standard"] & { readonly jsonSchema: Record<"input" | "output", ToJsonSchema> };
} {
  const converter = (typeMode: "input" | "output"): ToJsonSchema => ({ libraryOptions: options } = {}) =>
    toJsonSchema(schema, {
      ...options,
      target: "draft-2020-12",
      typeMode,
      errorMode: "ignore", // about the flags of regular expressions
      overrideSchema: (context) => options?.overrideSchema?.(context) ?? convertSchema(context),
    }) as Record<string, unknown>;
  const jsonSchema = { input: converter("input"), output: converter("output") };
  return { "~standard": { ...schema["~standard"], jsonSchema } };
}

function convertSchema({ valibotSchema: { type }, jsonSchema }: Converted): JsonSchema {
  if (type === "file") return { type: "string", format: "binary" };
  return type === "loose_object" ? { ...jsonSchema, additionalProperties: {} } : jsonSchema;
}

type JsonSchema = ReturnType<typeof toJsonSchema>;

interface Converted {
  readonly valibotSchema: { readonly type: string };
  readonly jsonSchema: JsonSchema;
}

type ToJsonSchema = (
  options?: { readonly target?: string; readonly libraryOptions?: ConversionConfig },
) => Record<string, unknown>;

/** Sends numbers and booleans as text: the schema of a response's headers. */
export function toText<Declared extends FieldSchema>(schema: Declared): SentFields<Declared["~standard"]["types"]> {
  const standard = schema["~standard"];
  const validate = (value: unknown) => {
    const checked = standard.validate(value) as { readonly value?: object; readonly issues?: unknown };
    if (checked.issues) return checked;
    const fields = Object.entries(checked.value ?? {}).map(([name, each]) =>
      [name, typeof each === "number" || typeof each === "boolean" ? String(each) : each] as const
    );
    return { value: Object.fromEntries(fields) };
  };
  return { "~standard": { ...standard, validate } } as never; // its output is text now
}

interface FieldSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

interface SentFields<Types> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) =>
      | { readonly value: TextFields<Types>; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string }[] };
    readonly types?: { readonly input: FieldTypes<Types>["input"]; readonly output: TextFields<Types> } | undefined;
  };
}

type FieldTypes<Types> = Types extends { readonly input: unknown; readonly output: unknown } ? Types : never;

type TextFields<Types> = {
  [Name in keyof FieldTypes<Types>["output"]]: TextField<FieldTypes<Types>["output"][Name]>;
};

type TextField<Value> = Value extends number | boolean ? string : Value;
