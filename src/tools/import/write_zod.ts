/** Writes schemas of Zod. */
import { callCode, type Code, listCode, literalCode, quote } from "../code/print.ts";
import {
  hasOthers,
  type IntersectionModel,
  isConverted,
  type Model,
  type NumberModel,
  type StringModel,
} from "./model.ts";
import { type CallLibrary, callTypes, objectSchema, schemaCode } from "./write_calls.ts";
import { patternCode, type SchemaWriter, toTextCode, type WriteOptions } from "./writer.ts";

/** Zod: https://zod.dev */
export const zod: SchemaWriter = {
  name: "zod",
  imports: 'import * as z from "zod";',
  helper: {
    file: "text",
    names: ["fromText", "toText"],
    // The constraint is Zod's core type, because comparing all methods took two thirds of the time of types.
    code: `import * as z from "zod";

/** Converts the text of a parameter. A program can pass the value itself. */
export const fromText = <Declared extends z.core.$ZodType<string | number | boolean | null>>(schema: Declared) =>
  z.preprocess((value: string | z.input<Declared>) => {
    if (typeof value !== "string" || value.trim() === "") return value;
    if (value === "true" || value === "false") return value === "true";
    return Number.isFinite(Number(value)) ? Number(value) : value;
  }, schema);
${toTextCode}`,
  },
  typeOf: (identifier) => `z.infer<typeof ${identifier}>`,
  annotate: (type, json = type) => `z.ZodType<${type}, ${json}>`,
  types: { ...callTypes, empty: { closed: "Record<string, never>", ignored: "Record<string, never>" } },
  // Zod folds the members of an intersection into one object, and bare types of a union into a list of types.
  notes: () => ({ hasIntersections: false, listMembers: listUnfolded }),
  write: (model, options) => schemaCode(model, library, options),
  slot: (model, options) => objectSchema(model, library, options, true),
};

const library: CallLibrary = {
  prefix: "z",
  toldUnion: "discriminatedUnion",
  hasGetters: true,
  string: stringCode,
  number: numberCode,
  literal: ({ values }) => {
    const isText = values.every((value) => typeof value === "string");
    return callCode(isText ? "z.enum" : "z.literal", listCode(values.map(literalCode)));
  },
  template: ({ parts }) =>
    callCode(
      "z.templateLiteral",
      listCode(parts.map((part) => part === undefined ? "z.string().min(1)" : quote(part))),
    ),
  array: (items, { minItems, maxItems }) => [callCode("z.array", items), ...bounds({ min: minItems, max: maxItems })],
  tuple: (items, rest) => callCode("z.tuple", items, ...(rest === undefined ? [] : [rest])),
  intersection: intersectionCode,
  nullable: (schema) => [schema, ".nullable()"],
  optional: (schema) => [schema, ".optional()"],
  // Only a default of the input is part of its JSON Schema, and a program can pass the value itself.
  withDefault: (schema, value, model) => [schema, isConverted(model) ? ".prefault(" : ".default(", value, ")"],
  withMeta: (schema, meta) => [schema, ".meta(", meta, ")"],
  withOthers: (entries, others) => [callCode("z.object", entries), ".catchall(", others, ")"],
  reportIntersection: reportClosed,
};

/**
 * Reports a closed object of an intersection. Zod accepts a property that one member does not have if another one
 * accepts it, also where the closed object is one type of a union.
 */
function reportClosed(model: IntersectionModel, { lose, modelOf }: WriteOptions): void {
  const [, second] = model.members.filter((member) => hasOthers(member, () => true, modelOf));
  const isClosed = model.members.some((member) => hasOthers(member, (others) => others === "closed", modelOf));
  if (second && isClosed) lose(model, "additionalProperties: false beside another object of allOf");
}

/** Returns the members of a union, unless two of them are folded into one type. */
function listUnfolded(members: readonly Model[]): readonly Model[] | undefined {
  const types = members.filter(({ kind }) => ["string", "number", "boolean"].includes(kind)).map((each) =>
    each.kind === "number" && each.isInteger ? "integer" : each.kind
  );
  return new Set(types).size < types.length ? undefined : members;
}

/** Joins schemas in pairs, because Zod intersects two. Halves keep the nesting of many low. */
function intersectionCode(members: readonly Code[]): Code {
  if (members.length === 1) return members[0]!;
  const half = Math.ceil(members.length / 2);
  return callCode(
    "z.intersection",
    intersectionCode(members.slice(0, half)),
    intersectionCode(members.slice(half)),
  );
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "z.iso.datetime({ offset: true })",
  date: "z.iso.date()",
  email: "z.email()",
  uuid: "z.guid()",
  ipv4: "z.ipv4()",
  ipv6: "z.ipv6()",
};

function stringCode({ format, minLength, maxLength, pattern, isDate }: StringModel, { useDate }: WriteOptions): Code {
  if (isDate) return useDate(format === "date" ? "date" : "dateTime");
  const isChecked = format !== undefined && Object.hasOwn(formats, format) && pattern === undefined;
  const known = isChecked ? formats[format] : undefined; // the pattern of a document is its check; Zod would add its own to it
  const regex = pattern === undefined ? [] : [`.regex(${patternCode(pattern)})`];
  const meta = format !== undefined && known === undefined ? [`.meta({ format: ${quote(format)} })`] : [];
  return [known ?? "z.string()", ...bounds({ min: minLength, max: maxLength }), ...regex, ...meta];
}

function numberCode(model: NumberModel, { lose }: WriteOptions): Code {
  const { isInteger, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = model;
  const isInt32 = isInteger && format === "int32";
  const min = isInt32 && minimum === -(2 ** 31) ? undefined : minimum;
  const max = isInt32 && maximum === 2 ** 31 - 1 ? undefined : maximum;
  for (const [name, bound] of Object.entries({ minimum: min, maximum: max })) {
    const isBeyond = isInteger && bound !== undefined && Math.abs(bound) > Number.MAX_SAFE_INTEGER;
    if (isBeyond) lose(model, name); // z.int() has tighter ones
  }
  return [
    isInt32 ? "z.int32()" : isInteger ? "z.int()" : "z.number()",
    ...bounds({ min, gt: exclusiveMinimum, max, lt: exclusiveMaximum, multipleOf }),
  ];
}

function bounds(values: Readonly<Record<string, number | undefined>>): string[] {
  return Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) => `.${name}(${value})`);
}
