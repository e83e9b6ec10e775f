/** Reads the keywords of a schema that restrict the values of one type. */
import type { Direction } from "../openapi/definitions.ts";
import { integerRange } from "../json_schema/json.ts";
import { below, describeReference, type DocumentPlace } from "../openapi/operations.ts";
import { listTypes, toNumber } from "./keywords.ts";
import { fitsBounds, hasNoValue } from "./overlap.ts";
import { hasFlag, ownMember, type Part, present, toList, toPart, toText } from "../openapi/part.ts";
import { matchesNothing, toPattern } from "./pattern.ts";
import type { Reporter } from "./report.ts";
import {
  type Model,
  type NumberModel,
  type ObjectModel,
  placeKey,
  type Property,
  silentKey,
  type StringModel,
  toUnion,
} from "./model.ts";
import type { Finder } from "./source.ts";
import { isCombined } from "./value_types.ts";

/** What the keywords of a type are read with. */
export interface TypeReader {
  readonly reporter: Reporter;
  readonly find: Finder;
  readonly direction: Direction;
  /** Reads a schema inside the one that is read. */
  read(value: unknown, place: DocumentPlace): Model;
}

/** Reads the keywords of a type, and reports those that no value matches. */
export function readType(type: string, schema: Part, place: DocumentPlace, reader: TypeReader): Model {
  const model = readKeywords(type, schema, place, reader);
  if (model.kind !== "never" && hasNoValue(model)) {
    reader.reporter.add("faults", place, "no value matches all of its keywords");
  }
  if (model.kind === "string" && model.pattern !== undefined && matchesNothing(model.pattern)) {
    reader.reporter.add(
      "faults",
      place,
      `no text matches the pattern ${describeReference(toText(schema.pattern) ?? model.pattern)}`,
    );
  }
  return model;
}

function readKeywords(type: string, schema: Part, place: DocumentPlace, reader: TypeReader): Model {
  switch (type) {
    case "boolean":
      return { kind: "boolean" };
    case "string":
      return readString(schema, place, reader);
    case "number":
    case "integer":
      return readNumber(schema, type === "integer");
    case "array":
      return readArray(schema, place, reader);
    case "object":
      return readObject(schema, place, reader);
    case "file":
      return { kind: "file" };
    default:
      reader.reporter.add("faults", place, `${describeReference(type)} is not a type`);
      return { kind: "unknown" };
  }
}

/** Reads `const` and `enum`. `undefined` for a schema without them, and for lists of objects. */
export function readLiteral(
  schema: Part,
  place: DocumentPlace,
  { reporter }: Pick<TypeReader, "reporter">,
): Model | undefined {
  const values = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  if (values === undefined) return undefined;
  const isEndless = (value: unknown) => typeof value === "number" && toNumber(value) === undefined;
  const others = values.filter((value) => value !== null && !isEndless(value));
  if (values.some(isEndless)) {
    reporter.add("faults", place, "a number is out of range; it is ignored");
    if (others.length === 0) return undefined;
  }
  const plain = others.filter((value): value is string | number | boolean =>
    ["string", "number", "boolean"].includes(typeof value)
  );
  if (plain.length < others.length) {
    reporter.add("unchecked", place, "enum of objects");
    return undefined;
  }
  const types = listTypes(schema);
  const typed = plain.filter((value) =>
    types.length === 0 || types.some((type) => type === "integer" ? Number.isInteger(value) : typeof value === type)
  );
  if (typed.length < plain.length) reporter.add("faults", place, "values of enum are not of the type of the schema");
  const known = typed.length === 0 ? plain : typed;
  const bounds = [readString(schema, place, { reporter }), readNumber(schema, false)];
  const fitting = known.filter((value) => bounds.every((bound) => fitsBounds(bound, value)));
  if (known.length > 0 && fitting.length === 0) {
    reporter.add("faults", place, "no value of enum matches the other keywords, which are ignored");
  }
  const unique = [...new Set(fitting.length === 0 ? known : fitting)];
  if (unique.length > 0) return { kind: "literal", values: unique };
  if (values.length > 0) return { kind: "null" };
  reporter.add("faults", place, "enum has no values");
  return { kind: "unknown" };
}

function readString(schema: Part, place: DocumentPlace, { reporter }: Pick<TypeReader, "reporter">): Model {
  const { format, pattern, contentEncoding, contentMediaType } = schema;
  if (format === "binary" || (contentMediaType === "application/octet-stream" && contentEncoding === undefined)) {
    return { kind: "file" };
  }
  const model: StringModel = {
    kind: "string",
    ...present({
      format: toText(contentEncoding === "base64" ? "byte" : format),
      minLength: toCount(schema.minLength) || undefined,
      maxLength: toCount(schema.maxLength),
    }),
  };
  if (typeof pattern !== "string") return model;
  const valid = toPattern(pattern);
  if (valid === undefined) reporter.add("faults", place, `${describeReference(pattern)} is not a regular expression`);
  return { ...model, ...present({ pattern: valid }) };
}

