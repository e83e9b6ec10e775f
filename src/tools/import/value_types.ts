/** The types that the values of a schema may have, before it is read. */
import { type Json, type JsonType, jsonTypes, typeOf } from "../json_schema/json.ts";
import { spend } from "../json_schema/steps.ts";
import { isPart, type Part, toList } from "../openapi/part.ts";
import { hasNullFlag } from "./keywords.ts";
import type { Finder } from "./source.ts";

/** Types of values. Integers are numbers. */
export type ValueTypes = ReadonlySet<JsonType>;

/** All types: nothing says what a value is. */
export const anyType: ValueTypes = new Set(jsonTypes);

/** The types of values by the name in `type`. */
const ofType: ReadonlyMap<string, ValueTypes> = new Map([
  ...[...anyType].map((type) => [type, new Set([type])] as const),
  ["integer", new Set<JsonType>(["number"])],
  ["file", new Set<JsonType>(["string"])],
]);

/** The keywords that only restrict values of one type. */
const keywords: Readonly<Partial<Record<JsonType, readonly string[]>>> = {
  object: ["properties", "required", "additionalProperties", "unevaluatedProperties"],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

/** Returns the types that the keywords of a schema itself restrict. */
export function restrictedTypes(schema: Part): JsonType[] {
  const isOwn = (name: string) =>
    schema[name] !== undefined && (name !== "unevaluatedProperties" || !isCombined(schema)); // of all that are combined
  return (Object.keys(keywords) as JsonType[]).filter((type) => keywords[type]!.some(isOwn)); // its own keys
}

/** Returns whether a schema applies others to the same value. */
export function isCombined(schema: Part): boolean {
  return isJoined(schema) || schema["if"] !== undefined || schema["dependentSchemas"] !== undefined;
}

/** Returns whether a schema applies others to the same value, whatever it is. */
export function isJoined(schema: Part): boolean {
  return ["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => schema[keyword] !== undefined);
}

/** Returns whether a schema does not say which types its values have besides null, neither itself nor with other schemas. */
export function isUntyped(value: unknown): boolean {
  return isPart(value) && !isJoined(value) && ["type", "enum", "const"].every((name) => value[name] === undefined);
}

/** Finds the types of the values of schemas. */
export class TypeFinder {
  readonly #find: Finder;
  readonly #known = new Map<string, ValueTypes>();

  constructor(find: Finder) {
    this.#find = find;
  }

  /** Returns the types that the values of a schema may have. */
  of(schema: Part): ValueTypes {
    spend(1 / 10);
    const whole = this.ofWhole(schema);
    if (!isJoined(schema)) return whole;
    const choices = ["anyOf", "oneOf"].map((name) => toList(schema[name])).filter((members) => members.length > 0);
    const isKnown = whole.size < anyType.size;
    const chosen = choices.map((members) =>
      new Set(members.flatMap((member) => [...(isKnown && isUntyped(member) ? anyType : this.#ofValue(member))]))
    );
    return intersect([whole, ...chosen]);
  }

  /** Returns the types that the values of a schema may have, whichever of its choices they match. */
  ofWhole(schema: Part): ValueTypes {
    const own = ownTypes(schema);
    if (!isJoined(schema)) return own ?? anyType;
    return intersect([
      ...(own === undefined ? [] : [own]),
      ...(typeof schema.$ref === "string" ? [this.#ofReference(schema.$ref)] : []),
      ...toList(schema.allOf).filter((member) => !isUntyped(member)).map((member) => this.#ofValue(member)),
    ]);
  }

  #ofReference(reference: string): ValueTypes {
    const known = this.#known.get(reference);
    if (known) return known;
    this.#known.set(reference, anyType); // while it refers to itself
    const types = this.#ofValue(this.#find(reference)?.value);
    this.#known.set(reference, types);
    return types;
  }

  /** Returns the types of a schema that stands alone, which are assumed if it has only keywords of a type. */
  #ofValue(value: unknown): ValueTypes {
    if (!isPart(value)) return value === false ? new Set() : anyType;
    const restricted = isUntyped(value) ? restrictedTypes(value) : [];
    const types = restricted.length > 0 ? new Set(restricted) : this.of(value);
    return hasNullFlag(value) ? new Set([...types, "null"]) : types;
  }
}

/** Returns the types of `type`, `enum` and `const`. */
function ownTypes(schema: Part): ValueTypes | undefined {
  const values = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  if (values) return new Set((values as Json[]).map(typeOf)); // documents are JSON
  if (typeof schema.type === "string" && !hasNullFlag(schema)) return ofType.get(schema.type);
  const known = [schema.type ?? []].flat().flatMap((type) => [...ofType.get(String(type)) ?? []]);
  return known.length === 0 ? undefined : new Set(hasNullFlag(schema) ? [...known, "null"] : known);
}

function intersect(sets: readonly ValueTypes[]): ValueTypes {
  const [first = anyType, ...others] = sets.filter((each) => each !== anyType);
  return others.reduce((one, other) => new Set([...one].filter((type) => other.has(type))), first);
}
