import { toJsonSchema } from "@valibot/to-json-schema";
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
  const converter = (typeMode: "input" | "output"): ToJsonSchema => () =>
    toJsonSchema(schema, {
      target: "draft-2020-12",
      typeMode,
      errorMode: "ignore", // about the flags of regular expressions
      overrideSchema: ({ valibotSchema: { type }, jsonSchema }) =>
        type === "file" ? { type: "string", format: "binary" } : jsonSchema,
    }) as Record<string, unknown>;
  const jsonSchema = { input: converter("input"), output: converter("output") };
  return { "~standard": { ...schema["~standard"], jsonSchema } };
}

type ToJsonSchema = () => Record<string, unknown>;
