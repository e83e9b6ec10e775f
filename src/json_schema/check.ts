/** What the checks of a schema have in common. */
import { type Json } from "./json.ts";
import { type JsonSchema, type JsonSchemaObject } from "./json_schema.ts";

/** One way in which a value breaks a schema. */
export interface Failure {
  /** The names and indexes that lead from the whole value to the part that fails. */
  readonly path: readonly (string | number)[];
  /** The keyword that refuses it; empty where the schema is `false` as a whole. */
  readonly keyword: string;
  /** The schema that has the keyword. */
  readonly schema: JsonSchema;
  /** What the part must be, such as `must be at least 3 characters long`. */
  readonly message: string;
}

/** Tests a value against a schema or one of its keywords. */
export type Check = (value: Json, walk: Walk, seen: Seen | undefined) => boolean;

/** One walk through a value. */
export interface Walk {
  /** Where it is. */
  readonly path: (string | number)[];
  /** The failures so far; `undefined` where the first one is enough. */
  readonly failures: Failure[] | undefined;
  /** What all attempts of one walk share. */
  readonly limit: { isExceeded: boolean };
}

/** The parts of one list or object that keywords evaluated, which `unevaluatedItems` and `unevaluatedProperties` leave alone. */
export interface Seen {
  /** The names of members. */
  readonly names: Set<string>;
  /** The indexes of items. */
  readonly items: Set<number>;
}

/** Makes the checks of the schemas that a keyword holds. */
export interface Planner {
  /** The check of a schema for the same value. */
  readonly inPlace: (part: JsonSchema) => Check;
  /** The check of a schema for a member or an item; it is made when it is first needed, since schemas may be recursive. */
  readonly below: (part: JsonSchema) => Check;
  /** The check of the schema that a reference leads to. */
  readonly referred: (reference: string) => Check;
}

/** Makes the check of a keyword; `undefined` where a schema does not have it. */
export type PlanKeyword = (schema: JsonSchemaObject, planner: Planner) => Check | undefined;

/** Values that are nested more deeply are refused, since they could overflow the stack. */
export const maxDepth = 512;

/** Notes a failure. */
export function fail(walk: Walk, schema: JsonSchema, keyword: string, message: string): false {
  walk.failures?.push({ path: [...walk.path], keyword, schema, message });
  return false;
}

/** Checks a member or an item. */
export function descend(check: Check, key: string | number, value: Json, walk: Walk): boolean {
  if (walk.path.length >= maxDepth) {
    walk.limit.isExceeded = true;
    return false;
  }
  walk.path.push(key);
  const isFine = check(value, walk, undefined);
  walk.path.pop();
  return isFine;
}

/** What came of a check whose failure is not the failure of the whole. */
export interface Attempt {
  /** Whether the value passed. */
  readonly isFine: boolean;
  /** Why it did not, if the walk asks for failures. */
  readonly failures: readonly Failure[];
}

/** Runs a check whose failure is not the failure of the whole. What it evaluated counts if the value passes. */
export function attempt(check: Check, value: Json, walk: Walk, seen: Seen | undefined): Attempt {
  const failures: Failure[] | undefined = walk.failures && [];
  const own = seen && createSeen();
  const isFine = check(value, { path: walk.path, failures, limit: walk.limit }, own);
  if (isFine && own) addSeen(seen, own);
  return { isFine, failures: failures ?? [] };
}

/** Whether a value passes a check, without the reasons. */
export function passes(check: Check, value: Json, { path, limit }: Walk, seen: Seen | undefined): boolean {
  return attempt(check, value, { path, failures: undefined, limit }, seen).isFine;
}

/** Nothing evaluated yet. */
export function createSeen(): Seen {
  return { names: new Set(), items: new Set() };
}

/** Adds what was evaluated elsewhere. */
export function addSeen({ names, items }: Seen, more: Seen): void {
  for (const name of more.names) names.add(name);
  for (const index of more.items) items.add(index);
}

/** Every part of a list for which it is true. In walks that do not ask for failures, the first that fails ends it. */
export function everyPart<Part>(parts: readonly Part[], walk: Walk, test: (part: Part) => boolean): boolean {
  if (!walk.failures) return parts.every(test);
  return parts.map(test).every((isFine) => isFine);
}