function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Reads the bounds of a number. OpenAPI 3.0 writes exclusive ones as booleans. Formats are bounds too. */
function readNumber(schema: Part, isInteger: boolean): NumberModel {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const format = toText(schema.format);
  const [least = -Infinity, most = Infinity] = integerRange(format) ?? [];
  const above = toNumber(exclusiveMinimum === true ? minimum : exclusiveMinimum);
  const under = toNumber(exclusiveMaximum === true ? maximum : exclusiveMaximum);
  const from = exclusiveMinimum === true ? undefined : toNumber(minimum);
  const to = exclusiveMaximum === true ? undefined : toNumber(maximum);
  const step = toNumber(schema.multipleOf) ?? 0;
  return {
    kind: "number",
    isInteger,
    ...present({
      format,
      minimum: (above ?? -Infinity) < least ? Math.max(from ?? least, least) : from,
      maximum: (under ?? Infinity) > most ? Math.min(to ?? most, most) : to,
      exclusiveMinimum: above,
      exclusiveMaximum: under,
      multipleOf: step > 0 ? step : undefined,
    }),
  };
}

/** The most items of a list that are declared because of its `minItems` alone. */
const mostRepeated = 20;

function readArray(schema: Part, place: DocumentPlace, reader: TypeReader): Model {
  const minItems = toCount(schema.minItems) || undefined;
  const maxItems = toCount(schema.maxItems);
  const list = Array.isArray(schema.prefixItems) ? "prefixItems" : Array.isArray(schema.items) ? "items" : undefined;
  if (list !== undefined) return readTuple(schema, list, { minItems, maxItems }, place, reader);
  const items = reader.read(schema.items, below(place, "items"));
  const uniqueItems = schema.uniqueItems === true || undefined;
  return { kind: "array", items, ...present({ minItems, maxItems, uniqueItems }) };
}

/** Reads a list whose first items have types of their own. Without enough items, it is a list of all of them. */
function readTuple(
  schema: Part,
  list: "prefixItems" | "items",
  { minItems, maxItems = Infinity }: { readonly minItems: number | undefined; readonly maxItems: number | undefined },
  place: DocumentPlace,
  { read, reporter }: TypeReader,
): Model {
  const first = toList(schema[list]).map((value, index) => read(value, below(place, list, index)));
  const name = list === "prefixItems" ? "items" : "additionalItems";
  const further = schema[name];
  const most = Math.min(maxItems, further === false ? first.length : Infinity);
  const isExact = most <= first.length;
  if ((minItems ?? 0) > most) {
    reporter.add("faults", place, "minItems is more than the list can have");
    return { kind: "never" };
  }
  if (minItems === undefined || minItems < first.length) {
    reporter.add("unchecked", place, "prefixItems that may be absent");
    return {
      kind: "array",
      ...present({ minItems, maxItems: Number.isFinite(most) ? most : undefined }),
      items: toUnion([...first, ...(isExact ? [] : [read(further, below(place, name))])]),
    };
  }
  if (isExact) return { kind: "tuple", items: first, rest: undefined };
  const rest = read(further, below(place, name));
  const needed = Math.min(minItems, first.length + mostRepeated) - first.length;
  if (needed < minItems - first.length) reporter.add("unchecked", place, "minItems of prefixItems");
  const items = [...first, ...Array<Model>(needed).fill(rest)];
  if (maxItems === items.length) return { kind: "tuple", items, rest: undefined };
  if (maxItems !== Infinity) reporter.add("unchecked", place, "maxItems of prefixItems");
  return { kind: "tuple", items, rest };
}

function readObject(schema: Part, place: DocumentPlace, reader: TypeReader): ObjectModel {
  const required = toList(schema.required);
  const hidden = reader.direction === "input" ? "readOnly" : "writeOnly";
  const properties = Object.entries(toPart(schema.properties))
    .filter(([, value]) => !hasFlag(value, hidden, reader.find))
    .map(([name, value]): Property => ({
      name,
      model: reader.read(value, below(place, "properties", name)),
      isRequired: required.includes(name),
    }));
  const others = readOthers(schema, place, reader);
  const undeclared = required.filter((name): name is string =>
    typeof name === "string" && ownMember(schema.properties, name) === undefined
  );
  const unknown = [...new Set(undeclared)].map((name): Property => ({
    name,
    model: typeof others === "object" ? others : { kind: "unknown", [placeKey]: place },
    isRequired: true,
  }));
  for (const { name } of others === "closed" ? unknown : []) {
    const property = describeReference(name);
    const state = `additionalProperties rules out ${property}, which is required; it is declared all the same`;
    reader.reporter.add("faults", place, state);
  }
  const isSilent = others === "open" &&
    ["additionalProperties", "unevaluatedProperties", "patternProperties"].every((name) => schema[name] === undefined);
  return {
    kind: "object",
    properties: [...properties, ...unknown],
    others,
    ...present({
      minProperties: toCount(schema.minProperties) || undefined,
      maxProperties: toCount(schema.maxProperties),
      [silentKey]: isSilent || undefined,
    }),
  };
}

function readOthers(schema: Part, place: DocumentPlace, { read }: TypeReader): ObjectModel["others"] {
  const isOwn = schema.additionalProperties !== undefined || isCombined(schema);
  const name = isOwn ? "additionalProperties" : "unevaluatedProperties";
  const declared = schema[name];
  if (declared === undefined) return schema.properties === undefined ? "open" : "ignored";
  if (schema.patternProperties !== undefined) return "open"; // they may be of another type
  if (typeof declared === "boolean") return declared ? "open" : "closed";
  const model = read(declared, below(place, name));
  return model.kind === "unknown" ? "open" : model;
}
