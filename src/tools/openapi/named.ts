/** The names of schemas: those of the option `schemas`, and the ids that schemas have themselves. */
import { isCodec } from "../../contract/codec.ts";
import { isSchema, type Schema } from "../../schema.ts";
import {
  annotationKeywords,
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaObject,
  mapParts,
  namedSchemas,
} from "../json_schema/json.ts";
import { addDefinition, createNumbers, isGenerated, toReference } from "./definitions.ts";
import { findDefinition, mapObjects, mapReferences } from "../json_schema/references.ts";
import { openOutput, tidySchema } from "./tidy.ts";

/** How schemas are converted for documents. Everything else that reads schemas needs them as they are. */
export interface ConversionRules {
  /** The names of schemas. They become definitions with these names. */
  readonly names?: ReadonlyMap<Schema, string>;
  /**
   * Returns the JSON Schema of a schema inside others, as its library passes it: a schema of Zod or Valibot, or a part
   * of ArkType that JSON Schema cannot express.
   */
  readonly supplyPart?: ((part: unknown) => JsonSchemaObject | undefined) | undefined;
  readonly polish?: typeof polish;
}

/** How documents write schemas. Everything else reads them as they are, and does not load this. */
export const polish = { tidySchema, openOutput, hoistIds, createEqualNames } as const;

/** Schemas that others of a library without identities are compared with. */
export interface EqualNames {
  /** Adds a converted schema under a name, unless one that is equal has another. */
  readonly add: (name: string, converted: JsonSchemaObject) => void;
  /**
   * Replaces the parts of a schema that equal a named one by references to definitions.
   *
   * @param own The name of the schema itself, if it has one.
   */
  readonly refer: (schema: JsonSchemaObject, own: string | undefined) => JsonSchemaObject;
}

/** The characters of a component's name (OpenAPI 3.1.1, "Components Object"). */
const componentName = /^[\w.-]+$/;

/**
 * Returns the names of the schemas among the exports of a module, by the schema that is converted: for a codec, that of
 * its wire. The first of two names of one schema wins. Everything else, such as a function, is skipped.
 *
 * @throws {TypeError} If OpenAPI does not allow a name.
 */
export function readNames(schemas: object, fail: (state: string) => never): Map<Schema, string> {
  const names = new Map<Schema, string>();
  for (const [name, value] of Object.entries(schemas)) {
    if (!isSchema(value)) continue;
    checkComponentName(name, "schemas", fail);
    const schema = isCodec(value) ? value.wire : value;
    if (!names.has(schema)) names.set(schema, name);
  }
  return names;
}

/** Checks that OpenAPI allows a name of the members of an option. */
export function checkComponentName(name: string, option: string, fail: (state: string) => never): void {
  if (componentName.test(name)) return;
  fail(`"${option}" must have names of letters, digits, ".", "-" and "_", got ${JSON.stringify(name)}`);
}

/**
 * Moves the parts of a schema that have an `id` to its definitions, and replaces them by references. A part stays where
 * it is if a different one has its id.
 *
 * @param reserved Names that other schemas have.
 */
export function hoistIds(schema: JsonSchemaObject, reserved: ReadonlySet<string>): JsonSchemaObject {
  if (!JSON.stringify(schema).includes('"id":')) return schema;
  const nameOf = (id: string): string => reserved.has(id) ? `${id}2` : id;
  const { $defs, ...own } = nameGenerated(schema, nameOf);
  const definitions: Record<string, JsonSchema> = {};
  for (const [name, each] of namedSchemas($defs)) addDefinition(definitions, name, dropId(each));
  const hoist = (part: JsonSchemaObject): JsonSchemaObject => {
    const content = dropId(part);
    if (content === part) return part;
    const name = nameOf(String(part["id"]));
    const known = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(content)) return content;
    addDefinition(definitions, name, content);
    return { $ref: toReference(name) };
  };
  const hoisted = mapObjects(own, hoist) as JsonSchemaObject; // an object stays one
  for (const [name, each] of Object.entries(definitions)) definitions[name] = mapObjects(each, hoist);
  return Object.keys(definitions).length === 0 ? hoisted : { ...hoisted, $defs: definitions };
}

/** Returns a schema without its `id`; the schema itself if it has none that can be a name. */
function dropId<Content extends JsonSchema>(schema: Content): Content {
  if (!isSchemaObject(schema)) return schema;
  const { id, ...content } = schema as JsonSchemaObject; // as is tested here
  return typeof id === "string" && componentName.test(id) ? content as Content : schema; // of the same kind
}

/** Names the definitions that a library numbered after the ids of their schemas. */
function nameGenerated(schema: JsonSchemaObject, nameOf: (id: string) => string): JsonSchemaObject {
  const renamed = new Map<string, string>();
  for (const [name, each] of namedSchemas(schema.$defs)) {
    const own = isSchemaObject(each) && dropId(each) !== each ? nameOf(String(each["id"])) : undefined;
    if (own !== undefined && isGenerated(name)) renamed.set(toReference(name), own);
  }
  if (renamed.size === 0) return schema;
  const rename = (reference: string): string => {
    const own = renamed.get(reference);
    return own === undefined ? reference : toReference(own);
  };
  const { $defs, ...own } = mapReferences(schema, rename);
  const definitions = namedSchemas($defs).map(([name, each]) => [renamed.get(toReference(name)) ?? name, each]);
  return { ...own, $defs: Object.fromEntries(definitions) };
}

