/** The normal form of the schemas of documents: what two documents may write differently is written in one way. */
import type { Source } from "../src/tools/import/source.ts";
import { integerRange } from "../src/tools/json_schema/json.ts";
import { below, type DocumentPlace, findReferenced } from "../src/tools/openapi/operations.ts";
import { isPart, type Part, toList, toPart } from "../src/tools/openapi/part.ts";

/** A schema in its normal form, with the reference that led to it. */
export interface Normal {
  readonly name: string | undefined;
  readonly keywords: Part;
  readonly place: DocumentPlace;
  /** Where keywords stand that are beside a reference. */
  readonly origins?: Readonly<Record<string, DocumentPlace>>;
}

/** Where the schemas of the original stand, because a normal form has parts of several schemas. */
const places = new WeakMap<object, DocumentPlace>();

/** Notes where the schemas inside a schema stand. */
function notePlaces(schema: Part, place: DocumentPlace): void {
  const note = (each: unknown, ...steps: readonly (string | number)[]) => {
    if (isPart(each) && !places.has(each)) places.set(each, below(place, ...steps));
  };
  for (const [name, each] of Object.entries(toPart(schema["properties"]))) note(each, "properties", name);
  for (const name of ["items", "additionalProperties"]) note(schema[name], name);
  for (const name of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
    toList(schema[name]).forEach((each, index) => note(each, name, index));
  }
}

/** Returns where a schema of the original stands: that of the normal form around it, if it is made for that. */
export function placeOf(schema: unknown, around: DocumentPlace, ...steps: readonly (string | number)[]): DocumentPlace {
  return (isPart(schema) ? places.get(schema) : undefined) ?? below(around, ...steps);
}

export const notes = ["title", "description", "examples", "deprecated", "externalDocs", "discriminator", "format"];

export function acceptsNull(keywords: Part): boolean {
  return keywords["null"] === true || toList(keywords["type"]).includes("null");
}

export function keysOf(value: unknown): readonly string[] {
  return Object.keys(toPart(value)).toSorted();
}

export function blankToNothing(value: unknown): unknown {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  return Array.isArray(value) || isPart(value) ? Object.keys(value).length === 0 ? undefined : value : value;
}

/** Leaves out the properties that only the other direction has, as clients and servers do. */
export function withoutAbsent(normal: Normal, absent: "readOnly" | "writeOnly" | undefined, source: Source): Normal {
  const { properties, required, ...keywords } = normal.keywords;
  if (!isPart(properties) || absent === undefined) return normal;
  const kept = Object.entries(properties).filter(([, each]) =>
    normalize(source, each, normal.place).keywords[absent] !== true
  );
  if (kept.length === Object.keys(properties).length) return normal;
  const names = new Set(kept.map(([name]) => name));
  const needed = toList(required).filter((name) => names.has(String(name)) || !Object.hasOwn(properties, String(name)));
  return {
    ...normal,
    keywords: { ...keywords, properties: Object.fromEntries(kept), ...(needed.length > 0 && { required: needed }) },
  };
}

/** Returns what tells a member of a union apart from others, the most telling first. */
export function keysOfMember(source: Source, member: unknown): readonly string[] {
  const { name = "", keywords } = normalize(source, member, { file: "", pointer: "" });
  const { type, enum: values, properties, items } = keywords;
  const shape = [type, values, keysOf(properties), isPart(items) ? keysOfMember(source, items)[0] : ""];
  const texts = Object.values(toPart(properties)).map((each) => [toPart(each)["enum"] ?? toPart(each)["const"]].flat());
  return [name && `name ${name}`, canonical([...shape, keywords["title"], texts]), canonical(shape), ""];
}

