/** The schemas of a document, and those that several places share. */
import type { RouteNode } from "../../contract/node.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, schemaList, textList } from "../json_schema/json.ts";
import { type Conversions, createConversions } from "./conversions.ts";
import { type Direction, isGenerated, remember, tryTo } from "./definitions.ts";
import type { ConversionRules } from "./named.ts";
import { addNotes } from "./notes.ts";
import type { RouteDocs } from "./options.ts";
import { mapObjects, mapReferences } from "../json_schema/references.ts";
import { createGraphs, type SchemaGraph, type SchemaPart } from "./schema_graph.ts";
import { listSlotSchemas, type SchemaSlot, type SlotOptions, type SlotSchema } from "./slot_schemas.ts";

export interface EmbeddedSchemas {
  /** Returns the JSON Schema of a slot for its place in the document; `undefined` if the slot has none. */
  readonly of: (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;
  readonly find: (reference: string) => JsonSchema | undefined;
}

/**
 * Converts the schemas of all routes. Those with a name, and those that are used more than once, become components. The
 * schemas of requests come first: if the two sides of one name differ, the output has another name, whatever the order
 * of the routes.
 */
export function embedSchemas(
  { routes, hooks }: Readonly<Record<"routes" | "hooks", readonly RouteNode[]>>,
  { supply, rules, docs }: Pick<SlotOptions, "supply"> & { readonly rules: ConversionRules; readonly docs: RouteDocs },
  components: Components,
): EmbeddedSchemas {
  const slots = { supply, action: "describe", conversions: createConversions(rules) };
  const uses = [
    ...routes.flatMap((route) => listSlotSchemas(route, slots)),
    ...hooks.flatMap((hook) => listSlotSchemas(hook, slots, "output")),
  ].map((use) => addSlotNotes(use, docs));
  const sharedName = nameShared(uses, components);
  const isSplit = findSplit(rules.names, slots.conversions, components);
  const embedded = new Map<RouteNode, Map<SchemaSlot, JsonSchemaObject>>(
    [...routes, ...hooks].map((route) => [route, new Map()]),
  );
  const isInput = ({ direction }: SlotSchema): boolean => direction === "input";
  for (const use of [...uses.filter(isInput), ...uses.filter((each) => !isInput(each))]) {
    const { route, slot, direction, converted: schema } = use;
    const shared = sharedName(use);
    const name = shared ?? nameOfPlace(use);
    embedded.get(route)?.set(
      slot,
      components.embed({ schema, name, direction, isShared: shared !== undefined, isSplit }),
    );
  }
  components.mapSchemas((schema) => addDiscriminators(schema, components.find));
  for (const slots of embedded.values()) {
    for (const [slot, schema] of slots) slots.set(slot, addDiscriminators(schema, components.find));
  }
  return { of: (route, slot) => embedded.get(route)?.get(slot), find: components.find };
}

/**
 * Returns a function that tests whether the two sides of a named schema differ, whether or not both are in the document,
 * so that no new route renames one of them.
 */
function findSplit(
  names: ConversionRules["names"],
  { convert }: Conversions,
  { identify }: Components,
): (name: string) => boolean {
  const schemas = new Map([...names ?? []].map(([schema, name]) => [name, schema] as const));
  const isSplit = (name: string): boolean => {
    const schema = schemas.get(name);
    const sides = (["input", "output"] as const).map((side) => schema && tryTo(() => identify(convert(schema, side))));
    return !sides.includes(undefined) && sides[0] !== sides[1];
  };
  const known = new Map<string, boolean>();
  return (name) => remember(known, name, isSplit);
}

/** Adds the notes that the prose of a route has on the schema of a body or a response. */
function addSlotNotes(use: SlotSchema, docs: RouteDocs): SlotSchema {
  const { route, slot, converted } = use;
  const { body, responses = {} } = docs.get(route) ?? {};
  const { range = "" } = typeof slot === "number" ? route.responses[slot] ?? {} : {};
  const status = Object.hasOwn(responses, slot) ? String(slot) : range;
  const { schema: notes } = (slot === "body" ? body : responses[status]) ?? {};
  if (notes === undefined) return use;
  const place = `docs.${route.key}.${slot === "body" ? slot : `responses.${status}`}.schema`;
  return { ...use, converted: addNotes(converted, notes, place) as JsonSchemaObject }; // an object stays one
}

/**
 * Returns a function that names a schema that is used more than once after the first of its places in alphabetical
 * order; `undefined` for any other. Two sides of a schema that convert to the same JSON Schema count as one.
 */
function nameShared(
  uses: readonly SlotSchema[],
  { identify }: Components,
): (use: SlotSchema) => string | undefined {
  const places = new Map<object, Map<string, string[]>>();
  for (const use of uses.filter(({ isFields }) => !isFields)) {
    const sides = remember(places, use.source, () => new Map<string, string[]>());
    remember(sides, identify(use.converted), () => []).push(nameOfPlace(use));
  }
  return ({ source, converted, isFields }) => {
    const names = isFields ? [] : places.get(source)?.get(identify(converted)) ?? [];
    return names.length > 1 ? names.toSorted()[0] : undefined;
  };
}

/** Returns the name of a schema without one: the key and slot of its place, in letters and digits. */
function nameOfPlace({ route, slot }: SlotSchema): string {
  const words = `${route.key}.${slot}`.split(/[^a-z\d]+/i);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("") || "Schema";
}

interface Embedded {
  readonly schema: JsonSchemaObject;
  /** The name of the component, unless the schema has its own. */
  readonly name: string;
  readonly direction: Direction;
  /** Whether the schema is used more than once and therefore becomes a component. */
  readonly isShared: boolean;
  /** Tests whether the input of a named schema differs from its output. */
  readonly isSplit?: (name: string) => boolean;
}

/** The schemas that other schemas refer to. The set grows while schemas are embedded. */
export interface Components {
  /**
   * Returns the schema for its place in the document. Its definitions, and the schema itself if it is shared, become
   * components.
   */
  readonly embed: (embedded: Embedded) => JsonSchemaObject;
  /** Returns a text that equal schemas share, and others do not. */
  readonly identify: (schema: JsonSchemaObject) => string;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly find: (reference: string) => JsonSchema | undefined;
  readonly mapSchemas: (map: (schema: JsonSchema) => JsonSchema) => void;
  /** The names that schemas have themselves, by the name of their component, which may be another one. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Creates an empty set of components.
 *
 * @param reserved The names that only the schemas of these names have.
 * @param place The prefix of every reference to a component.
 */
export function createComponents(
  reserved: ReadonlySet<string> = new Set(),
  place = "#/components/schemas/",
): Components {
  const schemas = new Map<string, JsonSchema>();
  const names = new Map<string, string>(); // by key, so that equal schemas become one component
  const nextName = createNames(reserved);
  const sources = new Map<string, string>();
  const toGraph = createGraphs();

  /** Adds a part of a schema and what it refers to, each once, and returns the name of its component. */
  function add(
    part: SchemaPart,
    wanted: string,
    graph: SchemaGraph,
    { name, direction, isSplit }: Pick<Embedded, "name" | "direction" | "isSplit">,
  ): string {
    const added: (readonly [name: string, part: SchemaPart])[] = [];
    const pending: (readonly [part: SchemaPart, wanted: string])[] = [[part, wanted]];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [alias, own] = next;
      if (names.has(keyOf(alias))) continue;
      const each = followAlias(alias, graph);
      const before = names.get(keyOf(each));
      if (before !== undefined) names.set(keyOf(alias), before);
      if (before !== undefined) continue;
      const isOther = direction === "output" && alias.name === own && reserved.has(own) && isSplit?.(own) === true;
      const chosen = nextName(isOther ? `${own}Output` : own, direction, alias.name === own && !isOther);
      sources.set(chosen, own);
      names.set(keyOf(each), chosen).set(keyOf(alias), chosen);
      schemas.set(chosen, true); // in its place, before the components that it refers to
      added.push([chosen, each]);
      const below = graph.targetsOf(each).map((target) => [target, wantedName(target, own, name)] as const);
      pending.push(...below.reverse());
    }
    for (const [chosen, each] of added) schemas.set(chosen, relocate(each.content, graph));
    return names.get(keyOf(part))!;
  }

