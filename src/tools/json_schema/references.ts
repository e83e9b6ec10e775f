/** References: what the text of a `$ref` names, and the walks over those of schemas and documents. */
import { dataKeywords, isSchemaObject, type JsonSchema, type JsonSchemaObject, namedKeywords } from "./json.ts";

export type Definitions = Readonly<Record<string, JsonSchema>>;

interface ParsedReference {
  /** The URI of a whole schema or a file; `""` is the one that contains the reference. */
  readonly file: string;
  readonly fragment: string;
  /** The steps of the fragment as a JSON Pointer, as they are written; `undefined` for an anchor. */
  readonly steps: readonly string[] | undefined;
}

export function parseReference(reference: string): ParsedReference {
  const [file = ""] = reference.split("#", 1);
  const fragment = reference.slice(file.length + 1);
  const isPointer = fragment === "" || fragment.startsWith("/");
  return { file, fragment, steps: isPointer ? fragment.split("/").slice(1) : undefined };
}

/**
 * Returns the keys that a step, without its slash, can mean in a URI fragment: as written, and percent-decoded. RFC
 * 6901, section 6, requires the encoding, and some libraries leave it out.
 */
export function parseStep(step: string): string[] {
  return [step, decodePercent(step)].map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the name that a reference or a pointer ends with. */
export function lastName(pointer: string): string {
  return parseStep(pointer.slice(pointer.lastIndexOf("/") + 1)).at(-1)!;
}

/** Decodes percent escapes. A text with a malformed one stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the own member that a step leads to, and its name; `undefined` if there is none. */
export function findMember(value: unknown, step: string): readonly [name: string, member: unknown] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return parseStep(step).filter((name) => Object.hasOwn(value, name))
    .map((name) => [name, Reflect.get(value, name)] as const)
    .find(([, member]) => member !== undefined);
}

interface FoundDefinition {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The rest of the reference's pointer. */
  readonly rest: string;
}

/** Finds the definition that a reference points to or into; `undefined` if there is none. */
export function findDefinition(reference: string, definitions: Definitions): FoundDefinition | undefined {
  const { file, steps: [keyword, step, ...others] = [] } = parseReference(reference);
  const isDefinition = file === "" && (keyword === "$defs" || keyword === "definitions") && step !== undefined;
  const [name, schema] = isDefinition ? findMember(definitions, step) ?? [] : [];
  if (name === undefined) return undefined;
  return { name, schema: schema as JsonSchema, rest: others.map((each) => `/${each}`).join("") }; // definitions are schemas
}

/**
 * Returns the names of the definitions that a schema refers to, directly or indirectly.
 *
 * @param referencesOf Returns the references of a schema.
 */
export function reachable(
  schema: unknown,
  definitions: Definitions,
  referencesOf: (schema: unknown) => ReadonlySet<string> = listReferences,
): string[] {
  const found = new Set<string>();
  const pending = [listTargets(schema, definitions, referencesOf)];
  for (let names = pending.pop(); names; names = pending.pop()) {
    for (const name of names) {
      if (found.has(name)) continue;
      found.add(name);
      pending.push(listTargets(definitions[name], definitions, referencesOf));
    }
  }
  return [...found];
}

/** Returns the names of the definitions that a schema itself refers to, for each reference. */
export function listTargets(
  schema: unknown,
  definitions: Definitions,
  referencesOf: (schema: unknown) => ReadonlySet<string> = listReferences,
): string[] {
  return [...referencesOf(schema)].flatMap((reference) => findDefinition(reference, definitions)?.name ?? []);
}

/** Lists the references inside a schema. `areNamed` tells that the members of this object have any names. */
export function listReferences(value: unknown, areNamed = false, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const [name, part] of Object.entries(value)) {
    if (name === "$ref" && typeof part === "string") found.add(part);
    else if (areNamed || !data.has(name)) listReferences(part, !areNamed && nameMaps.has(name), found);
  }
  return found;
}

export function mapReferences<Part>(value: Part, map: (reference: string) => string): Part {
  const mapped = mapInside(
    value,
    (part, name) => name === "$ref" && typeof part === "string" ? map(part) : mapReferences(part, map),
  );
  return mapped as Part; // only references are others
}

/** Maps a schema and all schemas inside it, the inner ones first. Values such as those of `const` stay as they are. */
export function mapObjects(schema: JsonSchema, map: (schema: JsonSchemaObject) => JsonSchemaObject): JsonSchema;
export function mapObjects(schema: unknown, map: (schema: JsonSchemaObject) => JsonSchemaObject): unknown;
export function mapObjects(schema: unknown, map: (schema: JsonSchemaObject) => JsonSchemaObject): unknown {
  const mapped = mapInside(schema, (part) => mapObjects(part, map));
  return isSchemaObject(mapped) ? map(mapped) : mapped;
}

/** Members of schemas and documents whose own members have any names, such as a property `default`. */
const nameMaps: ReadonlySet<string> = new Set([
  ...namedKeywords,
  ...["headers", "parameters", "pathItems", "requestBodies", "responses", "schemas", "securitySchemes", "webhooks"],
]);

const data: ReadonlySet<string> = new Set(dataKeywords);

/**
 * Maps what is directly inside a schema, a part of a document or a list. What is data stays as it is.
 *
 * @param map Called without a name for an item of a list and for a member of any name; a reference always has its.
 * @param hasNames Tests whether the members of an object have any names, besides those that its own name tells.
 */
export function mapInside(
  value: unknown,
  map: (part: unknown, name?: string) => unknown,
  hasNames: (value: JsonSchemaObject) => boolean = () => false,
): unknown {
  if (Array.isArray(value)) return value.map((each) => map(each));
  if (!isSchemaObject(value)) return value;
  const mapNamed = (part: unknown, name: string): unknown => name === "$ref" ? map(part, name) : map(part);
  const areNamed = hasNames(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (areNamed && !name.startsWith("x-")) return [name, mapNamed(part, name)];
      if (data.has(name)) return [name, part];
      if (!nameMaps.has(name) || !isSchemaObject(part)) return [name, map(part, name)];
      return [name, Object.fromEntries(Object.entries(part).map(([each, inner]) => [each, mapNamed(inner, each)]))];
    }),
  );
}