/** Brings a schema to its normal form: without references, `nullable`, `const`, `example` and single `allOf`. */
export function normalize(source: Source, schema: unknown, fallback: DocumentPlace, hops = 0): Normal {
  const place = (isPart(schema) ? places.get(schema) : undefined) ?? fallback;
  if (!isPart(schema) || hops > 30) return { name: undefined, keywords: schema === false ? { not: {} } : {}, place };
  const { $ref, ...rest } = schema;
  notePlaces(schema, place);
  const own = plain(rest);
  const found = typeof $ref === "string" ? findReferenced(source, $ref) : undefined;
  if (found) {
    const target = normalize(source, found.value, found.place, hops + 1);
    const name = typeof $ref === "string" ? /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1] : undefined;
    return { ...target, name: name ?? target.name, ...beside(target, own, place) };
  }
  const parts = toList(own["allOf"]);
  if (parts.length > 0) return joinAll(source, own, place, hops);
  if (toList(own["type"]).filter((each) => each !== "null").length > 1) return normalizeTypes(source, own, place, hops);
  const members = toList(own["anyOf"]);
  const others = members.filter((each) => !isNull(each));
  if (others.length > 1) {
    return { name: undefined, keywords: joinPlain(distribute(hoistNull(source, own, place))), place };
  }
  if (others.length === 0) return { name: undefined, keywords: own, place };
  const { anyOf: _, ...around } = own;
  const only = normalize(source, others[0], below(place, "anyOf", members.indexOf(others[0])), hops + 1);
  const type = members.length === 1
    ? {}
    : only.keywords["type"] !== undefined
    ? { type: withNull(only.keywords["type"]) }
    : only.keywords["anyOf"] !== undefined
    ? { null: true }
    : {};
  return { ...only, ...beside(only, { ...around, ...type }, place) };
}

/** The keywords of objects and lists. */
const ofType: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "minItems", "maxItems"],
};

/** Writes a schema of several types as a union, if it says what is in its objects or lists. */
function normalizeTypes(source: Source, { type, ...schema }: Part, place: DocumentPlace, hops: number): Normal {
  const inner = Object.values(ofType).flat();
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => !inner.includes(name)));
  const anyOf = toList(type).map((each) => ({ type: each, ...pick(schema, ofType[String(each)] ?? []) }));
  if (Object.keys(rest).length === Object.keys(schema).length || schema["anyOf"] !== undefined) {
    return { name: undefined, keywords: { type, ...schema }, place };
  }
  for (const each of anyOf) places.set(each, place);
  return normalize(source, { ...rest, anyOf }, place, hops + 1);
}

/** Writes a union of bare types as a list of types, and one of listed values as one list. */
function joinPlain({ anyOf: members, null: isNullable, ...schema }: Part): Part {
  const parts = toList(members).map((each) => isPart(each) && !("$ref" in each) ? plain(each) : {});
  const hasOnly = (names: string) => parts.every((each) => Object.keys(each).toSorted().join() === names);
  const isListed = hasOnly("enum,type");
  if ((!isListed && !hasOnly("type")) || schema["type"] !== undefined) {
    return { anyOf: members, ...(isNullable === true && { null: true }), ...schema };
  }
  const types = [
    ...new Set([...parts.flatMap((each) => toList(each["type"])), ...(isNullable === true ? ["null"] : [])]),
  ];
  const values = [...new Set(parts.flatMap((each) => toList(each["enum"])))];
  return { ...schema, type: types.toSorted(), ...(isListed && { enum: values.toSorted() }) };
}

/** Moves null out of the members of a union. */
function hoistNull(source: Source, schema: Part, place: DocumentPlace): Part {
  const members = toList(schema["anyOf"]);
  const others = members.filter((each) => !isNull(each));
  const types = others.map((each) => typesOf(source, each, place, 1));
  const { type, nullable: _, ...rest } = schema;
  const own = toList(type).filter((each) => each !== "null");
  const isTyped = own.length > 0 && own.length === toList(type).length; // which rules out null
  const isNullable = schema["nullable"] === true || (!isTyped &&
    (others.length < members.length || toList(type).includes("null") || types.some((each) => each.includes("null"))));
  const isImplied = types.every((list) =>
    list.length > 0 && list.every((each) => each === "null" || own.includes(each))
  );
  const kept = own.length > 0 && !isImplied && { type: own };
  return { ...rest, ...kept, anyOf: others, ...(isNullable && { null: true }) };
}

/** Returns the types of the values of a normal form besides null, as a text. */
export function typesIn(source: Source, { keywords, place }: Normal): string {
  const types = typesOf(source, keywords, place, 0).filter((each) => each !== "null");
  return [...new Set(types)].toSorted().join();
}

