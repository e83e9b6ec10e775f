/** The schemas of an API. Many share their definitions, so what follows from those is worked out once. */
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { type LocatedSchema, locatePart, locateSchema } from "../json_schema/locate.ts";
import { toReader, toSender } from "../json_schema/reading_rules.ts";
import { type Definitions, findDefinition, listReferences, reachable } from "../json_schema/references.ts";

/** The keyword that marks the schema of a place as unknown, with the reason. */
export const unknownKeyword = "x-scope-api-unknown";

/** Creates a function that returns the same value for the same object every time. */
export function createMemory<Key extends object, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: create(key) };
    known.set(key, found);
    return found.value;
  };
}

export interface SplitSchema {
  readonly own: JsonSchemaObject;
  readonly definitions: Definitions;
}

const noDefinitions: Definitions = {};

export const splitSchema = createMemory(({ $defs, ...own }: JsonSchemaObject): SplitSchema => ({
  own,
  definitions: isSchemaObject($defs) ? $defs as Definitions : noDefinitions, // documents have objects of schemas
}));

export const textOf = createMemory((schema: object): string => JSON.stringify(schema));

const knownReferences = createMemory((schema: object): ReadonlySet<string> => listReferences(schema));

function referencesOf(schema: unknown): ReadonlySet<string> {
  return isSchemaObject(schema) ? knownReferences(schema) : noReferences;
}

const noReferences: ReadonlySet<string> = new Set();

/** Returns the definitions that a schema refers to, directly or indirectly. */
export function reachableDefinitions({ own, definitions }: SplitSchema): readonly (readonly [string, JsonSchema])[] {
  return reachable(own, definitions, referencesOf).map((name) => [name, definitions[name]!]);
}

/** Tests whether two schemas have the same text, and so have all definitions that they refer to. */
export function haveSameText(one: JsonSchema, other: JsonSchema): boolean {
  if (one === other) return true;
  if (!isSchemaObject(one) || !isSchemaObject(other)) return false;
  const [left, right] = [splitSchema(one), splitSchema(other)];
  return textOf(left.own) === textOf(right.own) && haveSameDefinitions(left, right);
}

/** The names of definitions that are equal to those of another document, with all that they refer to. */
const equalNames = createMemory((_: Definitions) => createMemory((_: Definitions) => new Set<string>()));

function haveSameDefinitions({ own, definitions }: SplitSchema, { definitions: others }: SplitSchema): boolean {
  if (definitions === others) return true;
  const equal = equalNames(definitions)(others);
  const visited = new Set<string>();
  const waiting: JsonSchema[] = [own];
  for (const schema of waiting) {
    for (const reference of referencesOf(schema)) {
      const [target, other] = [findDefinition(reference, definitions), findDefinition(reference, others)];
      if (target?.name !== other?.name) return false;
      if (!target || !other || visited.has(target.name) || equal.has(target.name)) continue;
      if (textOf(Object(target.schema)) !== textOf(Object(other.schema))) return false;
      visited.add(target.name);
      waiting.push(target.schema);
    }
  }
  for (const name of visited) equal.add(name);
  return true;
}

const problemsOf = createMemory((definitions: Definitions): ReadonlyMap<string, string> => {
  const problems = Object.entries(definitions).flatMap(([name, schema]): [string, string][] => {
    const { [unknownKeyword]: unknown } = Object(schema);
    if (typeof unknown === "string") return [[name, unknown]];
    try {
      toSender({ $defs: { [name]: schema } });
      return [];
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return [[name, error.message]];
    }
  });
  return new Map(problems);
});

export function findProblem(schema: JsonSchema): string | undefined {
  if (!isSchemaObject(schema)) return undefined;
  const split = splitSchema(schema);
  const problems = problemsOf(split.definitions);
  if (problems.size === 0) return undefined;
  return reachableDefinitions(split).map(([name]) => problems.get(name)).find((each) => each !== undefined);
}

/** Tests whether a schema refers to a definition of which only the problem is known. */
export function hasUnknown(schema: JsonSchema): boolean {
  if (!isSchemaObject(schema)) return false;
  return reachableDefinitions(splitSchema(schema)).some(([, each]) => unknownKeyword in Object(each));
}

/** How a schema is read: as it is declared, by a sender, or by a reader, which may ignore unknown members. */
export type Role = "declared" | "sender" | "reader" | "open reader";

const prepare: Readonly<Record<Role, (schema: JsonSchema) => LocatedSchema>> = {
  declared: locateSchema,
  sender: toSender,
  reader: (schema) => toReader(schema, false),
  "open reader": (schema) => toReader(schema, true),
};

/** The definitions in each role. Their schemas are compared and normalized once for all that refer to them. */
const rootsOf = createMemory((_: Definitions) => new Map<Role, LocatedSchema>());

export function locateFor(role: Role, schema: JsonSchema): LocatedSchema {
  if (!isSchemaObject(schema)) return prepare[role](schema);
  const { own, definitions } = splitSchema(schema);
  if (definitions === noDefinitions) return prepare[role](schema);
  const roots = rootsOf(definitions);
  const root = roots.get(role) ?? prepare[role]({ $defs: omitUnreadable(definitions) });
  roots.set(role, root);
  return locatePart(root, prepare[role](own).schema);
}

function omitUnreadable(definitions: Definitions): Definitions {
  const problems = problemsOf(definitions);
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => !problems.has(name)));
}
