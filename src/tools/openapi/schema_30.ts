/** Converts schemas of OpenAPI 3.1 to those of 3.0, which accept at least as much. */
import { below, type DocumentPlace } from "./operations.ts";
import { isPart, type Part, toList, toObject, toPart } from "./part.ts";

export interface Conversion30 {
  readonly lose: (place: DocumentPlace, what: string) => void;
  /** Returns whether the target of a reference accepts exactly what it accepted. */
  readonly isExact: (reference: string) => boolean;
  /** The security schemes of the document by name. */
  readonly schemes: Part;
}

interface Schema30 {
  readonly schema: Part;
  /** Whether it accepts exactly what the original accepts. */
  readonly isExact: boolean;
}

/** Keywords that mean the same in both versions. */
const kept: ReadonlySet<string> = new Set([
  ...["title", "description", "default", "deprecated", "readOnly", "writeOnly", "externalDocs", "xml", "discriminator"],
  ...["format", "minLength", "maxLength", "pattern", "multipleOf", "minimum", "maximum", "minItems", "maxItems"],
  ...["uniqueItems", "minProperties", "maxProperties", "required", "enum", "example"],
]);

/** Keywords that another one replaces. */
const stronger = new Map(Object.entries<(schema: Part) => boolean>({
  enum: (schema) => schema["const"] !== undefined,
  minimum: ({ exclusiveMinimum }) => typeof exclusiveMinimum === "number",
  maximum: ({ exclusiveMaximum }) => typeof exclusiveMaximum === "number",
}));

/** Keywords that say nothing about values, and that need no line among the losses. */
const silent: ReadonlySet<string> = new Set(["$schema", "$id", "$comment", "$defs", "definitions", "examples"]);

/** Keywords whose loss changes nothing about which values are valid. */
const prose: ReadonlySet<string> = new Set(["contentEncoding", "contentMediaType", "contentSchema", "$anchor"]);

/** The schema of `null`, which has no type in 3.0. */
const nullSchema: Part = { type: "string", nullable: true, enum: [null] };

const nothing: Part = { not: {} };

export function toSchema30(value: unknown, place: DocumentPlace, conversion: Conversion30): Schema30 {
  if (!isPart(value)) return { schema: value === false ? nothing : {}, isExact: true };
  const walk = createSchemaConversion(place, conversion);
  const converted: Record<string, unknown> = {};
  for (const [keyword, part] of Object.entries(value)) {
    const convert = converters.get(keyword);
    if (stronger.get(keyword)?.(value)) continue;
    if (convert) Object.assign(converted, convert(part, value, walk));
    else if (kept.has(keyword) || keyword.startsWith("x-")) converted[keyword] = part;
    else if (!silent.has(keyword)) walk.lose(keyword, keyword, prose.has(keyword));
  }
  if (Array.isArray(converted["required"]) && converted["required"].length === 0) delete converted["required"];
  if (value["examples"] !== undefined && value["example"] === undefined) {
    const [example] = toList(value["examples"]);
    if (example !== undefined) converted["example"] = example;
  }
  const { $ref, type } = value;
  const { own, joined } = convertTypes(type);
  const conditions = [...(typeof $ref === "string" ? [{ $ref }] : []), ...(joined ? [joined] : [])];
  const typed: Record<string, unknown> = { ...own, ...converted };
  if (typed["type"] === "array" && typed["items"] === undefined) typed["items"] = {};
  return { schema: joinConditions(typed, conditions), isExact: walk.isExact() };
}

interface SchemaConversion {
  readonly convert: (value: unknown, ...names: readonly (string | number)[]) => Part;
  /** Converts a schema below, and tells whether the result is exact. */
  readonly attempt: (value: unknown, ...names: readonly (string | number)[]) => Schema30;
  readonly lose: (keyword: string, what: string, isProse?: boolean) => void;
  readonly isExact: () => boolean;
}

function createSchemaConversion(place: DocumentPlace, conversion: Conversion30): SchemaConversion {
  let isExact = true;
  const attempt: SchemaConversion["attempt"] = (value, ...names) => {
    const found = toSchema30(value, below(place, ...names), conversion);
    const { $ref } = toPart(value);
    return { ...found, isExact: found.isExact && (typeof $ref !== "string" || conversion.isExact($ref)) };
  };
  return {
    attempt,
    convert: (value, ...names) => {
      const found = attempt(value, ...names);
      isExact &&= found.isExact;
      return found.schema;
    },
    lose: (keyword, what, isProse = false) => {
      isExact &&= isProse;
      conversion.lose(below(place, keyword), what);
    },
    isExact: () => isExact,
  };
}

type ConvertKeyword = (part: unknown, schema: Part, walk: SchemaConversion) => Part;

