/** Writes schemas of libraries whose schemas are calls of functions: `z.string()`. */
import { callCode, type Code, type Group, listCode, literalCode, objectCode, propertyName, quote } from "./code.ts";
import {
  type ArrayShape,
  isWithin,
  type LiteralShape,
  type NumberShape,
  type ObjectShape,
  type Property,
  referencesOf,
  type Shape,
  type StringShape,
  type TemplateShape,
  type UnionShape,
} from "./shape.ts";
import { describe } from "./write_types.ts";
import { lostOthers, reportAbsentItems, reportStripped, toCheckable, type WriteOptions } from "./writer.ts";

/** How a library differs from others. */
export interface CallLibrary {
  /** The name under which modules import it. */
  readonly prefix: "z" | "v";
  /** The function of unions whose members a property tells apart. */
  readonly toldUnion: string;
  /** Whether schemas that are defined later can be read in getters. Otherwise, they are lazy. */
  readonly hasGetters: boolean;
  readonly string: (shape: StringShape, options: WriteOptions) => Code;
  readonly number: (shape: NumberShape) => Code;
  readonly literal: (shape: LiteralShape) => Code;
  readonly template: (shape: TemplateShape, options: WriteOptions) => Code;
  readonly array: (items: Code, shape: ArrayShape) => Code;
  readonly tuple: (items: Group, rest: Code | undefined) => Code;
  readonly intersection: (members: readonly Code[]) => Code;
  readonly nullable: (schema: Code) => Code;
  readonly optional: (schema: Code) => Code;
  readonly withDefault: (schema: Code, value: Code, shape: Shape) => Code;
  /** Adds what is said about the values of a schema. */
  readonly withMeta: (schema: Code, meta: Code) => Code;
  /** Returns an object whose other properties have a schema. */
  readonly withOthers: (entries: Group, others: Code) => Code;
  /** Sorts the members of a union where their order matters. */
  readonly sortMembers?: (members: readonly Shape[], options: WriteOptions) => readonly Shape[];
  /** Reports what an object of the library does not check. */
  readonly reportObject?: (shape: ObjectShape, options: WriteOptions) => void;
}

/** Returns the call that creates a schema. */
export function schemaCode(shape: Shape, library: CallLibrary, options: WriteOptions): Code {
  const code = coreCode(shape, library, options);
  return shape.default === undefined || options.isSlot
    ? code
    : library.withMeta(code, objectCode([{ code: ["default: ", literalCode(shape.default)] }]));
}

function coreCode(shape: Shape, library: CallLibrary, options: WriteOptions): Code {
  const { prefix } = library;
  const inner = options.isSlot ? { ...options, isSlot: false } : options; // only a slot's own properties have defaults
  const write = (part: Shape) => schemaCode(part, library, inner);
  switch (shape.kind) {
    case "unknown":
    case "never":
    case "null":
    case "boolean":
      return `${prefix}.${shape.kind}()`;
    case "string":
      return library.string(shape, options);
    case "file":
      return `${prefix}.${options.hasFiles ? "file" : "string"}()`;
    case "number":
      return library.number(shape);
    case "literal":
      return shape.values.length === 1 ? `${prefix}.literal(${literalCode(shape.values[0])})` : library.literal(shape);
    case "array":
      return library.array(write(shape.items), shape);
    case "tuple":
      reportAbsentItems(shape, options);
      return library.tuple(listCode(shape.items.map(write)), shape.rest && write(shape.rest));
    case "object":
      return objectSchema(shape, library, inner);
    case "union":
      return unionCode(shape, library, inner);
    case "intersection":
      return library.intersection(shape.members.map(write));
    case "reference": {
      const name = options.nameOf(shape.key);
      return options.isLater(shape.key) && !options.isDelayed ? `${prefix}.lazy(() => ${name})` : name;
    }
    case "text":
      return callCode("fromText", coreCode(shape.of, library, options));
    case "template":
      return library.template(shape, options);
  }
}

function unionCode(shape: UnionShape, library: CallLibrary, options: WriteOptions): Code {
  const present = shape.members.filter(({ kind }) => kind !== "null");
  const others = library.sortMembers?.(present, options) ?? present;
  const isTold = shape.discriminator !== undefined && options.isTold(others, shape.discriminator);
  const members = others.map((member) => schemaCode(member, library, options));
  if (!isTold) reportStripped(shape, options);
  const core = members.length === 1
    ? members[0]!
    : isTold
    ? callCode(`${library.prefix}.${library.toldUnion}`, quote(shape.discriminator!), listCode(members))
    : callCode(`${library.prefix}.union`, listCode(members));
  return others.length < shape.members.length ? library.nullable(core) : core;
}

/** Returns the call that creates an object. */
export function objectSchema(shape: ObjectShape, library: CallLibrary, options: WriteOptions): Code {
  const { prefix } = library;
  const { properties, others } = shape;
  const inner = options.isSlot ? { ...options, isSlot: false } : options;
  library.reportObject?.(shape, options);
  if (properties.length === 0 && others !== "closed" && others !== "ignored") {
    const value = typeof others === "object" ? schemaCode(others, library, inner) : `${prefix}.unknown()`;
    return callCode(`${prefix}.record`, `${prefix}.string()`, value);
  }
  const entries = objectCode(properties.map((property) => ({
    comment: describe(property.shape),
    code: propertyCode(property, library, inner, options.isSlot === true),
  })));
  if (others === "closed") return callCode(`${prefix}.strictObject`, entries);
  if (others === "ignored") return callCode(`${prefix}.object`, entries);
  const isLost = others !== "open" && !isWithin(properties, others);
  if (isLost) options.lose(shape, lostOthers);
  return others === "open" || isLost
    ? callCode(`${prefix}.looseObject`, entries)
    : library.withOthers(entries, schemaCode(others, library, inner));
}

function propertyCode(property: Property, library: CallLibrary, options: WriteOptions, hasDefaults: boolean): Code {
  const { name, shape, isRequired } = toCheckable(property, options);
  const isLate = library.hasGetters && !options.isDelayed && referencesOf(shape).some(options.isLater);
  const isDefault = hasDefaults && shape.default !== undefined;
  const own = isDefault ? { ...shape, default: undefined } : shape;
  const schema = schemaCode(own, library, isLate ? { ...options, isDelayed: true } : options);
  const value = isDefault
    ? library.withDefault(schema, literalCode(shape.default), shape)
    : isRequired
    ? schema
    : library.optional(schema);
  if (!isLate) return [`${propertyName(name)}: `, value];
  const body: Code = { open: "{", items: [{ code: ["return ", value] }], close: "}", isSpaced: true, separator: ";" };
  return [`get ${propertyName(name)}() `, body];
}
