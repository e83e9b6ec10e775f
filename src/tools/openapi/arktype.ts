/** Converts types of ArkType. */
import { groupCycles } from "../json_schema/cycles.ts";
import { type JsonSchema, type JsonSchemaObject, namedSchemas } from "../json_schema/json.ts";
import { type Definitions, findDefinition, listTargets, mapObjects } from "../json_schema/references.ts";
import type { Schema } from "../../schema.ts";
import { type ConvertOptions, copySchema, type Direction, runConverter, toReference, tryTo } from "./definitions.ts";
import type { ConversionRules } from "./named.ts";

/** Converts one side of a type. With `hasReferences`, the parts that have a name are definitions. */
export function convertArkType(
  type: Schema,
  direction: Direction,
  { supplyPart, hasReferences }: Pick<ConversionRules, "supplyPart"> & { readonly hasReferences: boolean },
): JsonSchemaObject {
  const fallback = (part: ArkTypePart): JsonSchemaObject => supplyPart?.(part) ?? convertPart(part);
  const options: ArkTypeOptions = hasReferences ? { fallback, useRefs: true } : { fallback };
  const found = copySchema(runConverter(type, direction, { ...options }));
  return inlineGenerated(nameAliases(direction === "input" ? withDefaults(type, found, options) : found));
}

/** Writes an alias, `.configure({ alias: "User" })`, as an id. ArkType configures the members of a union with it, too. */
function nameAliases(schema: JsonSchemaObject): JsonSchemaObject {
  if (!JSON.stringify(schema).includes('"alias":')) return schema;
  const named = mapObjects(schema, ({ alias, ...part }) => typeof alias === "string" ? { id: alias, ...part } : part);
  return mapObjects(named, (part) => {
    const { id, anyOf } = part;
    if (id === undefined || !Array.isArray(anyOf)) return part;
    return {
      ...part,
      anyOf: anyOf.map(({ id: own, ...each }) => own === id || own === undefined ? each : { id: own, ...each }),
    };
  }) as JsonSchemaObject; // an object stays one
}

/**
 * Writes out the definitions that ArkType numbered, such as `intersection12`: it makes one of every part of a type that
 * refers to itself. Those stay that are needed, and are marked.
 */
function inlineGenerated(schema: JsonSchemaObject): JsonSchemaObject {
  const { $defs, ...own } = schema;
  if ($defs === undefined) return schema;
  const definitions = Object.fromEntries(namedSchemas($defs));
  const kept = listKept(definitions);
  const inline = (part: JsonSchema): JsonSchema =>
    mapObjects(part, (each) => {
      const target = typeof each.$ref === "string" ? findDefinition(each.$ref, definitions) : undefined;
      if (target === undefined) return each;
      const { $ref: _, ...beside } = each;
      return kept.has(target.name)
        ? { ...beside, $ref: toReference(`__${target.name}`) }
        : { ...Object(inline(target.schema)), ...beside };
    });
  const named = [...kept].map((name) => [`__${name}`, inline(definitions[name]!)] as const);
  return { ...inline(own) as JsonSchemaObject, ...(kept.size > 0 && { $defs: Object.fromEntries(named) }) };
}

/** Lists the definitions that have a name of their own, and those without which others would contain themselves. */
function listKept(definitions: Definitions): ReadonlySet<string> {
  const kept = new Set(nameDefinitions(definitions).values());
  const targets = new Map(Object.entries(definitions).map(([name, each]) => [name, listTargets(each, definitions)]));
  for (const keyword of ["properties", "type", ""]) { // objects first
    const others = [...targets.keys()].filter((name) => !kept.has(name));
    for (const cycle of groupCycles(others, (name) => targets.get(name)!.filter((each) => !kept.has(each)))) {
      if (cycle.length === 1 && !targets.get(cycle[0]!)!.includes(cycle[0]!)) continue;
      for (const name of cycle) if (keyword === "" || Object.hasOwn(Object(definitions[name]), keyword)) kept.add(name);
    }
  }
  return kept;
}

/** Returns the definition of each id. Of several, which differ in annotations, it is the one that says the least. */
function nameDefinitions(definitions: Definitions): ReadonlyMap<unknown, string> {
  const names = new Map<unknown, string>();
  const lengthOf = (name: string | undefined): number => JSON.stringify(definitions[name!])?.length ?? Infinity;
  for (const [name, each] of Object.entries(definitions)) {
    const { id }: { readonly id?: unknown } = Object(each);
    if (id !== undefined && lengthOf(name) < lengthOf(names.get(id))) names.set(id, name);
  }
  return names;
}

/**
 * Returns the input of an ArkType type with its defaults, which the conversion of the whole type has. Morphs in it
 * convert as their input; what does not convert is part of the output, since the input has converted.
 */
function withDefaults(
  schema: Schema,
  input: JsonSchemaObject,
  { fallback, ...options }: ArkTypeOptions,
): JsonSchemaObject {
  const { toJsonSchema }: { toJsonSchema?: (options: ArkTypeOptions & ConvertOptions) => unknown } = schema as object;
  const whole = toJsonSchema?.call(schema, { // a type converts as a whole, beside its two sides
    ...options,
    target: "draft-2020-12",
    fallback: (part) => tryTo(() => fallback(part)) ?? part.base,
  });
  const text = JSON.stringify(whole) ?? "";
  return text.includes('"default":') ? copySchema(whole) : input;
}

interface ArkTypeOptions {
  readonly fallback: (part: ArkTypePart) => JsonSchemaObject;
  /** Makes a definition of each part, with a name that is the same in every conversion. */
  readonly useRefs?: true;
}

interface ArkTypePart {
  readonly code: string;
  readonly base: JsonSchemaObject;
  readonly proto?: { readonly name?: string };
  readonly unit?: unknown;
}

/**
 * Returns the JSON Schema of a part of an ArkType type that JSON Schema cannot express. ArkType's default accepts
 * everything, which is right for a narrowing check but wrong for a value that does not exist in JSON.
 */
function convertPart({ code, base, proto, unit }: ArkTypePart): JsonSchemaObject {
  if (code === "proto" && (proto?.name === "File" || proto?.name === "Blob")) {
    return { ...base, type: "string", format: "binary" };
  }
  if (code === "unit" && unit === undefined) return { not: {} }; // absent: no JSON value is undefined
  if (code === "proto") throw new TypeError(`JSON Schema cannot express ${proto?.name ?? "the object"}`);
  if (code === "domain" || code === "date" || code === "unit") {
    throw new TypeError(`JSON Schema cannot express the ${code}`);
  }
  return base;
}
