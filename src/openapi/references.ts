import { type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { parseStep } from "../schema.ts";

/** Schemas by name. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

/** Keywords that contain data instead of schemas. A `$ref` inside them is not a reference. */
const dataKeywords: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);

/** Keywords that contain schemas by name. Their keys are not keywords. */
const namedKeywords: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

/** Returns a copy of a schema with every reference mapped. */
export function mapReferences(schema: unknown, map: (reference: string) => string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => mapReferences(each, map));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "$ref" && typeof value === "string") return [keyword, map(value)];
      if (dataKeywords.has(keyword)) return [keyword, value];
      if (namedKeywords.has(keyword)) return [keyword, mapNamed(value, map)];
      return [keyword, mapReferences(value, map)];
    }),
  );
}

/** Maps a schema and all schemas inside it, the inner ones first. Values such as those of `const` stay as they are. */
export function mapObjects(schema: unknown, map: (schema: JsonSchemaObject) => JsonSchemaObject): unknown {
  if (Array.isArray(schema)) return schema.map((each) => mapObjects(each, map));
  if (typeof schema !== "object" || schema === null) return schema;
  const mapped = Object.entries(schema).map(([keyword, value]) => {
    if (dataKeywords.has(keyword)) return [keyword, value];
    if (!namedKeywords.has(keyword) || typeof value !== "object" || value === null) {
      return [keyword, mapObjects(value, map)];
    }
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapObjects(each, map)]))];
  });
  return map(Object.fromEntries(mapped));
}

function mapNamed(schemas: unknown, map: (reference: string) => string): unknown {
  if (typeof schemas !== "object" || schemas === null) return schemas;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, mapReferences(schema, map)]));
}

/** Returns the references of a schema. */
export function listReferences(schema: unknown): Set<string> {
  const references = new Set<string>();
  mapReferences(schema, (reference) => {
    references.add(reference);
    return reference;
  });
  return references;
}

/** A converted schema, split into the schema itself and its definitions. */
export interface Parts {
  /** The schema without its definitions, dialect and identifier, which do not apply inside a document. */
  readonly root: JsonSchemaObject;
  /** The targets of references to `#/$defs/…`. */
  readonly definitions: Definitions;
  /** The schema's own name, if it has one. */
  readonly name: string | undefined;
}

/** Splits a converted schema. */
export function takeApart(schema: JsonSchemaObject): Parts {
  const { $schema: _, $id, $defs = {}, definitions = {}, ...root } = schema;
  const name = [root.title, $id, root.id].find((each) => typeof each === "string" && each !== "");
  return { root, definitions: { ...definitions as Definitions, ...$defs as Definitions }, name: name as string };
}

/**
 * Finds the definition that a reference points to or into, and the rest of its pointer; `undefined` if there is none.
 */
export function findDefinition(
  reference: string,
  definitions: Definitions,
): { readonly name: string; readonly rest: string } | undefined {
  const [, token, rest = ""] = /^#\/(?:\$defs|definitions)\/([^/]*)(\/.*)?$/s.exec(reference) ?? [];
  if (token === undefined) return undefined;
  const name = parseStep(token).find((each) => Object.hasOwn(definitions, each));
  return name === undefined ? undefined : { name, rest };
}

/** Whether a reference points to or into a definition of the schema. */
export function isToDefinition(reference: string): boolean {
  return /^#\/(?:\$defs|definitions)\//.test(reference);
}

/** Returns the names of the definitions that a schema refers to, directly or indirectly. */
export function reachable(schema: unknown, definitions: Definitions): string[] {
  const found = new Set<string>();
  const pending = [schema];
  while (pending.length > 0) {
    for (const reference of listReferences(pending.pop())) {
      const name = findDefinition(reference, definitions)?.name;
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      pending.push(definitions[name]);
    }
  }
  return [...found];
}
