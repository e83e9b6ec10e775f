/** Writes schemas of Valibot. */
import { callCode, type Code, listCode, literalCode, objectCode, propertyName, quote } from "./code.ts";
import {
  lostOthers,
  patternCode,
  reportAbsentItems,
  reportStripped,
  type SchemaWriter,
  toCheckable,
  type WriteOptions,
} from "./writer.ts";
import {
  isWithin,
  type LiteralShape,
  type NumberShape,
  type ObjectShape,
  type Property,
  type Shape,
  type StringShape,
  type TemplateShape,
  type UnionShape,
} from "./shape.ts";
import { describe, typeCode } from "./write_types.ts";

const imports = 'import * as v from "valibot";';

/** Valibot: https://valibot.dev */
export const valibot: SchemaWriter = {
  name: "valibot",
  imports,
  helper: {
    file: "valibot",
    names: ["fromText", "toSchema", "divisibleBy"],
    code: `import { toJsonSchema } from "@valibot/to-json-schema";
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
`,
  },
  declare: (code) => callCode("toSchema", code),
  typeOf: (identifier) => `v.InferOutput<typeof ${identifier}>`,
  annotate: (type) => `v.GenericSchema<${type}>`,
  write: (shape, options) => schemaCode(shape, options),
  slot: (shape, options) => objectSchema(shape, { ...options, isSlot: true }),
};

function schemaCode(shape: Shape, options: WriteOptions): Code {
  const code = coreCode(shape, options);
  return shape.default === undefined || options.isSlot
    ? code
    : pipeCode(code, [["v.metadata(", objectCode([{ code: ["default: ", literalCode(shape.default)] }]), ")"]]);
}

/** Returns a schema and what follows it. */
function pipeCode(schema: Code, actions: readonly Code[]): Code {
  return actions.length === 0 ? schema : callCode("v.pipe", schema, ...actions);
}

function coreCode(shape: Shape, options: WriteOptions): Code {
  switch (shape.kind) {
    case "unknown":
      return "v.unknown()";
    case "never":
      return "v.never()";
    case "null":
      return "v.null()";
    case "boolean":
      return "v.boolean()";
    case "string":
      return stringCode(shape);
    case "file":
      return options.hasFiles ? "v.file()" : "v.string()";
    case "number":
      return numberCode(shape);
    case "literal":
      return literal(shape);
    case "array":
      return pipeCode(
        callCode("v.array", schemaCode(shape.items, inner(options))),
        actions({ minLength: shape.minItems, maxLength: shape.maxItems }),
      );
    case "tuple": {
      reportAbsentItems(shape, options);
      const items = listCode(shape.items.map((item) => schemaCode(item, inner(options))));
      return shape.rest
        ? callCode("v.tupleWithRest", items, schemaCode(shape.rest, inner(options)))
        : callCode("v.strictTuple", items);
    }
    case "object":
      return objectSchema(shape, inner(options));
    case "union":
      return unionCode(shape, options);
    case "intersection":
      return callCode("v.intersect", listCode(shape.members.map((member) => schemaCode(member, inner(options)))));
    case "reference":
      return options.isLater(shape.key) && !options.isDelayed
        ? `v.lazy(() => ${options.nameOf(shape.key)})`
        : options.nameOf(shape.key);
    case "text":
      return callCode("fromText", coreCode(shape.of, options));
    case "template":
      return templateCode(shape, options);
  }
}

/** Returns the options for what is inside: only the properties of a slot itself have defaults. */
function inner(options: WriteOptions): WriteOptions {
  return options.isSlot ? { ...options, isSlot: false } : options;
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "v.isoTimestamp()",
  date: "v.isoDate()",
  email: "v.rfcEmail()",
  uuid: "v.uuid()",
  ipv4: "v.ipv4()",
  ipv6: "v.ipv6()",
};

