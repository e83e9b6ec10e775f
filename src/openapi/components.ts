/** The schemas of a document, and those that several places share. */
import type { RouteNode } from "../contract/node.ts";
import type { JsonSchema, JsonSchemaObject } from "../json_schema/json.ts";
import {
  findDefinition,
  isToDefinition,
  listReferences,
  mapReferences,
  type Parts,
  reachable,
  takeApart,
} from "./references.ts";
import { listSlotSchemas, type SchemaProvider, type SchemaSlot, type SlotSchema } from "./slot_schemas.ts";

/** All schemas of a document. */
export interface Schemas {
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
): Schemas {
  const uses = routes.flatMap((route) => listSlotSchemas(route, supply, "describe"));
  const isShared = findShared(uses);
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
function findShared(uses: readonly SlotSchema[]): (use: SlotSchema) => boolean {
  const counts = new Map<object, Map<string, number>>();
  for (const { source, converted } of uses.filter(({ isFields }) => !isFields)) {
    const sides = counts.get(source) ?? new Map<string, number>();
    const text = JSON.stringify(converted);
    counts.set(source, sides.set(text, (sides.get(text) ?? 0) + 1));
  }
  return ({ source, converted, isFields }) => {
    const count = counts.get(source)?.get(JSON.stringify(converted)) ?? 0;
    return !isFields && count > 1;
  };
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
  /** The components so far, by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

/** Creates an empty set of components. `place` is the prefix of every reference to a component. */
export function createComponents(place = "#/components/schemas/"): Components {
  const schemas = new Map<string, JsonSchema>();
  const names = new Map<string, string>(); // by content, so that equal schemas become one component
  const taken = new Map<string, Whole["direction"]>();

  function add(content: JsonSchema, name: string, whole: Whole): string {
    const closure = reachable(content, whole.definitions).map((each) => [each, whole.definitions[each]]);
    const depends = [content, closure].some(refersToRoot) ? whole.root : undefined;
    const identity = JSON.stringify([content, closure, depends]);
    const known = names.get(identity);
    if (known !== undefined) return known;
    const chosen = chooseName(name, whole.direction, taken);
    names.set(identity, chosen); // registered first, because it may refer to itself
    taken.set(chosen, whole.direction);
    schemas.set(chosen, true);
    schemas.set(chosen, mapReferences(content, (reference) => relocate(reference, name, whole)));
    return chosen;
  }

  /** Returns the reference that has the same target in the document. `name` is that of the component around it. */
  function relocate(reference: string, name: string, whole: Whole): string {
    const target = findDefinition(reference, whole.definitions);
    if (target !== undefined) {
      const wanted = isGenerated(target.name) ? name : target.name;
      return place + add(target.schema, wanted, whole) + target.rest;
    }
    return isToRoot(reference) ? place + add(whole.root, whole.name, whole) + reference.slice(1) : reference;
  }

  function embed({ schema, name: suggested, direction, isShared }: Embedded): JsonSchemaObject {
    const { root, definitions, name = suggested } = takeApart(schema);
    const whole = { root, definitions, name, direction };
    const isComponent = isShared && hasStructure(root);
    if (isComponent || refersToRoot(root)) return { $ref: place + add(root, name, whole) };
    return mapReferences(root, (reference) => relocate(reference, name, whole));
  }

  return { embed, schemas };
}

/** A converted schema, while its parts are moved to components. */
interface Whole extends Parts {
  readonly name: string;
  readonly direction: "input" | "output";
}

/** Tests whether a reference points to or into the schema that contains it. `#/components` belongs to the document. */
function isToRoot(reference: string): boolean {
  if (reference.startsWith("#/components/")) return false;
  return reference === "#" || (reference.startsWith("#/") && !isToDefinition(reference));
}

function refersToRoot(schema: unknown): boolean {
  return [...listReferences(schema)].some(isToRoot); // Node 20's iterators lack `some`
}

/**
 * Tests whether a schema is complex enough for a component. A small one like `{ type: "string" }` reads better inline.
 */
function hasStructure(schema: JsonSchemaObject): boolean {
  return Object.values(schema).some((value) => typeof value === "object" && value !== null);
}

/**
 * Tests whether a library generated the name of a definition: `intersection12` (ArkType), `__schema0` (Zod), `0`
 * (Valibot).
 */
function isGenerated(name: string): boolean {
  return /^(?:[a-z]*|__schema)\d+$/.test(name);
}

/** Returns a name that is free, in the characters that OpenAPI allows. */
function chooseName(
  name: string,
  direction: Whole["direction"],
  taken: ReadonlyMap<string, Whole["direction"]>,
): string {
  const plain = name.replaceAll(/[^\w.-]+/g, "_") || "_";
  const isOtherSide = taken.has(plain) && taken.get(plain) !== direction;
  const base = isOtherSide ? `${plain}${direction === "input" ? "Input" : "Output"}` : plain;
  let chosen = base;
  for (let number = 2; taken.has(chosen); number++) chosen = `${base}_${number}`;
  return chosen;
}