/** Lists the types of the values of a schema; none if they are not known. */
function typesOf(source: Source, schema: unknown, place: DocumentPlace, level = 0): readonly unknown[] {
  const { type, anyOf, null: isNullable } = level === 0 ? toPart(schema) : normalize(source, schema, place).keywords;
  if (type !== undefined || level > 12) return toList(type);
  const members = toList(anyOf).map((each) => typesOf(source, each, place, level + 1));
  return members.every((each) => each.length > 0) ? [...members.flat(), ...(isNullable === true ? ["null"] : [])] : [];
}

/** Leaves out the bounds that a format implies. */
export function withoutRange(keywords: Part): Part {
  const [least, most] = integerRange(keywords["format"]) ?? [];
  return Object.fromEntries(
    Object.entries(keywords).filter(([name, value]) =>
      !((name === "minimum" && value === least) || (name === "maximum" && value === most))
    ),
  );
}

export function withoutNull({ type, null: _, ...keywords }: Part): Part {
  const types = toList(type).filter((each) => each !== "null");
  return types.length > 0 ? { ...keywords, type: types } : keywords;
}

/** Adds keywords beside a reference or a single `allOf`: `nullable` alone widens the type. */
function beside({ keywords, origins }: Normal, own: Part, place: DocumentPlace): Pick<Normal, "keywords" | "origins"> {
  const isWidened = own["nullable"] === true && keywords["type"] !== undefined;
  const type = isWidened ? { type: withNull(keywords["type"]), nullable: undefined } : {};
  const added = Object.fromEntries(Object.keys(own).map((name) => [name, place] as const));
  return { keywords: { ...keywords, ...own, ...type }, origins: { ...origins, ...added } };
}

/** Joins the members of `allOf`, as far as they are objects. Those that say nothing about values are annotations. */
function joinAll(source: Source, { allOf, ...own }: Part, place: DocumentPlace, hops: number): Normal {
  const all = toList(allOf).map((each, index) => normalize(source, each, below(place, "allOf", index), hops + 1));
  const parts = all.filter(({ name, keywords }) => name !== undefined || !Object.keys(keywords).every(isAnnotation));
  const said = Object.assign({}, ...all.filter((each) => !parts.includes(each)).map(({ keywords }) => keywords), own);
  const [first] = parts;
  const isPlain = own["properties"] === undefined && own["required"] === undefined;
  if (parts.length === 1 && first && isPlain) return { ...first, ...beside(first, said, place) };
  const constraints = parts.map(({ keywords: { nullable: _, ...keywords } }) =>
    Object.fromEntries(Object.entries(keywords).filter(([name]) => !isAnnotation(name)))
  );
  const joined = [...constraints, said].reduce<Part>((sum, each) => ({
    ...sum,
    ...each,
    ...((sum["properties"] !== undefined || each["properties"] !== undefined) && {
      properties: joinProperties(toPart(sum["properties"]), toPart(each["properties"])),
    }),
    ...((sum["required"] !== undefined || each["required"] !== undefined) && {
      required: [...new Set([...toList(sum["required"]), ...toList(each["required"])])].toSorted(),
    }),
  }), {});
  return { name: undefined, keywords: distribute(joined), place };
}

function isAnnotation(name: string): boolean {
  return [...notes, "default", "example"].includes(name) || name.startsWith("x-");
}

/** Joins the properties of two objects: of one that both have, the first says what it is. */
function joinProperties(one: Part, other: Part): Part {
  const joined = Object.entries(other).map(([name, each]) => {
    const first = one[name];
    if (!isPart(first) || !isPart(each) || canonical(first) === canonical(each)) return [name, each] as const;
    const split = (part: Part, isSaid: boolean): Part =>
      Object.fromEntries(Object.entries(part).filter(([keyword]) => isAnnotation(keyword) === isSaid));
    const both = { ...split(each, true), ...split(first, true), allOf: [split(first, false), split(each, false)] };
    const place = places.get(each);
    if (place) { for (const part of [both, ...both.allOf]) places.set(part, place); }
    return [name, both] as const;
  });
  return { ...one, ...Object.fromEntries(joined) };
}

/** The keywords of objects, which members of a union have as well as the schema around them. */
const ofObjects = ["type", "properties", "required", "additionalProperties"];

