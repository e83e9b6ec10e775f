/**
 * Converts Zod schemas that refer to each other piece by piece. Zod converts everything that a schema leads to, again
 * for each schema, and looks for transforms below each part, again for each part.
 *
 * A piece is a schema with an `id`, an object that leads to itself, or a large object that several schemas contain. It
 * is converted alone, as a copy in which other pieces are references.
 */
import { groupCycles } from "../json_schema/cycles.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, namedSchemas } from "../json_schema/json.ts";
import type { Schema } from "../../schema.ts";
import {
  addDefinition,
  type Convertible,
  type ConvertOptions,
  copySchema,
  type Direction,
  type SharedDefinitions,
  toReference,
} from "./definitions.ts";
import type { ConversionRules } from "./named.ts";
import { findDefinition, listReferences, mapObjects, mapReferences } from "../json_schema/references.ts";

/** The part of a Zod schema that its documentation describes for authors of libraries. */
interface ZodSchema {
  readonly _zod: {
    readonly def: ZodDefinition;
    readonly constr: new (def: ZodDefinition) => ZodSchema;
    readonly traits: ReadonlySet<string>;
    parent?: ZodSchema | undefined;
    readonly innerType?: ZodSchema;
  };
  /** Returns what the global registry says of the schema. */
  readonly meta: () => Readonly<Record<string, unknown>> | undefined;
}

type ZodDefinition = Readonly<Record<string, unknown>> & { readonly type: string };

interface ZodNode {
  readonly schema: ZodSchema;
  parts: readonly ZodNode[];
  /** The schema that it was derived from, by `describe()` and the like. */
  parent?: ZodNode;
  /** How many schemas contain it. */
  uses: number;
  /** How many schemas are converted with it, itself included. */
  size: number;
  /** Whether it is converted alone. */
  isPiece: boolean;
  /** The JSON Schema that the user supplied for it. */
  supplied?: JsonSchemaObject | undefined;
  /** Whether it contains a piece, so that it is converted as a copy. */
  isMixed: boolean;
  isTransforming: boolean;
}

export interface ZodGraph {
  readonly direction: Direction;
  readonly shared: SharedDefinitions;
  readonly rules: ConversionRules;
  readonly nodes: Map<ZodSchema, ZodNode>;
  readonly names: Map<ZodNode, string>;
  readonly copies: Map<ZodNode, ZodSchema>;
  readonly originals: Map<ZodSchema, ZodSchema>;
}

/** What the global registry says about schemas, which the copies of Zod share. It may not exist. */
declare const __zod_globalRegistry: { readonly get: MetadataOf };

type MetadataOf = (schema: object) => { readonly readOnly?: unknown } | undefined;

const registered: MetadataOf = (schema) =>
  typeof __zod_globalRegistry === "object" ? __zod_globalRegistry.get(schema) : undefined;

/**
 * Returns the options with which Zod converts. Its `readonly()` means that a program does not change the value. In a
 * document, `readOnly` means that requests do not have the property, so only one of `meta()` stays. In documents an
 * object that removes undeclared members is open, as it is for those who send it.
 *
 * @param metadataOf Returns the metadata of a schema. Default: that of the global registry, with its name as the `id`.
 */
