/** Writes schemas of Zod. */
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
  referencesOf,
  type Shape,
  type StringShape,
  type TupleShape,
  type UnionShape,
} from "./shape.ts";
import { describe } from "./write_types.ts";

/** Zod: https://zod.dev */
export const zod: SchemaWriter = {
  name: "zod",
  imports: 'import * as z from "zod";',
  helper: {
    file: "text",
    names: ["fromText"],
    // The constraint is Zod's core type, because comparing all methods took two thirds of the time of types.
    code: `import * as z from "zod";

/** Converts the text of a parameter. A program can pass the value itself. */
export const fromText = <Declared extends z.core.$ZodType<string | number | boolean | null>>(schema: Declared) =>
  z.preprocess((value: string | z.input<Declared>) => {
    if (typeof value !== "string" || value.trim() === "") return value;
    if (value === "true" || value === "false") return value === "true";
    return Number.isFinite(Number(value)) ? Number(value) : value;
  }, schema);
`,
  },
  typeOf: (identifier) => `z.infer<typeof ${identifier}>`,
  annotate: (type, json = type) => `z.ZodType<${type}, ${json}>`,
  write: (shape, options) => schemaCode(shape, options),
  slot: (shape, options) => objectSchema(shape, { ...options, isSlot: true }),
};

function schemaCode(shape: Shape, options: WriteOptions): Code {
  const code = coreCode(shape, options);
  return shape.default === undefined || options.isSlot
    ? code
    : [code, ".meta(", objectCode([{ code: ["default: ", literalCode(shape.default)] }]), ")"];
}

function coreCode(shape: Shape, options: WriteOptions): Code {
  switch (shape.kind) {
    case "unknown":
      return "z.unknown()";
    case "never":
      return "z.never()";
    case "null":
      return "z.null()";
    case "boolean":
      return "z.boolean()";
    case "string":
      return shape.isDate ? options.useDate(shape.format === "date" ? "date" : "dateTime") : stringCode(shape);
    case "file":
      return options.hasFiles ? "z.file()" : "z.string()";
    case "number":
      return numberCode(shape);
    case "literal":
      return literal(shape);
    case "array":
      return [
        callCode("z.array", schemaCode(shape.items, inner(options))),
        ...bounds({ min: shape.minItems, max: shape.maxItems }),
      ];
    case "tuple":
      return tupleCode(shape, inner(options));
    case "object":
      return objectSchema(shape, inner(options));
    case "union":
      return unionCode(shape, options);
    case "intersection":
      return intersectionCode(shape.members.map((member) => schemaCode(member, inner(options))));
    case "reference":
      return options.isLater(shape.key) && !options.isDelayed
        ? `z.lazy(() => ${options.nameOf(shape.key)})`
        : options.nameOf(shape.key);
    case "text":
      return callCode("fromText", coreCode(shape.of, options));
    case "template":
      return callCode(
        "z.templateLiteral",
        listCode(shape.parts.map((part) => part === undefined ? "z.string().min(1)" : quote(part))),
      );
  }
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

/** Returns the options for what is inside: only the properties of a slot itself have defaults. */
function inner(options: WriteOptions): WriteOptions {
  return options.isSlot ? { ...options, isSlot: false } : options;
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "z.iso.datetime({ offset: true })",
  date: "z.iso.date()",
  email: "z.email()",
  uuid: "z.guid()",
  ipv4: "z.ipv4()",
  ipv6: "z.ipv6()",
};

function stringCode({ format, minLength, maxLength, pattern }: StringShape): Code {
  const known = format === undefined || !Object.hasOwn(formats, format) ? undefined : formats[format];
  const regex = pattern === undefined ? [] : [`.regex(${patternCode(pattern)})`];
  const meta = format !== undefined && known === undefined ? [`.meta({ format: ${quote(format)} })`] : [];
  return [known ?? "z.string()", ...bounds({ min: minLength, max: maxLength }), ...regex, ...meta];
}

function numberCode(shape: NumberShape): Code {
  const { isInteger, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape;
  const isInt32 = isInteger && format === "int32";
  const min = isInt32 && minimum === -(2 ** 31) ? undefined : minimum;
  const max = isInt32 && maximum === 2 ** 31 - 1 ? undefined : maximum;
  return [
    isInt32 ? "z.int32()" : isInteger ? "z.int()" : "z.number()",
    ...bounds({ min, gt: exclusiveMinimum, max, lt: exclusiveMaximum, multipleOf }),
  ];
}

function bounds(values: Readonly<Record<string, number | undefined>>): string[] {
  return Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) => `.${name}(${value})`);
}

function literal({ values }: LiteralShape): Code {
  const isText = values.every((value) => typeof value === "string");
  if (values.length === 1) return `z.literal(${literalCode(values[0])})`;
  return callCode(isText ? "z.enum" : "z.literal", listCode(values.map(literalCode)));
}

function unionCode(shape: UnionShape, options: WriteOptions): Code {
  const others = shape.members.filter(({ kind }) => kind !== "null");
  const isNullable = others.length < shape.members.length;
  const [only] = others;
  const isTold = shape.discriminator !== undefined && options.isTold(others, shape.discriminator);
  const members = listCode(others.map((member) => schemaCode(member, inner(options))));
  if (!isTold) reportStripped(shape, options);
  const core = others.length === 1 && only
    ? schemaCode(only, inner(options))
    : isTold
    ? callCode("z.discriminatedUnion", quote(shape.discriminator!), members)
    : callCode("z.union", members);
  return isNullable ? [core, ".nullable()"] : core;
}

function tupleCode(tuple: TupleShape, options: WriteOptions): Code {
  const { items, rest } = tuple;
  reportAbsentItems(tuple, options);
  return callCode(
    "z.tuple",
    listCode(items.map((item) => schemaCode(item, options))),
    ...(rest ? [schemaCode(rest, options)] : []),
  );
}

function objectSchema(shape: ObjectShape, options: WriteOptions): Code {
  const { properties, others } = shape;
  const nested = inner(options);
  if (properties.length === 0 && others !== "closed" && others !== "ignored") {
    const value = typeof others === "object" ? schemaCode(others, nested) : "z.unknown()";
    return callCode("z.record", "z.string()", value);
  }
  const items = properties.map((property) => ({
    comment: describe(property.shape),
    code: propertyCode(property, nested, options.isSlot === true),
  }));
  if (others === "closed") return callCode("z.strictObject", objectCode(items));
  if (others === "ignored") return callCode("z.object", objectCode(items));
  const isLost = others !== "open" && !isWithin(properties, others);
  if (isLost) options.lose(shape, lostOthers);
  return others === "open" || isLost
    ? callCode("z.looseObject", objectCode(items))
    : [callCode("z.object", objectCode(items)), ".catchall(", schemaCode(others, nested), ")"];
}

function propertyCode(property: Property, options: WriteOptions, hasDefaults: boolean): Code {
  const { name, shape, isRequired } = toCheckable(property, options);
  const isLate = !options.isDelayed && referencesOf(shape).some(options.isLater);
  const isDefault = hasDefaults && shape.default !== undefined;
  const value: Code = [
    schemaCode(
      isDefault ? { ...shape, default: undefined } : shape,
      isLate ? { ...options, isDelayed: true } : options,
    ),
    ...(isDefault ? [".default(", literalCode(shape.default), ")"] : isRequired ? [] : [".optional()"]),
  ];
  if (!isLate) return [`${propertyName(name)}: `, value];
  const body: Code = { open: "{", items: [{ code: ["return ", value] }], close: "}", isSpaced: true, separator: ";" };
  return [`get ${propertyName(name)}() `, body];
}
