/** Writes schemas of Valibot. */
import { callCode, type Code, listCode, literalCode, quote } from "../code/print.ts";
import { spend } from "../json_schema/steps.ts";
import {
  behind,
  innerModels,
  type Model,
  type ModelOf,
  type NumberModel,
  type ObjectModel,
  type StringModel,
  type TemplateModel,
} from "./model.ts";
import { type CallLibrary, callTypes, objectSchema, schemaCode } from "./write_calls.ts";
import { typeCode } from "./write_types.ts";
import { patternCode, type SchemaWriter, toTextCode, type WriteOptions } from "./writer.ts";

const imports = 'import * as v from "valibot";';

/** Valibot: https://valibot.dev */
export const valibot: SchemaWriter = {
  name: "valibot",
  imports,
  helper: {
    file: "valibot",
    names: ["fromText", "toText", "toSchema", "divisibleBy"],
    code: `import { type ConversionConfig, toJsonSchema } from "@valibot/to-json-schema";
${imports}

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
    \`Invalid value: Expected a multiple of \${step}\`,
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
${toTextCode}`,
  },
  declare: (code) => callCode("toSchema", code),
  typeOf: (identifier) => `v.InferOutput<typeof ${identifier}>`,
  annotate: (type) => `v.GenericSchema<${type}>`,
  types: { ...callTypes, empty: { closed: "Record<never, never>", ignored: "Record<never, never>" } },
  notes: (modelOf) => ({
    hasIntersections: true,
    listMembers: (members) => arraysFirst(members, { modelOf }),
  }),
  write: (model, options) => schemaCode(model, library, options),
  slot: (model, options) => objectSchema(model, library, options, true),
};

const library: CallLibrary = {
  prefix: "v",
  toldUnion: "variant",
  hasGetters: false,
  string: stringCode,
  number: numberCode,
  literal: ({ values }) =>
    values.some((value) => typeof value === "boolean")
      ? callCode("v.union", listCode(values.map((value) => `v.literal(${literalCode(value)})`)))
      : callCode("v.picklist", listCode(values.map(literalCode))),
  template: templateCode,
  array: (items, { minItems, maxItems }) =>
    pipeCode(callCode("v.array", items), actions({ minLength: minItems, maxLength: maxItems })),
  tuple: (items, rest) =>
    rest === undefined ? callCode("v.strictTuple", items) : callCode("v.tupleWithRest", items, rest),
  intersection: (members) => callCode("v.intersect", listCode(members)),
  nullable: (schema) => callCode("v.nullable", schema),
  optional: (schema) => callCode("v.optional", schema),
  withDefault: (schema, value) => callCode("v.optional", schema, value),
  withMeta: (schema, meta) => pipeCode(schema, [["v.metadata(", meta, ")"]]),
  withOthers: (entries, others) => callCode("v.objectWithRest", entries, others),
  sortMembers: arraysFirst,
  reportObject: (model, { lose }) => {
    if (!refusesArrays(model)) lose(model, "that an object is not an array");
  },
};

function pipeCode(schema: Code, actions: readonly Code[]): Code {
  return actions.length === 0 ? schema : callCode("v.pipe", schema, ...actions);
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "v.isoTimestamp()",
  date: "v.isoDate()",
  email: "v.rfcEmail()",
  uuid: "v.uuid()",
  ipv4: "v.ipv4()",
  ipv6: "v.ipv6()",
};

function stringCode({ format, minLength, maxLength, pattern }: StringModel): Code {
  const known = format === undefined || !Object.hasOwn(formats, format) ? undefined : formats[format]!;
  return pipeCode("v.string()", [
    ...(known === undefined ? [] : [known]),
    ...actions({ minLength, maxLength }),
    ...(pattern === undefined ? [] : [`v.regex(${patternCode(pattern)})`]),
    ...(format !== undefined && known === undefined ? [`v.metadata({ format: ${quote(format)} })`] : []),
  ]);
}

function numberCode(model: NumberModel): Code {
  const { isInteger, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = model;
  const isExact = multipleOf === undefined || Number.isInteger(multipleOf);
  return pipeCode("v.number()", [
    ...(isInteger ? ["v.integer()"] : []),
    ...actions({
      minValue: minimum,
      gtValue: exclusiveMinimum,
      maxValue: maximum,
      ltValue: exclusiveMaximum,
      ...(isExact && { multipleOf }),
    }),
    ...(isExact ? [] : [`divisibleBy(${multipleOf})`, `v.metadata({ multipleOf: ${multipleOf} })`]),
  ]);
}

function actions(values: Readonly<Record<string, number | undefined>>): string[] {
  return Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) =>
    `v.${name}(${value})`
  );
}

function refusesArrays({ properties }: ObjectModel): boolean {
  return properties.some(({ name, isRequired }) => isRequired && name !== "length");
}

/**
 * Members of a union in an order in which no object accepts an array that another member describes: arrays are before
 * objects, and those of them that contain such objects behind the others.
 */
function arraysFirst(members: readonly Model[], { modelOf }: Pick<WriteOptions, "modelOf">): readonly Model[] {
  const arrays = members.filter((member) => ["array", "tuple"].includes(behind(member, modelOf).kind));
  const loose = arrays.length < 2 ? [] : arrays.filter((member) => acceptsArrays(member, modelOf));
  return [
    ...arrays.filter((member) => !loose.includes(member)),
    ...loose,
    ...members.filter((member) => !arrays.includes(member)),
  ];
}

/** Returns whether a type is an object that accepts arrays, or contains one. */
function acceptsArrays(model: Model, modelOf: ModelOf, seen = new Set<Model>()): boolean {
  if (seen.has(model)) return false;
  seen.add(model);
  spend(1 / 100);
  if (model.kind === "object" && !refusesArrays(model)) return true;
  const parts = model.kind === "reference" ? [modelOf(model.key)] : innerModels(model);
  return parts.some((part) => acceptsArrays(part, modelOf, seen));
}

function templateCode(model: TemplateModel, { nameOf }: WriteOptions): Code {
  const parts = model.parts.map((part) => part === undefined ? ".+" : part.replaceAll(/[^\w-]/gu, escapeCharacter));
  const schema = pipeCode("v.string()", [`v.regex(/^${parts.join("")}$/su)`]);
  return [schema, " as v.GenericSchema<", typeCode(model, { nameOf }), ">"];
}

function escapeCharacter(character: string): string {
  return /[\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
