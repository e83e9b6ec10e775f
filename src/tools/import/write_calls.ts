/** Writes schemas of libraries whose schemas are calls of functions: `z.string()`. */
import {
  callCode,
  type Code,
  type Group,
  listCode,
  literalCode,
  objectCode,
  propertyName,
  quote,
} from "../code/print.ts";
import {
  areLikeOthers,
  type ArrayModel,
  type IntersectionModel,
  keysIn,
  type LiteralModel,
  type Model,
  type NumberModel,
  type ObjectModel,
  type Property,
  type StringModel,
  type TemplateModel,
  type UnionModel,
} from "./model.ts";
import { describe, type TypeRules } from "./write_types.ts";
import { lostOthers, reportAbsentItems, reportStripped, toCheckable, type WriteOptions } from "./writer.ts";

/** How a library differs from others. */
export interface CallLibrary {
  /** The name under which modules import it. */
  readonly prefix: "z" | "v";
  /** The function of unions whose members a property tells apart. */
  readonly toldUnion: string;
  /** Whether schemas that are defined later can be read in getters. Otherwise, they are lazy. */
  readonly hasGetters: boolean;
  readonly string: (model: StringModel, options: WriteOptions) => Code;
  readonly number: (model: NumberModel, options: WriteOptions) => Code;
  readonly literal: (model: LiteralModel) => Code;
  readonly template: (model: TemplateModel, options: WriteOptions) => Code;
  readonly array: (items: Code, model: ArrayModel) => Code;
  readonly tuple: (items: Group, rest: Code | undefined) => Code;
  readonly intersection: (members: readonly Code[]) => Code;
  readonly nullable: (schema: Code) => Code;
  readonly optional: (schema: Code) => Code;
  readonly withDefault: (schema: Code, value: Code, model: Model) => Code;
  /** Adds what is said about the values of a schema. */
  readonly withMeta: (schema: Code, meta: Code) => Code;
  /** Returns an object whose other properties have a schema. */
  readonly withOthers: (entries: Group, others: Code) => Code;
  /** Sorts the members of a union where their order matters. */
  readonly sortMembers?: (members: readonly Model[], options: WriteOptions) => readonly Model[];
  /** Reports what an intersection of the library does not check. */
  readonly reportIntersection?: (model: IntersectionModel, options: WriteOptions) => void;
  /** Reports what an object of the library that is not a slot does not check. */
  readonly reportObject?: (model: ObjectModel, options: WriteOptions) => void;
}

/** The types that both libraries infer in the same way. */
export const callTypes: Omit<TypeRules, "empty"> = {
  absent: " | undefined",
  hasTemplates: true,
  toCheckable: (property) => toCheckable(property, { lose: () => {} }),
  hasOthers: ({ properties, others }) => typeof others === "object" && areLikeOthers(properties, others),
  isNever: () => false,
};

export function schemaCode(model: Model, library: CallLibrary, options: WriteOptions): Code {
  const code = coreCode(model, library, options);
  return model.default === undefined
    ? code
    : library.withMeta(code, objectCode([{ code: ["default: ", literalCode(model.default)] }]));
}

function coreCode(model: Model, library: CallLibrary, options: WriteOptions): Code {
  const { prefix } = library;
  const write = (part: Model) => schemaCode(part, library, options);
  switch (model.kind) {
    case "unknown":
    case "never":
    case "null":
    case "boolean":
      return `${prefix}.${model.kind}()`;
    case "string":
      return library.string(model, options);
    case "file":
      return `${prefix}.${options.hasFiles ? "file" : "string"}()`;
    case "number":
      return library.number(model, options);
    case "literal":
      return model.values.length === 1 ? `${prefix}.literal(${literalCode(model.values[0])})` : library.literal(model);
    case "array":
      return library.array(write(model.items), model);
    case "tuple":
      reportAbsentItems(model, options);
      return library.tuple(listCode(model.items.map(write)), model.rest && write(model.rest));
    case "object":
      return objectSchema(model, library, options);
    case "union":
      return unionCode(model, library, options);
    case "intersection":
      library.reportIntersection?.(model, options);
      return library.intersection(model.members.map(write));
    case "reference": {
      const name = options.nameOf(model.key);
      return options.isLater(model.key) && !options.isDelayed ? `${prefix}.lazy(() => ${name})` : name;
    }
    case "text":
      return callCode("fromText", coreCode(model.of, library, options));
    case "template":
      return library.template(model, options);
  }
}

function unionCode(model: UnionModel, library: CallLibrary, options: WriteOptions): Code {
  const present = model.members.filter(({ kind }) => kind !== "null");
  const others = library.sortMembers?.(present, options) ?? present;
  const isTold = model.discriminator !== undefined && options.isTold(others, model.discriminator);
  const members = others.map((member) => schemaCode(member, library, options));
  if (!isTold) reportStripped(model, options);
  const core = members.length === 1
    ? members[0]!
    : isTold
    ? callCode(`${library.prefix}.${library.toldUnion}`, quote(model.discriminator!), listCode(members))
    : callCode(`${library.prefix}.union`, listCode(members));
  return others.length < model.members.length ? library.nullable(core) : core;
}

/** Writes the schema of an object. Only the properties of a slot have defaults. */
export function objectSchema(model: ObjectModel, library: CallLibrary, options: WriteOptions, isSlot = false): Code {
  const { prefix } = library;
  const { properties, others } = model;
  if (!isSlot) library.reportObject?.(model, options);
  if (properties.length === 0 && others !== "closed" && others !== "ignored") {
    const value = typeof others === "object" ? schemaCode(others, library, options) : `${prefix}.unknown()`;
    return callCode(`${prefix}.record`, `${prefix}.string()`, value);
  }
  const entries = objectCode(properties.map((property) => ({
    comment: describe(property.model),
    code: propertyCode(property, library, options, isSlot),
  })));
  if (others === "closed") return callCode(`${prefix}.strictObject`, entries);
  if (others === "ignored") return callCode(`${prefix}.object`, entries);
  const isLost = others !== "open" && !areLikeOthers(properties, others);
  if (isLost) options.lose(model, lostOthers);
  return others === "open" || isLost
    ? callCode(`${prefix}.looseObject`, entries)
    : library.withOthers(entries, schemaCode(others, library, options));
}

function propertyCode(property: Property, library: CallLibrary, options: WriteOptions, hasDefaults: boolean): Code {
  const { name, model, isRequired } = toCheckable(property, options);
  const isLate = library.hasGetters && !options.isDelayed && keysIn(model).some(options.isLater);
  const isDefault = hasDefaults && model.default !== undefined;
  const own = isDefault ? { ...model, default: undefined } : model;
  const schema = schemaCode(own, library, isLate ? { ...options, isDelayed: true } : options);
  const value = isDefault
    ? library.withDefault(schema, literalCode(model.default), model)
    : isRequired
    ? schema
    : library.optional(schema);
  if (!isLate) return [`${propertyName(name)}: `, value];
  const body: Code = { open: "{", items: [{ code: ["return ", value] }], close: "}", isSpaced: true, separator: ";" };
  return [`get ${propertyName(name)}() `, body];
}