function stringCode({ format, minLength, maxLength, pattern }: StringShape): Code {
  const known = format === undefined || !Object.hasOwn(formats, format) ? undefined : formats[format]!;
  return pipeCode("v.string()", [
    ...(known === undefined ? [] : [known]),
    ...actions({ minLength, maxLength }),
    ...(pattern === undefined ? [] : [`v.regex(${patternCode(pattern)})`]),
    ...(format !== undefined && known === undefined ? [`v.metadata({ format: ${quote(format)} })`] : []),
  ]);
}

function numberCode(shape: NumberShape): Code {
  const { isInteger, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape;
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

function literal({ values }: LiteralShape): Code {
  if (values.length === 1) return `v.literal(${literalCode(values[0])})`;
  const hasBoolean = values.some((value) => typeof value === "boolean");
  return hasBoolean
    ? callCode("v.union", listCode(values.map((value) => `v.literal(${literalCode(value)})`)))
    : callCode("v.picklist", listCode(values.map(literalCode)));
}

function unionCode(shape: UnionShape, options: WriteOptions): Code {
  const others = arraysFirst(shape.members.filter(({ kind }) => kind !== "null"), options);
  const isNullable = others.length < shape.members.length;
  const [only] = others;
  const isTold = shape.discriminator !== undefined && options.isTold(others, shape.discriminator);
  const members = listCode(others.map((member) => schemaCode(member, inner(options))));
  if (!isTold) reportStripped(shape, options);
  const core = others.length === 1 && only
    ? schemaCode(only, inner(options))
    : isTold
    ? callCode("v.variant", quote(shape.discriminator!), members)
    : callCode("v.union", members);
  return isNullable ? callCode("v.nullable", core) : core;
}

/** Members of a union in an order in which no object accepts an array that another member describes. */
function arraysFirst(members: readonly Shape[], { shapeOf }: WriteOptions): readonly Shape[] {
  const isArray = (shape: Shape, level = 0): boolean =>
    shape.kind === "reference"
      ? level < 20 && isArray(shapeOf(shape.key), level + 1)
      : shape.kind === "array" || shape.kind === "tuple";
  return [...members.filter((member) => isArray(member)), ...members.filter((member) => !isArray(member))];
}

function objectSchema(shape: ObjectShape, options: WriteOptions): Code {
  const { properties, others } = shape;
  const nested = inner(options);
  const isArrayRefused = properties.some(({ name, isRequired }) => isRequired && name !== "length");
  if (!isArrayRefused && !options.isSlot) options.lose(shape, "that an object is not an array");
  if (properties.length === 0 && others !== "closed" && others !== "ignored") {
    const value = typeof others === "object" ? schemaCode(others, nested) : "v.unknown()";
    return callCode("v.record", "v.string()", value);
  }
  const entries = objectCode(properties.map((property) => ({
    comment: describe(property.shape),
    code: [`${propertyName(property.name)}: `, propertyCode(property, nested, options.isSlot === true)],
  })));
  if (others === "closed") return callCode("v.strictObject", entries);
  if (others === "ignored") return callCode("v.object", entries);
  const isLost = others !== "open" && !isWithin(properties, others);
  if (isLost) options.lose(shape, lostOthers);
  return others === "open" || isLost
    ? callCode("v.looseObject", entries)
    : callCode("v.objectWithRest", entries, schemaCode(others, nested));
}

function propertyCode(property: Property, options: WriteOptions, hasDefaults: boolean): Code {
  const { shape, isRequired } = toCheckable(property, options);
  const isDefault = hasDefaults && shape.default !== undefined;
  const value = schemaCode(isDefault ? { ...shape, default: undefined } : shape, options);
  if (isDefault) return callCode("v.optional", value, literalCode(shape.default));
  return isRequired ? value : callCode("v.optional", value);
}

function templateCode(shape: TemplateShape, { nameOf }: WriteOptions): Code {
  const parts = shape.parts.map((part) => part === undefined ? ".+" : part.replaceAll(/[^\w-]/gu, escapeCharacter));
  const schema = pipeCode("v.string()", [`v.regex(/^${parts.join("")}$/su)`]);
  return [schema, " as v.GenericSchema<", typeCode(shape, { nameOf }), ">"];
}

function escapeCharacter(character: string): string {
  return /[\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
