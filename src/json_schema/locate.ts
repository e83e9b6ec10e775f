/** Resolves the references of a schema. */
import { parseStep } from "../schema.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, namedSchemas, schemaList } from "./json.ts";

/** A schema within a whole schema, so that its references can be resolved. */
export interface LocatedSchema {
  readonly schema: JsonSchema;
  /** A number that is unique within the whole schema. */
  readonly id: number;
  /** The URI that its references are relative to. */
  readonly base: string;
  /** The whole schema that contains it. */
  readonly whole: WholeSchema;
}

/** A whole schema, with everything that was computed about it. */
export interface WholeSchema {
  /** All schemas that were visited, by identity. `true` and `false` are their own keys. */
  readonly located: Map<JsonSchema, LocatedSchema>;
  /** The schemas that references can point to, by absolute URI: roots, `$id` and `$anchor`. */
  readonly targets: Map<string, LocatedSchema>;
  /** Cached results of functions in this folder, by the name of the function and the ids of its arguments. */
  readonly known: Map<string, unknown>;
}

/** The most levels of a schema. Deeper ones could overflow the stack. */
export const mostLevels = 500;

/** The message for deeper schemas. */
export const tooDeep = `Cannot read a JSON Schema: it is nested more than ${mostLevels} levels deep`;

/** The URI of a whole schema without an `$id`. */
const rootUri = "schema:root";

/** Keywords that contain one schema. */
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

/** Keywords that contain a list of schemas. */
export const listKeywords: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/** Keywords that contain schemas by name. */
export const namedKeywords: readonly string[] = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
];

/** Keywords whose meaning depends on the dynamic scope, which is not tracked. */
const refusedKeywords = ["$dynamicRef", "$recursiveRef"];

/**
 * Prepares a schema for the functions in this folder.
 *
 * @throws {TypeError} If the schema contains `$dynamicRef` or `$recursiveRef`. A reference to a missing schema throws
 * when it is followed.
 */
export function locateSchema(schema: JsonSchema): LocatedSchema {
  const whole: WholeSchema = { located: new Map(), targets: new Map(), known: new Map() };
  const root = locate(schema, rootUri, whole);
  whole.targets.set(rootUri, root);
  return root;
}

/** Returns a schema inside a keyword of a located schema. */
export function locatePart({ base, whole }: LocatedSchema, part: JsonSchema): LocatedSchema {
  return whole.located.get(part) ?? locate(part, base, whole);
}

/** Locates a schema and all schemas below it. */
function locate(schema: JsonSchema, base: string, whole: WholeSchema, level = 0): LocatedSchema {
  if (level > mostLevels) throw new TypeError(tooDeep);
  const known = whole.located.get(schema);
  if (known) return known;
  const own = ownBase(schema, base);
  const located: LocatedSchema = { schema, id: whole.located.size, base: own, whole };
  whole.located.set(schema, located);
  if (!isSchemaObject(schema)) return located;
  checkKeywords(schema);
  if (own !== base) whole.targets.set(own, located);
  for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
    if (typeof anchor === "string") whole.targets.set(`${own}#${anchor}`, located);
  }
  for (const part of listParts(schema)) locate(part, own, whole, level + 1);
  return located;
}

function ownBase(schema: JsonSchema, base: string): string {
  if (!isSchemaObject(schema) || typeof schema.$id !== "string") return base;
  return resolveUri(schema.$id, base).replace(/#$/, "");
}

function checkKeywords(schema: JsonSchemaObject): void {
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

/** Returns the schema that a reference points to. */
export function followReference(from: LocatedSchema, reference: string): LocatedSchema {
  const { base, whole: { targets } } = from;
  const uri = resolveUri(reference, base);
  const [document = "", fragment = ""] = uri.split("#", 2);
  const anchored = targets.get(fragment === "" ? document : uri);
  if (anchored) return anchored;
  const root = targets.get(document);
  const found = root && fragment.startsWith("/") ? followPointer(root, fragment) : undefined;
  if (!found) {
    throw new TypeError(`Cannot follow $ref ${JSON.stringify(reference)}: the schema does not define it`);
  }
  return found;
}

/** Follows the JSON Pointer of a fragment. Names may be percent-encoded or not. */
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

/** Returns an absolute URI. Relative references cannot be resolved against a root without an `$id`. */
function resolveUri(reference: string, base: string): string {
  if (reference.startsWith("#")) return `${base.split("#", 1)[0]}${reference}`;
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}
