import { type JsonSchema, type JsonSchemaObject } from "../json_schema/json_schema.ts";
import {
  findDefinition,
  isToDefinition,
  listReferences,
  mapReferences,
  type Parts,
  reachable,
  takeApart,
} from "./references.ts";

/** A converted schema on its way into a document, or into a schema that holds several. */
export interface Embedded {
  /** The schema as its library converted it. */
  readonly schema: JsonSchemaObject;
  /** What it is called where it does not name itself. */
  readonly name: string;
  /** Which side of the schema it is: two sides of one name are told apart by it. */
  readonly direction: "input" | "output";
  /** Whether it is used more than once, and so stands among the components. */
  readonly isShared: boolean;
}

/** The schemas that others refer to, while they are found. */
export interface Components {
  /** Gives the schema as it stands in the document; what it defines or shares becomes a component. */
  readonly embed: (embedded: Embedded) => JsonSchemaObject;
  /** The components so far, by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

/** Creates an empty set of components; `place` is what leads to each of them, before its name. */
export function createComponents(place = "#/components/schemas/"): Components {
  const schemas = new Map<string, JsonSchema>();
  const names = new Map<string, string>(); // by what the schema says, so that equal ones are one component
  const taken = new Map<string, Whole["direction"]>();

  function add(content: unknown, name: string, whole: Whole): string {
    const closure = reachable(content, whole.definitions).map((each) => [each, whole.definitions[each]]);
    const depends = [content, closure].some(refersToRoot) ? whole.root : undefined;
    const identity = JSON.stringify([content, closure, depends]);
    const known = names.get(identity);
    if (known !== undefined) return known;
    const chosen = chooseName(name, whole.direction, taken);
    names.set(identity, chosen); // before it is looked into, for it may refer to itself
    taken.set(chosen, whole.direction);
    schemas.set(chosen, true);
    schemas.set(chosen, relocate(content, name, whole) as JsonSchema);
    return chosen;
  }

  function relocate(content: unknown, name: string, whole: Whole): unknown {
    return mapReferences(content, (reference) => {
      const target = findDefinition(reference, whole.definitions);
      if (target !== undefined) {
        const wanted = isGenerated(target.name) ? name : target.name;
        return place + add(whole.definitions[target.name], wanted, whole) + target.rest;
      }
      return isToRoot(reference) ? place + add(whole.root, whole.name, whole) + reference.slice(1) : reference;
    });
  }

  function embed({ schema, name: given, direction, isShared }: Embedded): JsonSchemaObject {
    const { root, definitions, name = given } = takeApart(schema);
    const whole = { root, definitions, name, direction };
    const isComponent = isShared && hasStructure(root);
    if (isComponent || refersToRoot(root)) return { $ref: place + add(root, name, whole) };
    return relocate(root, name, whole) as JsonSchemaObject;
  }

  return { embed, schemas };
}

/** A converted schema as a whole, while its parts are put in their places. */
interface Whole extends Parts {
  readonly name: string;
  readonly direction: "input" | "output";
}

/** Whether a reference leads to or into the schema that it stands in; `#/components` is the document's. */
function isToRoot(reference: string): boolean {
  if (reference.startsWith("#/components/")) return false;
  return reference === "#" || (reference.startsWith("#/") && !isToDefinition(reference));
}

function refersToRoot(schema: unknown): boolean {
  return [...listReferences(schema)].some(isToRoot); // Node 20's iterators have no `some`
}

/** Whether a schema is more than a word or two: one like `{ type: "string" }` is plainer where it stands. */
function hasStructure(schema: JsonSchemaObject): boolean {
  return Object.values(schema).some((value) => typeof value === "object" && value !== null);
}

/** Whether a library made the name of a definition up: `intersection12` (ArkType), `__schema0` (Zod), `0` (Valibot). */
function isGenerated(name: string): boolean {
  return /^(?:[a-z]*|__schema)\d+$/.test(name);
}

/** A name that no component has yet, of the characters that OpenAPI allows. */
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