export function toZodOptions(
  { direction, rules: { names, polish } }: Pick<ZodGraph, "direction" | "rules">,
  metadataOf?: MetadataOf,
): ConvertOptions["libraryOptions"] {
  const find = metadataOf ?? registered;
  const override = ({ zodSchema, jsonSchema }: ZodConversion): void => {
    const { def } = zodSchema._zod;
    const isStripping = def.type === "object" && def["catchall"] === undefined && direction === "output";
    if (polish && isStripping && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (def.type !== "readonly") return;
    for (let part: unknown = zodSchema; part; part = (part as ZodSchema)._zod.def["innerType"]) { // what it wraps
      if (find(part)?.readOnly) return;
    }
    delete jsonSchema.readOnly;
  };
  if (metadataOf) return { override, metadata: { get: metadataOf } };
  if (!names?.size) return { override };
  const get: MetadataOf = (schema) => {
    const id = names.get(schema as Schema);
    return id === undefined ? registered(schema) : { ...registered(schema), id };
  };
  return { override, metadata: { get } };
}

interface ZodConversion {
  readonly zodSchema: ZodSchema;
  readonly jsonSchema: { readOnly?: unknown; additionalProperties?: unknown };
}

export function createZodGraph(direction: Direction, shared: SharedDefinitions, rules: ConversionRules): ZodGraph {
  return { direction, shared, rules, nodes: new Map(), names: new Map(), copies: new Map(), originals: new Map() };
}

/** Tests whether a value is a Zod schema that can be copied. Those of `zod/mini` do not convert. */
export function isZod(value: unknown): value is ZodSchema & Schema {
  const { _zod, meta }: Partial<ZodSchema> = Object(value);
  return typeof _zod?.constr === "function" && _zod.traits?.has("$ZodType") && typeof meta === "function";
}

/**
 * Converts a Zod schema that contains pieces; `undefined` if it contains none, or cannot be taken apart, so that Zod
 * converts it as a whole.
 */
export function convertZod(schema: ZodSchema, graph: ZodGraph): JsonSchemaObject | undefined {
  const added: [piece: ZodNode, name: string][] = [];
  const { names, shared: { schemas } } = graph;
  try {
    const root = reach(schema, graph);
    if (root.supplied) return root.supplied;
    if (!root.isPiece && !root.isMixed) return undefined;
    const own = root.isPiece ? { $ref: toReference(nameOf(root, graph)) } : convertPiece(root, graph);
    for (const [piece, name] of names) { // which grows
      if (Object.hasOwn(schemas, name)) continue;
      added.push([piece, name]);
      addDefinition(schemas, name, convertPiece(piece, graph, name));
    }
    for (const [, name] of added) schemas[name] = dropRepeated(schemas[name]!, schemas);
    return { ...dropRepeated(own, schemas), $defs: schemas };
  } catch { // Zod reports what does not convert
    for (const [piece, name] of names) if (!Object.hasOwn(schemas, name)) added.push([piece, name]);
    for (const [piece, name] of added) {
      names.delete(piece);
      delete schemas[name];
    }
    return undefined;
  }
}

/** Removes keywords beside a reference that its target has, too, as Zod does for schemas that were derived from it. */
function dropRepeated<Content extends JsonSchema>(content: Content, schemas: SharedDefinitions["schemas"]): Content {
  return mapObjects(content, (each) => {
    const { $ref, ...beside } = each;
    const target = typeof $ref === "string" ? findDefinition($ref, schemas)?.schema : undefined;
    if (!isSchemaObject(target) || Object.keys(beside).length === 0) return each;
    const own = Object.entries(beside).filter(([name, value]) =>
      !Object.hasOwn(target, name) || JSON.stringify(value) !== JSON.stringify(target[name])
    );
    return { $ref, ...Object.fromEntries(own) };
  }) as Content; // of the same kind
}

/** Reaches a schema and all schemas that it leads to, and chooses the pieces among them. */
function reach(schema: ZodSchema, graph: ZodGraph): ZodNode {
  const { rules } = graph;
  const known = graph.nodes.get(schema);
  const root = known ?? createNode(schema, graph);
  root.uses++;
  if (known) return known;
  const isNew = new Set<ZodNode>([root]);
  const folded = new Set<ZodNode>();
  for (const node of isNew) { // which grows
    const { _zod: { def, parent } } = node.schema;
    const toTarget = (part: ZodSchema): ZodNode => {
      const before = graph.nodes.get(part);
      const target = before ?? createNode(part, graph);
      if (!before) isNew.add(target);
      return target;
    };
    node.supplied = rules.supplyPart?.(node.schema);
    if (node.supplied) continue;
    node.parts = partsOf(node.schema).map(toTarget);
    for (const part of node.parts) part.uses++;
    if (isZod(parent)) node.parent = toTarget(parent);
    if (def.type === "intersection") { for (const part of node.parts) folded.add(part); }
  }
  for (const node of folded) { // which grows: objects that Zod may join with others
    if (node.schema._zod.def.type !== "object") { for (const part of node.parts) folded.add(part); }
  }
  const newTargetsOf = (node: ZodNode) => targetsOf(node).filter((each) => isNew.has(each));
  for (const group of groupCycles([root], newTargetsOf)) choosePieces(group, folded, graph);
  return root;
}

function createNode(schema: ZodSchema, { nodes }: ZodGraph): ZodNode {
  const node = { schema, parts: [], uses: 0, size: 1, isPiece: false, isMixed: false, isTransforming: false };
  nodes.set(schema, node);
  return node;
}

function partsOf({ _zod: { def, innerType } }: ZodSchema): ZodSchema[] {
  if (def.type === "lazy") return isZod(innerType) ? [innerType] : [];
  return Object.entries(def).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.filter(isZod);
    return name === "shape" ? Object.values(Object(value)).filter(isZod) : isZod(value) ? value : [];
  });
}

