/** Resolves the references of a schema. */
import { isJsonSchema, isSchemaObject, type JsonSchema, type JsonSchemaObject, listAllParts } from "./json.ts";
import { findMember, parseReference } from "./references.ts";
import { spend } from "./steps.ts";

/** A schema within a whole schema, so that its references can be resolved. */
export interface LocatedSchema {
  readonly schema: JsonSchema;
  /** A number that is unique within the whole schema. */
  readonly id: number;
  /** The URI that its references are relative to. */
  readonly base: string;
  readonly whole: WholeSchema;
}

export interface WholeSchema {
  /** All schemas that were visited, by identity. `true` and `false` are their own keys. */
  readonly located: Map<JsonSchema, LocatedSchema>;
  /** The schemas that references can point to, by absolute URI: roots, `$id` and `$anchor`. */
  readonly targets: Map<string, LocatedSchema>;
}

/**
 * Creates a function that returns the same value for the same whole schema every time, such as a map of results. The
 * value lives as long as the schema.
 */
export function createMemo<Value>(create: (whole: WholeSchema) => Value): (whole: WholeSchema) => Value {
  const values = new WeakMap<WholeSchema, Value>();
  return (whole) => {
    const value = values.get(whole) ?? create(whole);
    values.set(whole, value);
    return value;
  };
}

/** The most schemas whose ids cost nothing. */
const fewSchemas = 8;

/** Returns a text that the same schemas of a whole schema share. */
export function idsOf(schemas: readonly LocatedSchema[]): string {
  if (schemas.length > fewSchemas) spend(schemas.length / fewSchemas); // an allOf may have thousands
  return schemas.map(({ id }) => id).join();
}

/** Creates a function of schemas that apply to one value. It computes each result once, and that of none each time. */
export function memoOfSchemas<Value>(
  compute: (schemas: readonly LocatedSchema[]) => Value,
): (schemas: readonly LocatedSchema[]) => Value {
  const knownOf = createMemo(() => new Map<string, Value>());
  return (schemas) => {
    const [first] = schemas;
    if (!first) return compute(schemas);
    const known = knownOf(first.whole);
    const key = idsOf(schemas);
    if (!known.has(key)) known.set(key, compute(schemas));
    return known.get(key) as Value; // it is known now
  };
}

/** Creates a function that returns the same map for the same two whole schemas every time. */
export function memoOfPairs<Value>(): (one: LocatedSchema, other: LocatedSchema) => Map<string, Value> {
  const knownOf = createMemo(() => new Map<WholeSchema, Map<string, Value>>());
  return ({ whole }, other) => {
    const known = knownOf(whole);
    const values = known.get(other.whole) ?? new Map<string, Value>();
    known.set(other.whole, values);
    return values;
  };
}

/** The most levels of a schema. Deeper ones could overflow the stack. */
export const mostLevels = 500;

export const tooDeep = `Cannot read a JSON Schema: it is nested more than ${mostLevels} levels deep`;

/** The URI of a whole schema without an `$id`. */
const rootUri = "schema:root";

/** Keywords whose meaning depends on the dynamic scope, which is not tracked. */
const unsupportedKeywords = ["$dynamicRef", "$recursiveRef"];

/**
 * Prepares a schema for the functions in this folder.
 *
 * @throws {TypeError} If the schema contains `$dynamicRef` or `$recursiveRef`. A reference to a missing schema throws
 * when it is followed.
 */
export function locateSchema(schema: JsonSchema): LocatedSchema {
  const whole: WholeSchema = { located: new Map(), targets: new Map() };
  const root = locate(schema, rootUri, whole);
  whole.targets.set(rootUri, root);
  return root;
}

/** Returns a schema inside a keyword of a located schema. */
export function locatePart({ base, whole }: LocatedSchema, part: JsonSchema): LocatedSchema {
  return whole.located.get(part) ?? locate(part, base, whole);
}

function locate(schema: JsonSchema, base: string, whole: WholeSchema, level = 0): LocatedSchema {
  if (level > mostLevels) throw new TypeError(tooDeep);
  const known = whole.located.get(schema);
  if (known) return known;
  const { $id }: JsonSchemaObject = Object(schema);
  const own = typeof $id === "string" ? resolveUri($id, base).replace(/#$/, "") : base;
  const located: LocatedSchema = { schema, id: whole.located.size, base: own, whole };
  whole.located.set(schema, located);
  if (!isSchemaObject(schema)) return located;
  const unsupported = unsupportedKeywords.find((each) => schema[each] !== undefined);
  if (unsupported) throw new TypeError(`Cannot read a JSON Schema: ${unsupported} is not supported; write $ref`);
  if (own !== base) whole.targets.set(own, located);
  for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
    if (typeof anchor === "string") whole.targets.set(`${own}#${anchor}`, located);
  }
  for (const part of listAllParts(schema)) locate(part, own, whole, level + 1);
  return located;
}

/** Returns a schema, all schemas below it, and those that they refer to. Definitions that nothing refers to are absent. */
export function reachableParts(start: LocatedSchema): LocatedSchema[] {
  const reached = new Set([start]);
  for (const located of reached) { // which grows
    const { schema } = located;
    if (!isSchemaObject(schema)) continue;
    const { $defs: _, definitions: __, ...own } = schema;
    for (const part of listAllParts(own)) reached.add(locatePart(located, part));
    if (typeof schema.$ref === "string") reached.add(followReference(located, schema.$ref));
  }
  return [...reached];
}

export function followReference(from: LocatedSchema, reference: string): LocatedSchema {
  const { base, whole: { targets } } = from;
  const uri = resolveUri(reference, base);
  const { file, fragment, steps } = parseReference(uri);
  const anchored = targets.get(fragment === "" ? file : uri);
  if (anchored) return anchored;
  const root = targets.get(file);
  const found = root && steps && fragment !== "" ? followSteps(root, steps) : undefined;
  if (!found) {
    throw new TypeError(`Cannot follow $ref ${JSON.stringify(reference)}: the schema does not define it`);
  }
  return found;
}

function followSteps(root: LocatedSchema, steps: readonly string[]): LocatedSchema | undefined {
  let place: unknown = root.schema;
  let nearest = root;
  for (const step of steps) {
    place = findMember(place, step)?.[1];
    if (isJsonSchema(place)) nearest = nearest.whole.located.get(place) ?? nearest; // the base may change on the way
  }
  return isJsonSchema(place) ? locatePart(nearest, place) : undefined;
}

/** Returns an absolute URI. Relative references cannot be resolved against a root without an `$id`. */
function resolveUri(reference: string, base: string): string {
  if (reference.startsWith("#")) return `${parseReference(base).file}${reference}`;
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}