/** Writes the keywords of an object into the members of a union beside them. */
function distribute(schema: Part): Part {
  const members = toList(schema["anyOf"]);
  const isBeside = schema["properties"] !== undefined || schema["required"] !== undefined;
  if (!isBeside || members.length < 2) return schema;
  const own = pick(schema, ofObjects);
  const around = Object.fromEntries(Object.entries(schema).filter(([name]) => !ofObjects.includes(name)));
  const joined = members.map((each) => {
    const whole = { allOf: [own, each] };
    const place = isPart(each) ? places.get(each) : undefined;
    if (place) places.set(whole, place);
    return whole;
  });
  return { ...around, anyOf: joined };
}

function pick(part: Part, names: readonly string[]): Part {
  return Object.fromEntries(names.flatMap((name) => part[name] === undefined ? [] : [[name, part[name]]]));
}

function isNull(schema: unknown): boolean {
  const { type, enum: values, const: only, nullable, ...others } = toPart(schema);
  if (nullable === true && type === undefined && values === undefined && Object.keys(others).length === 0) return true;
  return type === "null" || only === null || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

function withNull(type: unknown): readonly string[] {
  return [...new Set([...toList(Array.isArray(type) ? type : [type]).filter((each) => each !== undefined), "null"])]
    .map(String).toSorted();
}

/** Rewrites the keywords of one schema. */
function plain(schema: Part): Part {
  const {
    nullable,
    "x-nullable": old,
    const: only,
    example,
    oneOf,
    readOnly,
    writeOnly,
    deprecated,
    discriminator,
    ...rest
  } = schema;
  const out: Record<string, unknown> = { ...rest };
  if (only !== undefined) out["enum"] = [only];
  if (oneOf !== undefined && out["anyOf"] === undefined) out["anyOf"] = oneOf;
  if (isPart(discriminator)) out["discriminator"] = discriminator["propertyName"];
  if (example !== undefined && out["examples"] === undefined) out["examples"] = [example];
  if (out["type"] !== undefined) out["type"] = [...new Set([out["type"]].flat())].map(String).toSorted();
  const isNullable = nullable === true || old === true;
  if (isNullable && out["type"] !== undefined) out["type"] = withNull(out["type"]);
  else if (isNullable) out["nullable"] = true;
  if (Array.isArray(out["enum"])) {
    const values = [...out["enum"]];
    if (values.includes(null)) out["type"] = withNull(out["type"]);
    out["enum"] = values.filter((each) => each !== null).map((each) => canonical(each)).toSorted();
    const types = new Set(
      values.map((each) => each === null ? "null" : Number.isInteger(each) ? "integer" : typeof each),
    );
    if (values.length > 0) out["type"] = [...types].toSorted();
    if ([false, true].every((each) => values.includes(each)) && types.size === 1) out["enum"] = undefined;
  }
  const length = toList(out["prefixItems"]).length;
  if (length > 0 && out["maxItems"] === length) [out["items"], out["maxItems"]] = [false, undefined];
  for (const name of ["minItems", "minLength", "minProperties"]) if (out[name] === 0) out[name] = undefined;
  if (typeof out["pattern"] === "string") out["pattern"] = out["pattern"].replaceAll("\\/", "/");
  for (const [flag, bound] of [["exclusiveMinimum", "minimum"], ["exclusiveMaximum", "maximum"]] as const) {
    if (out[flag] === true) [out[flag], out[bound]] = [out[bound], undefined];
    else if (out[flag] === false) out[flag] = undefined;
  }
  if (Array.isArray(out["required"])) {
    out["required"] = out["required"].length === 0 ? undefined : [...new Set(out["required"])].toSorted();
  }
  if (out["properties"] && out["type"] === undefined) out["type"] = ["object"];
  if (out["items"] && out["type"] === undefined) out["type"] = ["array"];
  for (const [name, flag] of Object.entries({ readOnly, writeOnly, deprecated })) if (flag === true) out[name] = true;
  if (out["properties"] !== undefined && keysOf(out["properties"]).length === 0) out["properties"] = undefined;
  for (const name of ["title", "description"]) if (blankToNothing(out[name]) === undefined) out[name] = undefined;
  return Object.fromEntries(Object.entries(out).filter(([, value]) => value !== undefined));
}

/** Returns JSON whose members are sorted. */
export function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, each) =>
      isPart(each) ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => one < other ? -1 : 1)) : each,
  ) ?? "";
}