interface NamedContent {
  readonly name: string;
  readonly content: JsonSchemaObject;
  /** The annotations that a part must have, too. */
  readonly annotations: JsonSchemaObject;
}

/** Creates an empty set. Each part of a schema has a number, which equal parts share, so that large ones take no longer. */
export function createEqualNames(): EqualNames {
  const numberText = createNumbers();
  const known = new Map<number, NamedContent[]>();
  const contents = new Map<string, JsonSchemaObject>();

  /** Returns the number of a part without its own annotations, and remembers the numbers of those inside. */
  function number(part: unknown, found: Map<object, number>): number {
    if (typeof part !== "object" || part === null) return numberText(JSON.stringify(part));
    const before = found.get(part);
    if (before !== undefined) return before;
    const members = Object.entries(part).map(([key, value]) => [key, whole(value, found)] as const);
    const own = numberText(JSON.stringify(Array.isArray(part) ? members : members.filter(isConstraint).sort()));
    found.set(part, own);
    return own;
  }

  /** Returns the number of a part with its annotations. */
  function whole(part: unknown, found: Map<object, number>): number {
    if (!isSchemaObject(part)) return number(part, found);
    const annotations = Object.entries(part).filter((entry) => !isConstraint(entry)).sort();
    return numberText(JSON.stringify(["whole", number(part, found), annotations]));
  }

  function find(part: JsonSchemaObject, found: Map<object, number>): NamedContent | undefined {
    return known.get(number(part, found))?.find(({ annotations }) =>
      Object.entries(annotations).every(([keyword, value]) => JSON.stringify(part[keyword]) === JSON.stringify(value))
    );
  }

  function refer(schema: JsonSchemaObject, own: string | undefined): JsonSchemaObject {
    if (known.size === 0 && own === undefined) return schema;
    const found = new Map<object, number>();
    const used = new Map<string, NamedContent>();
    const visit = (whole: JsonSchema): JsonSchema => {
      if (!isSchemaObject(whole)) return whole;
      const part = followGenerated(whole, $defs);
      const named = find(part, found);
      if (named === undefined) return mapInnerSchemas(whole, visit);
      used.set(named.name, named);
      const beside = Object.entries(part).filter((entry) =>
        !isConstraint(entry) && !Object.hasOwn(named.annotations, entry[0])
      );
      return { $ref: toReference(named.name), ...Object.fromEntries(beside) };
    };
    const { $defs, ...root } = schema;
    const definitions: Record<string, JsonSchema> = {};
    const content = own === undefined ? visit(root) : { $ref: toReference(own) };
    if (own !== undefined) addDefinition(definitions, own, mapInnerSchemas(contents.get(own) ?? root, visit));
    for (const [name, each] of namedSchemas($defs)) addDefinition(definitions, name, visit(each));
    for (const named of used.values()) addDefinition(definitions, named.name, mapInnerSchemas(named.content, visit)); // which grows
    const hasDefinitions = Object.keys(definitions).length > 0;
    return { ...content as JsonSchemaObject, ...(hasDefinitions && { $defs: definitions }) };
  }

  return {
    add: (name, { $defs = {}, ...root }) => {
      const own = followGenerated(root, $defs);
      const target = Object.keys(own).join() === "$ref" ? findDefinition(String(own.$ref), Object($defs)) : undefined;
      const content = isSchemaObject(target?.schema) && target.rest === "" ? target.schema : own;
      contents.set(name, content);
      const annotations = Object.fromEntries(Object.entries(own).filter((entry) => !isConstraint(entry)));
      if (!isDistinct(own, annotations)) return;
      const numbered = number(own, new Map());
      known.set(numbered, [...known.get(numbered) ?? [], { name, content, annotations }]);
    },
    refer,
  };
}

/** Returns the definition that a schema only refers to, if its library numbered it; otherwise the schema itself. */
function followGenerated(schema: JsonSchemaObject, $defs: unknown): JsonSchemaObject {
  const { $ref, ...beside } = schema;
  const isReference = typeof $ref === "string" && Object.keys(beside).length === 0;
  const target = isReference ? findDefinition($ref, Object($defs)) : undefined;
  return target?.rest === "" && isGenerated(target.name) && isSchemaObject(target.schema) ? target.schema : schema;
}

function isConstraint([keyword]: readonly [string, unknown]): boolean {
  return !annotationKeywords.includes(keyword);
}

/** Tests whether a schema says more than a type, so that an equal one is no coincidence. */
function isDistinct(content: JsonSchemaObject, annotations: JsonSchemaObject): boolean {
  return Object.keys(annotations).length > 0 || Object.keys(content).some((keyword) => keyword !== "type");
}

function mapInnerSchemas(schema: JsonSchema, map: (part: JsonSchema) => JsonSchema): JsonSchema {
  if (!isSchemaObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, mapParts(keyword, value, map)]));
}
