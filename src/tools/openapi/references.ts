import {
  dataKeywords,
  isJsonSchema,
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaObject,
  namedKeywords,
  namedSchemas,
} from "../json_schema/json.ts";
import { parseStep } from "../../schema.ts";

export type Definitions = Readonly<Record<string, JsonSchema>>;

export function mapReferences<Part>(schema: Part, map: (reference: string) => string): Part {
  const mapped = mapInside(
    schema,
    (part, keyword) => keyword === "$ref" && typeof part === "string" ? map(part) : mapReferences(part, map),
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

/** Maps what is directly inside a schema or a list. */
function mapInside(schema: unknown, map: (part: unknown, keyword?: string) => unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each) => map(each));
  if (!isSchemaObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (dataKeywords.includes(keyword)) return [keyword, value];
      if (!namedKeywords.includes(keyword) || !isSchemaObject(value)) return [keyword, map(value, keyword)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each)]))];
    }),
  );
}

export function listReferences(schema: unknown): Set<string> {
  const references = new Set<string>();
  collectReferences(schema, references);
  return references;
}

function collectReferences(schema: unknown, references: Set<string>): void {
  if (typeof schema !== "object" || schema === null) return;
  if (Array.isArray(schema)) {
    for (const each of schema) collectReferences(each, references);
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "$ref" && typeof value === "string") references.add(value);
    else if (namedKeywords.includes(keyword) && typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) collectReferences(each, references);
    } else if (!dataKeywords.includes(keyword)) collectReferences(value, references);
  }
}

/** Sets of definitions that have only schemas, because many schemas share one. */
const valid = new WeakSet<Definitions>();

/** A converted schema, split into the schema itself and its definitions. */
export interface Parts {
  /** The schema without its definitions, dialect and identifier, which do not apply inside a document. */
  readonly root: JsonSchemaObject;
  /** The targets of references to `#/$defs/…`. */
  readonly definitions: Definitions;
  readonly name: string | undefined;
}

export function takeApart(schema: JsonSchemaObject): Parts {
  const { $schema: _, $id, $defs = {}, definitions = {}, ...root } = schema;
  const name = [$id, root.id].find((each): each is string => typeof each === "string" && each !== "");
  const isPlain = schema.definitions === undefined && isDefinitions($defs);
  const defined = isPlain
    ? $defs // the same object, which many schemas may share
    : Object.fromEntries([...namedSchemas(definitions), ...namedSchemas($defs)]);
  return { root, definitions: defined, name };
}

/** Tests whether a value has only schemas. A set that was found valid is not read again. */
function isDefinitions(value: unknown): value is Definitions {
  if (!isSchemaObject(value)) return false;
  const definitions = value as Definitions; // as is tested here
  if (!valid.has(definitions) && Object.values(value).every(isJsonSchema)) valid.add(definitions);
  return valid.has(definitions);
}

/** A definition that a reference points to or into. */
interface FoundDefinition {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The rest of the reference's pointer. */
  readonly rest: string;
}

/** Finds the definition that a reference points to or into; `undefined` if there is none. */
export function findDefinition(reference: string, definitions: Definitions): FoundDefinition | undefined {
  const [, token, rest = ""] = /^#\/(?:\$defs|definitions)\/([^/]*)(\/.*)?$/s.exec(reference) ?? [];
  if (token === undefined) return undefined;
  const name = parseStep(token).find((each) => Object.hasOwn(definitions, each));
  const schema = name === undefined ? undefined : definitions[name];
  return name === undefined || schema === undefined ? undefined : { name, schema, rest };
}

/** Tests whether a reference points to or into a definition of the schema. */
export function isToDefinition(reference: string): boolean {
  return /^#\/(?:\$defs|definitions)\//.test(reference);
}

/** Returns the names of the definitions that a schema refers to, directly or indirectly. */
export function reachable(schema: unknown, definitions: Definitions): string[] {
  const found = new Set<string>();
  const pending = [listTargets(schema, definitions)];
  for (let names = pending.pop(); names; names = pending.pop()) {
    for (const name of names) {
      if (found.has(name)) continue;
      found.add(name);
      pending.push(listTargets(definitions[name], definitions));
    }
  }
  return [...found];
}

export function listTargets(schema: unknown, definitions: Definitions): string[] {
  return [...listReferences(schema)].flatMap((reference) => findDefinition(reference, definitions)?.name ?? []);
}
