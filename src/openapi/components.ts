import { type Definitions, listReferences, mapReferences, parseReference, reachable, takeApart } from "./references.ts";
import { type JsonSchema, type JsonSchemaObject } from "./types.ts";

/** A converted schema on its way into a document. */
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

/** The schemas that a document's operations refer to, while they are found. */
export interface Components {
  /** Gives the schema as it stands in the document; what it defines or shares becomes a component. */
  readonly embed: (embedded: Embedded) => JsonSchemaObject;
  /** The components so far, by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

/** Creates an empty set of components. */
export function createComponents(): Components {
  const schemas = new Map<string, JsonSchema>();
  const names = new Map<string, string>(); // by what the schema says, so that equal ones are one component
  const taken = new Map<string, Wanted["direction"]>();

  function add(content: unknown, definitions: Definitions, wanted: Wanted): string {
    const closure = reachable(content, definitions).map((name) => [name, definitions[name]]);
    const identity = JSON.stringify([content, closure]);
    const known = names.get(identity);
    if (known !== undefined) return known;
    const name = chooseName(wanted, taken);
    names.set(identity, name); // before it is looked into, for it may refer to itself
    taken.set(name, wanted.direction);
    schemas.set(name, true);
    schemas.set(name, relocate(content, definitions, wanted));
    return name;
  }

  function relocate(content: unknown, definitions: Definitions, place: Wanted): JsonSchema {
    return mapReferences(content, (reference) => {
      const target = parseReference(reference);
      if (target !== undefined && Object.hasOwn(definitions, target.name)) {
        const name = isGenerated(target.name) ? place.name : target.name;
        return point(add(definitions[target.name], definitions, { name, direction: place.direction })) + target.rest;
      }
      return isWithin(reference) && place.root !== undefined ? point(place.root()) + reference.slice(1) : reference;
    }) as JsonSchema;
  }

  function embed({ schema, name, direction, isShared }: Embedded): JsonSchemaObject {
    const { root, definitions, name: own = name } = takeApart(schema);
    const addRoot = (): string => add(root, definitions, { name: own, direction, root: addRoot });
    const refersToRoot = [root, ...Object.values(definitions)].some((each) =>
      listReferences(each).values().some(isRoot)
    );
    const isComponent = refersToRoot || (isShared && !isReference(root) && hasStructure(root));
    if (isComponent) return { $ref: point(addRoot()) };
    return relocate(root, definitions, { name: own, direction }) as JsonSchemaObject;
  }

  const isRoot = (reference: string): boolean => isWithin(reference) && parseReference(reference) === undefined;

  return { embed, schemas };
}

/** What a component would be called, and which side of a schema it is. */
interface Wanted {
  readonly name: string;
  readonly direction: "input" | "output";
  /** Gives the component of the schema as a whole, where something refers to it. */
  readonly root?: () => string;
}

function point(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Whether a reference leads into the schema it stands in. */
function isWithin(reference: string): boolean {
  return reference === "#" || reference.startsWith("#/");
}

function isReference(schema: JsonSchemaObject): boolean {
  return Object.keys(schema).join() === "$ref";
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
function chooseName({ name, direction }: Wanted, taken: ReadonlyMap<string, Wanted["direction"]>): string {
  const plain = name.replaceAll(/[^\w.-]+/g, "_");
  const isOtherSide = taken.has(plain) && taken.get(plain) !== direction;
  const base = isOtherSide ? `${plain}${direction === "input" ? "Input" : "Output"}` : plain;
  let chosen = base;
  for (let number = 2; taken.has(chosen); number++) chosen = `${base}_${number}`;
  return chosen;
}