const converters = new Map(Object.entries<ConvertKeyword>({
  $ref: () => ({}), // joined at the end
  type: () => ({}), // joined at the end
  const: (value) => value === null ? nullSchema : { enum: [value] },
  exclusiveMinimum: (bound, { minimum }) => toExclusive("Minimum", bound, minimum, (one, other) => one >= other),
  exclusiveMaximum: (bound, { maximum }) => toExclusive("Maximum", bound, maximum, (one, other) => one <= other),
  contentEncoding: (value, { format }, walk) => {
    if (value === "base64" && format === undefined) return { format: "byte" };
    walk.lose("contentEncoding", "contentEncoding", true);
    return {};
  },
  properties: (part, _schema, walk) => ({ properties: convertNamed(part, "properties", walk) }),
  items: (part, { prefixItems }, walk) => prefixItems === undefined ? { items: walk.convert(part, "items") } : {},
  prefixItems: (part, schema, walk) => {
    const first = toList(part).map((each, index) => walk.convert(each, "prefixItems", index));
    walk.lose("prefixItems", "prefixItems");
    const { items, maxItems } = schema;
    if (items === undefined || items === true) return { items: {} };
    if (items !== false) return { items: toUnion([...first, walk.convert(items, "items")]) };
    const most = typeof maxItems === "number" ? Math.min(maxItems, first.length) : first.length;
    return { items: first.length === 0 ? {} : toUnion(first), maxItems: most };
  },
  additionalProperties: (part, { patternProperties }, walk) => {
    if (patternProperties !== undefined) return {}; // together with these
    return { additionalProperties: typeof part === "boolean" ? part : walk.convert(part, "additionalProperties") };
  },
  patternProperties: (part, { additionalProperties: others = true }, walk) => {
    const matched = Object.values(convertNamed(part, "patternProperties", walk)).map(toPart);
    walk.lose("patternProperties", "patternProperties");
    if (others === true) return {};
    const rest = others === false ? [] : [walk.convert(others, "additionalProperties")];
    const all = [...rest, ...matched];
    return { additionalProperties: all.length === 0 ? false : toUnion(all) };
  },
  allOf: (part, _schema, walk) => ({ allOf: convertList(part, "allOf", walk) }),
  anyOf: (part, _schema, walk) => ({ anyOf: convertList(part, "anyOf", walk) }),
  oneOf: (part, _schema, walk) => {
    const members = toList(part).map((each, index) => walk.attempt(each, "oneOf", index));
    const schemas = members.map(({ schema }) => schema);
    if (members.every(({ isExact }) => isExact)) return { oneOf: schemas };
    walk.lose("oneOf", "that only one schema of oneOf matches"); // wider ones may match together
    return { anyOf: schemas };
  },
  not: (part, _schema, walk) => {
    const { schema, isExact } = walk.attempt(part, "not");
    if (isExact) return { not: schema };
    walk.lose("not", "not"); // a wider schema in it would refuse more
    return {};
  },
}));

function toExclusive(
  name: "Minimum" | "Maximum",
  bound: unknown,
  inclusive: unknown,
  isTighter: (one: number, other: number) => boolean,
): Part {
  if (typeof bound !== "number") return {};
  if (typeof inclusive === "number" && !isTighter(bound, inclusive)) return { [name.toLowerCase()]: inclusive };
  return { [name.toLowerCase()]: bound, [`exclusive${name}`]: true };
}

function convertNamed(part: unknown, keyword: string, walk: SchemaConversion): Part {
  return toObject(Object.entries(toPart(part)).map(([name, each]) => [name, walk.convert(each, keyword, name)]));
}

function convertList(part: unknown, keyword: string, walk: SchemaConversion): Part[] {
  return toList(part).map((each, index) => walk.convert(each, keyword, index));
}

/** Returns a schema that accepts what one of several accepts. */
function toUnion(schemas: readonly Part[]): Part {
  const different = [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
  return different.length === 1 ? different[0]! : { anyOf: different };
}

/** Converts types to keywords, or to a schema to join: several are a union, which other unions must not replace. */
function convertTypes(type: unknown): { readonly own?: Part; readonly joined?: Part } {
  const types = typeof type === "string" ? [type] : Array.isArray(type) ? [...new Set(type.map(String))] : undefined;
  if (types === undefined) return {};
  const others = types.filter((each) => each !== "null");
  const nullable = others.length < types.length && { nullable: true };
  if (others.length === 1) return { own: { type: others[0], ...nullable } };
  if (others.length === 0) return { joined: types.length === 0 ? nothing : nullSchema };
  const members = others.map((each) => ({ type: each, ...nullable, ...(each === "array" && { items: {} }) }));
  return { joined: { anyOf: members } };
}

function joinConditions(schema: Part, conditions: readonly Part[]): Part {
  const [only, ...others] = conditions;
  if (only === undefined) return schema;
  const isPlain = others.length === 0 && only["$ref"] === undefined &&
    !Object.keys(only).some((keyword) => Object.hasOwn(schema, keyword));
  if (isPlain) return { ...only, ...schema };
  if (others.length === 0 && Object.keys(schema).length === 0) return only;
  return { ...schema, allOf: [...toList(schema["allOf"]), ...conditions] };
}
