/** The schemas of a document, and those that several places share. */
import type { RouteNode } from "../../contract/node.ts";
import type { JsonSchema, JsonSchemaObject } from "../json_schema/json.ts";
import { createConversions } from "./conversions.ts";
import { mapReferences } from "./references.ts";
import { createGraphs, type SchemaGraph, type SchemaPart } from "./schema_graph.ts";
import { listSlotSchemas, type SchemaProvider, type SchemaSlot, type SlotSchema } from "./slot_schemas.ts";

/** All schemas of a document. */
export interface EmbeddedSchemas {
  /** Returns the JSON Schema of a slot for its place in the document; `undefined` if the slot has none. */
  readonly of: (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;
  /** The components that those schemas refer to, by name. */
  readonly components: ReadonlyMap<string, JsonSchema>;
}

/** Converts the schemas of all routes. Schemas that are used more than once become components. */
export function embedSchemas(
  routes: readonly RouteNode[],
  supply: SchemaProvider | undefined,
  components: Components,
): EmbeddedSchemas {
  const conversions = createConversions();
  const uses = routes.flatMap((route) => listSlotSchemas(route, { supply, action: "describe", conversions }));
  const isShared = findShared(uses, components);
  const embedded = new Map<RouteNode, Map<SchemaSlot, JsonSchemaObject>>(routes.map((route) => [route, new Map()]));
  for (const use of uses) {
    const { route, slot, direction, converted: schema } = use;
    const name = `${route.key}.${slot}`;
    embedded.get(route)?.set(slot, components.embed({ schema, name, direction, isShared: isShared(use) }));
  }
  return { of: (route, slot) => embedded.get(route)?.get(slot), components: components.schemas };
}

/**
 * Returns a function that tells whether a schema is used more than once. Two sides of a schema that convert to the same
 * JSON Schema count as one.
 */
function findShared(uses: readonly SlotSchema[], { identify }: Components): (use: SlotSchema) => boolean {
  const counts = new Map<object, Map<string, number>>();
  for (const { source, converted } of uses.filter(({ isFields }) => !isFields)) {
    const sides = counts.get(source) ?? new Map<string, number>();
    const identity = identify(converted);
    counts.set(source, sides.set(identity, (sides.get(identity) ?? 0) + 1));
  }
  return ({ source, converted, isFields }) => !isFields && (counts.get(source)?.get(identify(converted)) ?? 0) > 1;
}

/** A converted schema to embed in a document, or in another schema. */
interface Embedded {
  /** The schema as its library converted it. */
  readonly schema: JsonSchemaObject;
  /** The name of the component, unless the schema has its own. */
  readonly name: string;
  /** The side of the schema. It distinguishes two sides with the same name. */
  readonly direction: "input" | "output";
  /** Whether the schema is used more than once and therefore becomes a component. */
  readonly isShared: boolean;
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
  /** The components so far, by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

/** Creates an empty set of components. `place` is the prefix of every reference to a component. */
export function createComponents(place = "#/components/schemas/"): Components {
  const schemas = new Map<string, JsonSchema>();
  const names = new Map<string, string>(); // by identity, so that equal schemas become one component
  const nextName = createNames();
  const toGraph = createGraphs();

  /** Adds a part of a schema and what it refers to, each once, and returns the name of its component. */
  function add(part: SchemaPart, wanted: string, { graph, direction, name }: Whole): string {
    const added: (readonly [name: string, part: SchemaPart])[] = [];
    const pending: (readonly [part: SchemaPart, wanted: string])[] = [[part, wanted]];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [each, own] = next;
      if (names.has(each.identity)) continue;
      const chosen = nextName(own, direction);
      names.set(each.identity, chosen);
      schemas.set(chosen, true); // in its place, before the components that it refers to
      added.push([chosen, each]);
      const below = graph.targetsOf(each).map((target) => [target, wantedName(target, own, name)] as const);
      pending.push(...below.reverse());
    }
    for (const [chosen, each] of added) schemas.set(chosen, relocate(each.content, graph));
    return names.get(part.identity)!;
  }

  /** Returns a copy of a schema whose references lead to the components. All of them must have been added. */
  function relocate<Content extends JsonSchema>(content: Content, graph: SchemaGraph): Content {
    return mapReferences(content, (reference) => {
      const target = graph.find(reference);
      return target ? `${place}${names.get(target.part.identity)}${target.rest}` : reference;
    }) as Content; // a copy
  }

  function embed({ schema, name: suggested, direction, isShared }: Embedded): JsonSchemaObject {
    const graph = toGraph(schema);
    const { root, name = titleOfAlias(graph) ?? suggested } = graph;
    const whole = { graph, direction, name };
    const targets = graph.targetsOf(root);
    const isComponent = isShared && hasStructure(root.content);
    if (isComponent || targets.includes(root)) return { $ref: place + add(root, name, whole) };
    for (const target of targets) add(target, wantedName(target, name, name), whole);
    return relocate(root.content, graph);
  }

  return { embed, identify: (schema) => toGraph(schema).root.identity, schemas };
}

/** A converted schema, while its parts are moved to components. */
interface Whole {
  readonly graph: SchemaGraph;
  readonly name: string;
  readonly direction: "input" | "output";
}

/** Returns the name that a part should have: its own, or else that of the component that refers to it first. */
function wantedName({ name }: SchemaPart, around: string, whole: string): string {
  if (name === undefined) return whole;
  return isGenerated(name) ? around : name;
}

/**
 * Tests whether a library generated the name of a definition: `intersection12` (ArkType), `__schema0` (Zod), `0`
 * (Valibot).
 */
function isGenerated(name: string): boolean {
  return /^(?:[a-z]*|__schema)\d+$/.test(name);
}

/** Returns the title of the definition that a schema is only a reference to, if its name says nothing. */
function titleOfAlias({ root, targetsOf }: SchemaGraph): string | undefined {
  const [target] = targetsOf(root);
  if (target?.name === undefined || !isGenerated(target.name) || Object.keys(root.content).length > 1) return undefined;
  const { content } = target;
  return typeof content === "object" && typeof content.title === "string" ? content.title : undefined;
}

/**
 * Tests whether a schema is complex enough for a component. A small one like `{ type: "string" }` reads better inline.
 */
function hasStructure(schema: JsonSchemaObject): boolean {
  return Object.values(schema).some((value) => typeof value === "object" && value !== null);
}

/** Returns a function that returns a name that is free, in the characters that OpenAPI allows. */
function createNames(): (name: string, direction: Whole["direction"]) => string {
  const taken = new Map<string, Whole["direction"]>();
  const numbers = new Map<string, number>(); // the last number of each name
  return (name, direction) => {
    const plain = name.replaceAll(/[^\w.-]+/g, "_") || "_";
    const isOtherSide = taken.has(plain) && taken.get(plain) !== direction;
    const base = isOtherSide ? `${plain}${direction === "input" ? "Input" : "Output"}` : plain;
    let chosen = base;
    let number = numbers.get(base) ?? 1;
    while (taken.has(chosen)) chosen = `${base}_${++number}`;
    numbers.set(base, number);
    taken.set(chosen, direction);
    return chosen;
  };
}