/** Returns the schemas that a schema leads to. */
function targetsOf({ parts, parent }: ZodNode): readonly ZodNode[] {
  return parent ? [...parts, parent] : parts;
}

/** The most schemas that the uses of an object without an `id` may add. */
const mostRepeated = 1000;

/** Decides which schemas of a group are pieces. The groups that it leads to are decided. */
function choosePieces(group: readonly ZodNode[], folded: ReadonlySet<ZodNode>, graph: ZodGraph): void {
  const members = new Set(group);
  const [first] = group;
  const isCycle = group.length > 1 || first!.parts.includes(first!);
  const below = group.flatMap(targetsOf).filter((each) => !members.has(each));
  const size = below.reduce((sum, each) => sum + (each.isPiece ? 1 : each.size), group.length);
  const isTransforming = [...group, ...below].some(({ isTransforming, schema: { _zod: { def, traits } } }) =>
    isTransforming || def.type === "transform" || traits.has("$ZodCodec")
  );
  for (const node of group) {
    const { schema, uses } = node;
    const isObject = schema._zod.def.type === "object" && uses > 0 && !folded.has(node);
    node.isPiece = idOf(schema, graph) !== undefined || (isObject && (isCycle || size * uses > mostRepeated)) ||
      (isCycle && schema._zod.def.type === "intersection");
    node.size = size;
    node.isTransforming = isTransforming;
  }
  const isCopied = (each: ZodNode): boolean => each.isPiece || each.isMixed || each.supplied !== undefined;
  const isMixed = [...group, ...below].some(isCopied);
  for (const node of group) {
    node.isMixed = isCycle ? isMixed : targetsOf(node).some(isCopied);
  }
}

/** Returns the name of a schema: that of the option `schemas`, or else its own `id`. */
function idOf(schema: ZodSchema, { rules: { names } }: ZodGraph): string | undefined {
  const named = names?.get(schema as ZodSchema & Schema); // it is looked up by identity
  const id = named ?? schema.meta()?.id;
  return typeof id === "string" ? id : undefined;
}

/** Returns the name of a piece, which is defined later. Throws if another schema has its `id`. */
function nameOf(piece: ZodNode, graph: ZodGraph): string {
  const { names, shared, rules } = graph;
  const known = names.get(piece);
  if (known !== undefined) return known;
  const id = idOf(piece.schema, graph);
  const isNamed = rules.names?.has(piece.schema as ZodSchema & Schema) === true;
  const isReserved = !isNamed && id !== undefined && [...rules.names?.values() ?? []].includes(id);
  const name = isReserved ? shared.nextName(id) : id ?? shared.nextName("__schema");
  if (Object.hasOwn(shared.schemas, name) || (name === id && [...names.values()].includes(name))) {
    throw new TypeError(`Several schemas have the id ${name}`);
  }
  names.set(piece, name);
  return name;
}

/** The prefix of references to pieces, until Zod's own references have other names. */
const pieceScheme = "piece:";

