/** The parts of converted schemas as a graph, with an identity that equal parts share. */
import { groupCycles } from "../json_schema/cycles.ts";
import {
  isJsonSchema,
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaObject,
  namedSchemas,
} from "../json_schema/json.ts";
import { type Definitions, findDefinition, listReferences } from "../json_schema/references.ts";
import { createNumbers, remember } from "./definitions.ts";

/** A schema that references can point to: the root of a converted schema, or one of its definitions. */
export interface SchemaPart {
  /** The name of the definition; `undefined` for the root. */
  readonly name: string | undefined;
  readonly content: JsonSchema;
  /** A text that two parts share if they are equal, with everything that they refer to. */
  readonly identity: string;
}

export interface SchemaGraph {
  /** The schema without its definitions, dialect and identifier, which do not apply inside a document. */
  readonly root: SchemaPart & { readonly content: JsonSchemaObject };
  readonly name: string | undefined;
  /** Returns the parts that a part refers to, in the order of its first references. */
  readonly targetsOf: (part: SchemaPart) => readonly SchemaPart[];
  /**
   * Returns the part that a reference points to or into, and the rest of its pointer; `undefined` if it leads elsewhere.
   */
  readonly find: (reference: string) => { readonly part: SchemaPart; readonly rest: string } | undefined;
}

/**
 * Returns a function that returns the graph of a converted schema, each computed once. Schemas with the same object of
 * definitions share its parts.
 */
export function createGraphs(): (schema: JsonSchemaObject) => SchemaGraph {
  const graphs = new Map<JsonSchemaObject, SchemaGraph>();
  const shared = new Map<Definitions, Map<string, GraphNode>>();
  const number = createNumbers();
  const toNode = (name: string | undefined, content: JsonSchema): GraphNode => ({
    name,
    content,
    text: number(JSON.stringify(content)),
    targets: undefined,
    identity: "",
  });
  const createGraph = ({ $schema: _, $id, $defs = {}, definitions: older, ...root }: JsonSchemaObject): SchemaGraph => {
    const name = [$id, root.id].find((each): each is string => typeof each === "string" && each !== "");
    const definitions = older === undefined && isDefinitions($defs)
      ? $defs // the same object, which many schemas may share
      : Object.fromEntries([...namedSchemas(older), ...namedSchemas($defs)]);
    const nodes = remember(shared, definitions, () => new Map<string, GraphNode>());
    const rootNode = toNode(undefined, root);
    const find = (reference: string): { readonly part: GraphNode; readonly rest: string } | undefined => {
      const target = findDefinition(reference, definitions);
      if (target === undefined) return isToRoot(reference) ? { part: rootNode, rest: reference.slice(1) } : undefined;
      return { part: remember(nodes, target.name, () => toNode(target.name, target.schema)), rest: target.rest };
    };
    const targetsOf = (node: GraphNode): readonly GraphNode[] =>
      node.targets ??= [
        ...new Set([...listReferences(node.content)].flatMap((reference) => find(reference)?.part ?? [])),
      ];
    const isOpen = ({ identity }: GraphNode) => identity === "";
    for (const group of groupCycles([rootNode], (node) => targetsOf(node).filter(isOpen))) {
      setIdentities(group, targetsOf, number);
    }
    return {
      root: rootNode as GraphNode & { readonly content: JsonSchemaObject }, // its content is `root`
      name,
      targetsOf: (part) => targetsOf(part as GraphNode), // all parts come from here
      find,
    };
  };
  return (schema) => remember(graphs, schema, createGraph);
}

interface GraphNode extends SchemaPart {
  readonly text: number;
  targets: readonly GraphNode[] | undefined;
  /** Empty until it is computed. */
  identity: string;
}

/** Sets of definitions that have only schemas, which are not read again. */
const valid = new WeakSet<object>();

function isDefinitions(value: unknown): value is Definitions {
  if (!isSchemaObject(value)) return false;
  if (!valid.has(value) && Object.values(value).every(isJsonSchema)) valid.add(value);
  return valid.has(value);
}

/** Tests whether a reference points to or into the schema that contains it. `#/components` belongs to the document. */
function isToRoot(reference: string): boolean {
  return /^#(?:$|\/(?!(?:components|\$defs|definitions)\/))/.test(reference);
}

/** Sets the identities of the nodes of a cycle, or of one node. Those that they lead to have theirs. */
function setIdentities(
  cycle: readonly GraphNode[],
  targetsOf: (node: GraphNode) => readonly GraphNode[],
  number: (text: string) => number,
): void {
  const members = new Set(cycle);
  const isCycle = cycle.length > 1 || targetsOf(cycle[0]!).some((target) => members.has(target));
  const below = [...new Set(cycle.flatMap(targetsOf))].filter((target) => !members.has(target));
  const names = [
    ...below.map(({ name, identity }) => JSON.stringify([name, identity])),
    ...(isCycle ? cycle.map(({ name, text }) => JSON.stringify([name ?? null, text])) : []),
  ];
  const closure = number(`closure ${names.sort().join()}`);
  for (const node of cycle) node.identity = `${node.text} ${closure}`;
}