  /** Returns a copy of a schema whose references lead to the components. All of them must have been added. */
  function relocate<Content extends JsonSchema>(content: Content, graph: SchemaGraph): Content {
    return mapReferences(content, (reference) => {
      const target = graph.find(reference);
      return target ? `${place}${names.get(keyOf(target.part))}${target.rest}` : reference;
    }) as Content; // a copy
  }

  function embed({ schema, isShared, ...embedded }: Embedded): JsonSchemaObject {
    const graph = toGraph(schema);
    const { root, name = embedded.name } = graph;
    const whole = { ...embedded, name };
    const targets = graph.targetsOf(root);
    const isStructure = Object.values(root.content).some((value) => typeof value === "object" && value !== null);
    const isComponent = isShared && isStructure; // a small one like { type: "string" } reads better inline
    if (isComponent || targets.includes(root)) return { $ref: place + add(root, name, graph, whole) };
    for (const target of targets) add(target, wantedName(target, name, name), graph, whole);
    return relocate(root.content, graph);
  }

  return {
    embed,
    identify: (schema) => toGraph(schema).root.identity,
    schemas,
    find: (reference) => reference.startsWith(place) ? schemas.get(reference.slice(place.length)) : undefined,
    mapSchemas: (map) => {
      for (const [name, schema] of schemas) schemas.set(name, map(schema));
    },
    sources,
  };
}

/** Returns the part that a named one only refers to, if its library numbered it: the name is that of both. */
function followAlias(part: SchemaPart, { targetsOf }: SchemaGraph): SchemaPart {
  const [target] = targetsOf(part);
  const isAlias = part.name !== undefined && target !== undefined && target !== part &&
    isGenerated(target.name ?? "") && Object.keys(part.content).join() === "$ref";
  return isAlias ? target : part;
}

/** Returns a text that parts share if they are one component: equal ones, unless they have different names. */
function keyOf({ name, identity }: SchemaPart): string {
  return name === undefined || isGenerated(name) ? identity : `${identity} ${name}`;
}

/** Returns the name that a part should have: its own, or else that of the component that refers to it first. */
function wantedName({ name }: SchemaPart, around: string, whole: string): string {
  if (name === undefined) return whole;
  return isGenerated(name) ? around : name;
}

/**
 * Returns a function that returns a name that is free, in the characters that OpenAPI allows. A reserved name is free
 * only for the definition that has it.
 */
function createNames(
  reserved: ReadonlySet<string>,
): (name: string, direction: Direction, isOwn: boolean) => string {
  const taken = new Map<string, Direction>();
  const numbers = new Map<string, number>(); // the last number of each name
  return (name, direction, isOwn) => {
    const plain = name.replaceAll(/[^\w.-]+/g, "_") || "_";
    const isTaken = (each: string): boolean => taken.has(each) || (reserved.has(each) && !(isOwn && each === name));
    const isOtherSide = taken.has(plain) && taken.get(plain) !== direction;
    const base = isOtherSide ? `${plain}${direction === "input" ? "Input" : "Output"}` : plain;
    let chosen = base;
    let number = numbers.get(base) ?? 1;
    while (isTaken(chosen)) chosen = `${base}${++number}`;
    numbers.set(base, number);
    taken.set(chosen, direction);
    return chosen;
  };
}

/**
 * Adds `discriminator` to the unions of a schema whose members are components, each with other values of one required
 * property (OpenAPI 3.1.1, "Discriminator Object").
 */
function addDiscriminators<Content extends JsonSchema>(schema: Content, find: Components["find"]): Content {
  const add = (part: JsonSchemaObject): JsonSchemaObject => {
    const { oneOf, anyOf, discriminator } = part;
    if (discriminator !== undefined) return part;
    const found = findDiscriminator(schemaList(oneOf ?? anyOf), find);
    return found ? { ...part, discriminator: found } : part;
  };
  return mapObjects(schema, add) as Content; // of the same kind
}

function findDiscriminator(members: readonly JsonSchema[], find: Components["find"]): JsonSchemaObject | undefined {
  const references = members.flatMap((each) =>
    isSchemaObject(each) && typeof each.$ref === "string" ? [each.$ref] : []
  );
  const targets = references.map((each) => find(each)).filter(isSchemaObject);
  if (members.length < 2 || targets.length < members.length) return undefined;
  for (const propertyName of textList(targets[0]?.required)) {
    const values = targets.map((each) => valuesOf(each, propertyName));
    const all = values.flat();
    if (values.some((each) => each.length === 0) || new Set(all).size < all.length) continue;
    const mapping = values.flatMap((each, index) => each.map((value) => [value, references[index]!] as const));
    return { propertyName, mapping: Object.fromEntries(mapping) };
  }
  return undefined;
}

/** Returns the texts that a required property of an object may have; none if it may have others. */
function valuesOf({ properties, required }: JsonSchemaObject, name: string): readonly string[] {
  if (!textList(required).includes(name) || !isSchemaObject(properties)) return [];
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isSchemaObject(property)) return [];
  const values: readonly unknown[] = Array.isArray(property["enum"]) ? property["enum"] : [property.const];
  return values.every((each): each is string => typeof each === "string") ? values : [];
}