/** Converts a schema alone. Other pieces are references. */
function convertPiece(piece: ZodNode, graph: ZodGraph, name?: string): JsonSchemaObject {
  if (piece.supplied) return piece.supplied;
  const { direction, shared, originals } = graph;
  const get = (schema: Partial<ZodSchema>): object | undefined => {
    const original = originals.get(schema as ZodSchema) ?? schema;
    const { id, ...meta } = original.meta?.() ?? {};
    return original === piece.schema || id === undefined ? meta : { ...meta, id };
  };
  const standard: Convertible = copyOf(piece, graph, true)["~standard"];
  const libraryOptions = toZodOptions(graph, get)!;
  const converted = copySchema(standard.jsonSchema![direction]({ target: "draft-2020-12", libraryOptions }));
  const { $schema: _, $defs, ...own } = graph.rules.polish?.tidySchema(converted) ?? converted;
  const definitions = namedSchemas($defs);
  const renamed = new Map(definitions.map(([each]) => [toReference(each), shared.nextName("__schema")]));
  const isRoot = [...listReferences({ not: own, $defs })].some((reference) => /^#(?:\/(?!\$defs\/)|$)/.test(reference));
  const self = name ?? (isRoot ? shared.nextName("__schema") : undefined);
  const toShared = (reference: string): string => {
    if (reference.startsWith(pieceScheme)) return toReference(reference.slice(pieceScheme.length));
    const other = renamed.get(reference);
    return other === undefined ? toReference(self!) + reference.slice(1) : toReference(other);
  };
  for (const [each, schema] of definitions) {
    addDefinition(shared.schemas, renamed.get(toReference(each))!, mapReferences(schema, toShared));
  }
  const content = mapReferences(own, toShared);
  if (name !== undefined || self === undefined) return content;
  addDefinition(shared.schemas, self, content);
  return { $ref: toReference(self) };
}

/** Returns a copy of a schema whose pieces are references; the schema itself if it contains none. */
function copyOf(node: ZodNode, graph: ZodGraph, isAlone = false): ZodSchema & Schema {
  const { schema, isPiece, isMixed, supplied } = node;
  const { copies, originals } = graph;
  if (isPiece && !isAlone) return createStub(node, () => ({ $ref: pieceScheme + nameOf(node, graph) }));
  if (supplied) return createStub(node, () => copySchema(supplied));
  const known = isMixed ? copies.get(node) : schema;
  if (known === placeholder) throw new TypeError("The schema contains itself");
  if (known) return known as ZodSchema & Schema;
  const { def, constr, innerType } = schema._zod;
  const inner = (part: unknown): unknown =>
    isZod(part) && graph.nodes.has(part) ? copyOf(graph.nodes.get(part)!, graph) : part;
  const entries = Object.entries(def).map(([name, value]): [string, unknown] => {
    if (name === "getter") return [name, () => inner(innerType)];
    if (Array.isArray(value)) return [name, value.map(inner)];
    if (name !== "shape") return [name, inner(value)];
    return [name, Object.fromEntries(Object.entries(Object(value)).map(([key, part]) => [key, inner(part)]))];
  });
  copies.set(node, placeholder);
  const copy = new constr(Object.fromEntries(entries) as ZodDefinition) as ZodSchema & Schema;
  if (node.parent) copy._zod.parent = copyOf(node.parent, graph);
  copies.set(node, copy);
  originals.set(copy, schema);
  return copy;
}

/** Marks a copy that is being made. */
const placeholder = Object.freeze({}) as ZodSchema; // never read

/** Returns a schema that converts to a JSON Schema. It is optional and has values like another one. */
function createStub({ schema, isTransforming }: ZodNode, toJSONSchema: () => JsonSchemaObject): ZodSchema & Schema {
  const own = { def: { type: isTransforming ? "transform" : "unknown" }, parent: undefined, toJSONSchema };
  const members = Object.entries(own).map(([name, value]) => [name, { value }] as const);
  const stub: Pick<ZodSchema, "_zod"> = { _zod: Object.create(schema._zod, Object.fromEntries(members)) };
  return stub as ZodSchema & Schema; // Zod reads nothing else
}
