/** Finds what the references of a schema lead to. */
import { parseStep } from "../pointer.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, namedSchemas, schemaList } from "./json_schema.ts";

/** A schema in its place in a whole schema, so that its references can be followed. */
export interface LocatedSchema {
  /** The schema. */
  readonly schema: JsonSchema;
  /** A number that no other schema of the same whole has. */
  readonly id: number;
  /** What its references are relative to. */
  readonly base: string;
  /** The whole that it is a part of. */
  readonly whole: WholeSchema;
}

/** A whole schema, with what was found out about it. */
export interface WholeSchema {
  /** Every schema that was reached, by identity: `true` and `false` stand for themselves. */
  readonly located: Map<JsonSchema, LocatedSchema>;
  /** The schemas that can be referred to, by absolute URI: roots, `$id` and `$anchor`. */
  readonly targets: Map<string, LocatedSchema>;
  /** Results of other functions of this layer, by the name of the function and the ids of what it was asked about. */
  readonly known: Map<string, unknown>;
}

/** The URI of a whole schema that names none itself. */
const rootUri = "schema:root";

/** Keywords that hold one schema. */
export const singleKeywords: readonly string[] = [
  "not",
  "if",
  "then",
  "else",
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentSchema",
];

/** Keywords that hold a list of schemas. */
export const listKeywords: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/** Keywords that hold schemas by name. */
export const namedKeywords: readonly string[] = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
];

/** Keywords whose meaning depends on the way by which a schema was reached, which is not followed. */
const refusedKeywords = ["$dynamicRef", "$recursiveRef"];

/**
 * Prepares a schema for the functions of this layer.
 *
 * @throws {TypeError} For `$dynamicRef`, and when a reference is followed that leads out of the schema.
 */
export function locateSchema(schema: JsonSchema): LocatedSchema {
  const whole: WholeSchema = { located: new Map(), targets: new Map(), known: new Map() };
  const root = locate(schema, rootUri, whole);
  whole.targets.set(rootUri, root);
  return root;
}

/** A schema that a keyword of a located schema holds. */
export function locatePart({ base, whole }: LocatedSchema, part: JsonSchema): LocatedSchema {
  return whole.located.get(part) ?? locate(part, base, whole);
}

/** Notes a schema and everything below it. */
function locate(schema: JsonSchema, base: string, whole: WholeSchema): LocatedSchema {
  const known = whole.located.get(schema);
  if (known) return known;
  const own = ownBase(schema, base);
  const located: LocatedSchema = { schema, id: whole.located.size, base: own, whole };
  whole.located.set(schema, located);
  if (!isSchemaObject(schema)) return located;
  refuseKeywords(schema);
  if (own !== base) whole.targets.set(own, located);
  for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
    if (typeof anchor === "string") whole.targets.set(`${own}#${anchor}`, located);
  }
  for (const part of listParts(schema)) locate(part, own, whole);
  return located;
}

function ownBase(schema: JsonSchema, base: string): string {
  if (!isSchemaObject(schema) || typeof schema.$id !== "string") return base;
  return resolveUri(schema.$id, base).replace(/#$/, "");
}

function refuseKeywords(schema: JsonSchemaObject): void {
  const keyword = refusedKeywords.find((each) => schema[each] !== undefined);
  if (keyword !== undefined) {
    throw new TypeError(`Cannot read a JSON Schema: ${keyword} is not supported; write $ref`);
  }
}

function listParts(schema: JsonSchemaObject): JsonSchema[] {
  const singles = singleKeywords.filter((keyword) => isSchema(schema[keyword]))
    .map((keyword) => schema[keyword] as JsonSchema);
  const lists = listKeywords.flatMap((keyword) => schemaList(schema[keyword]));
  const named = namedKeywords.flatMap((keyword) => namedSchemas(schema[keyword]).map(([, each]) => each));
  return [...singles, ...lists, ...named].filter(isSchema);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isSchemaObject(value);
}

/** The schema that a reference in a located schema leads to. */
export function followReference(from: LocatedSchema, reference: string): LocatedSchema {
  const { base, whole: { targets } } = from;
  const uri = resolveUri(reference, base);
  const [document = "", fragment = ""] = uri.split("#", 2);
  const anchored = targets.get(fragment === "" ? document : uri);
  if (anchored) return anchored;
  const root = targets.get(document);
  const found = root && fragment.startsWith("/") ? followPointer(root, fragment) : undefined;
  if (!found) {
    throw new TypeError(`Cannot follow $ref ${JSON.stringify(reference)}: nothing in the schema has that name`);
  }
  return found;
}

/** Follows a JSON Pointer in a fragment, where names may be percent-encoded or written as they are. */
function followPointer(root: LocatedSchema, pointer: string): LocatedSchema | undefined {
  let place: unknown = root.schema;
  let nearest = root;
  for (const token of pointer.slice(1).split("/")) {
    const name = parseStep(token).find((each) => hasMember(place, each));
    if (name === undefined) return undefined;
    place = (place as Readonly<Record<string, unknown>>)[name];
    if (isSchema(place)) nearest = nearest.whole.located.get(place) ?? nearest; // the base may change on the way
  }
  return isSchema(place) ? locatePart(nearest, place) : undefined;
}

function hasMember(place: unknown, name: string): boolean {
  return typeof place === "object" && place !== null && Object.hasOwn(place, name);
}

/** An absolute URI. A root without an `$id` has a URI that relative references cannot be resolved against. */
function resolveUri(reference: string, base: string): string {
  if (reference.startsWith("#")) return `${base.split("#", 1)[0]}${reference}`;
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}
