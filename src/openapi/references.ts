import { type JsonSchema, type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { parseStep } from "../pointer.ts";

/** Schemas by name. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

/** Keywords whose value is data, not schemas: a `$ref` in there is no reference. */
const dataKeywords: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);

/** Keywords whose value is schemas by name: there, no name is a keyword. */
const namedKeywords: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

/** The same schema with every reference mapped; everything else stays as it is. */
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

function mapNamed(schemas: unknown, map: (reference: string) => string): unknown {
  if (typeof schemas !== "object" || schemas === null) return schemas;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, mapReferences(schema, map)]));
}

/** The references of a schema. */
export function listReferences(schema: unknown): Set<string> {
  const references = new Set<string>();
  mapReferences(schema, (reference) => {
    references.add(reference);
    return reference;
  });
  return references;
}

/** A converted schema taken apart: what it is, and what it defines for itself. */
export interface Parts {
  /** The schema without its definitions, its dialect and its identifier, which mean nothing inside of a document. */
  readonly root: JsonSchemaObject;
  /** What `#/$defs/…` in it leads to. */
  readonly definitions: Definitions;
  /** What the schema calls itself. */
  readonly name: string | undefined;
}

/** Takes a converted schema apart. */
export function takeApart(schema: JsonSchemaObject): Parts {
  const { $schema: _, $id, $defs = {}, definitions = {}, ...root } = schema;
  const name = [root.title, $id, root.id].find((each) => typeof each === "string" && each !== "");
  return { root, definitions: { ...definitions as Definitions, ...$defs as Definitions }, name: name as string };
}

/** The name of the definition that a reference leads to or into, and the rest of its pointer; `undefined` where there is none. */
export function findDefinition(
  reference: string,
  definitions: Definitions,
): { readonly name: string; readonly rest: string } | undefined {
  const [, token, rest = ""] = /^#\/(?:\$defs|definitions)\/([^/]*)(\/.*)?$/s.exec(reference) ?? [];
  if (token === undefined) return undefined;
  const name = parseStep(token).find((each) => Object.hasOwn(definitions, each));
  return name === undefined ? undefined : { name, rest };
}

/** Whether a reference leads to the definitions of a schema, or into one. */
export function isToDefinition(reference: string): boolean {
  return /^#\/(?:\$defs|definitions)\//.test(reference);
}

/** The definitions that a schema leads to, however indirectly. */
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
