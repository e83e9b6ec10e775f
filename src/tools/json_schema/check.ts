/** Types and functions that all checks of a schema share. */
import { type Json, type JsonSchema, type JsonSchemaObject, maxDepth } from "./json.ts";
import { spend } from "./steps.ts";

export interface CheckFailure {
  /** The names and indexes that lead from the whole value to the invalid part. */
  readonly path: readonly (string | number)[];
  /** The keyword that rejects the part. Empty if the whole schema is `false`. */
  readonly keyword: string;
  /** The schema that contains the keyword. */
  readonly schema: JsonSchema;
  /** What the part must be, such as `must be at least 3 characters long`. */
  readonly message: string;
}

export type SchemaCheck = (value: Json, walk: Validation, seen: Seen | undefined) => boolean;

export interface Validation {
  readonly path: (string | number)[];
  /** The failures so far; `undefined` if the first failure ends the validation. */
  readonly failures: CheckFailure[] | undefined;
  /** State that all attempts of one validation share. */
  readonly shared: {
    /**
     * The most failures that are collected. The branches of an `allOf` each list the failures below them, so without a
     * limit their number doubles at each level.
     */
    readonly mostFailures: number;
    isTooDeep: boolean;
    /**
     * The results of members, items and references. The branches of recursive unions would check each one again and
     * again.
     */
    readonly results: Map<SchemaCheck, Map<Json, CheckResult>>;
  };
}

/** The result of a check for one part of the value. */
interface CheckResult {
  readonly isFine: boolean;
  /** The failures; `undefined` if they were not collected. */
  readonly failures: readonly CheckFailure[] | undefined;
  /** The length of the path of the part. */
  readonly depth: number;
  /** The evaluated parts; `undefined` if they were not collected. */
  readonly seen: Seen | undefined;
}

export function startValidation(failures: CheckFailure[] | undefined, mostFailures = 0): Validation {
  return { path: [], failures, shared: { mostFailures, isTooDeep: false, results: new Map() } };
}

/** The evaluated items and members of a value, which `unevaluatedItems` and `unevaluatedProperties` ignore. */
export interface Seen {
  readonly names: Set<string>;
  readonly items: Set<number>;
}

/** Creates the checks for the schemas inside a keyword. */
export interface PartChecks {
  /** Returns the check of a schema for the same value. */
  readonly inPlace: (part: JsonSchema) => SchemaCheck;
  /**
   * Returns the check of a schema for a member or an item. It is created when it is first needed, because schemas may
   * be recursive.
   */
  readonly below: (part: JsonSchema) => SchemaCheck;
  /** Returns the check of the schema that a reference points to. */
  readonly referred: (reference: string) => SchemaCheck;
}

/** Creates the check of a keyword; returns `undefined` if the schema does not contain it. */
export type CreateCheck = (schema: JsonSchemaObject, parts: PartChecks) => SchemaCheck | undefined;

/** Records a failure, unless there are enough. */
export function record({ failures, shared: { mostFailures } }: Validation, failure: CheckFailure): void {
  if (failures && failures.length < mostFailures) failures.push(failure);
}

export function failCheck(walk: Validation, schema: JsonSchema, keyword: string, message: string): false {
  if (walk.failures) record(walk, { path: [...walk.path], keyword, schema, message });
  return false;
}

export function descend(check: SchemaCheck, key: string | number, value: Json, walk: Validation): boolean {
  if (walk.path.length >= maxDepth) {
    walk.shared.isTooDeep = true;
    return false;
  }
  walk.path.push(key);
  const isFine = typeof value === "object" && value !== null
    ? runOnce(check, value, walk, undefined)
    : check(value, walk, undefined);
  walk.path.pop();
  return isFine;
}

/** Checks a value, unless the result is known. */
export function runOnce(check: SchemaCheck, value: Json, walk: Validation, seen: Seen | undefined): boolean {
  spend();
  const { path, shared: { results } } = walk;
  const known = results.get(check) ?? new Map<Json, CheckResult>();
  results.set(check, known);
  let result = known.get(value);
  if (!result || (!result.isFine && walk.failures && !result.failures) || (seen && !result.seen)) {
    const failures: CheckFailure[] | undefined = walk.failures && [];
    const own = seen && createSeen();
    const isFine = check(value, { ...walk, failures }, own);
    result = { isFine, failures, depth: path.length, seen: own };
    known.set(value, result);
  }
  const { isFine, failures = [], depth } = result;
  if (seen && result.seen) addSeen(seen, result.seen);
  for (const each of failures) record(walk, { ...each, path: [...path, ...each.path.slice(depth)] });
  return isFine;
}

/**
 * Runs a check whose failure may be acceptable. If the value passes, the parts that the check evaluated count as
 * evaluated. There are no failures if the first one ends the validation.
 */
export function tryCheck(
  check: SchemaCheck,
  value: Json,
  walk: Validation,
  seen: Seen | undefined,
): Pick<CheckResult, "isFine"> & { readonly failures: readonly CheckFailure[] } {
  const failures: CheckFailure[] | undefined = walk.failures && [];
  const own = seen && createSeen();
  const isFine = check(value, { ...walk, failures }, own);
  if (isFine && own) addSeen(seen, own);
  return { isFine, failures: failures ?? [] };
}

/** Tests whether a value passes a check. Does not collect failures. */
export function passes(check: SchemaCheck, value: Json, walk: Validation, seen: Seen | undefined): boolean {
  return tryCheck(check, value, { ...walk, failures: undefined }, seen).isFine;
}

export function createSeen(): Seen {
  return { names: new Set(), items: new Set() };
}

export function addSeen({ names, items }: Seen, more: Seen): void {
  for (const name of more.names) names.add(name);
  for (const index of more.items) items.add(index);
}

/** Tests whether a test passes for every part. Stops at the first failure, unless failures are collected. */
export function everyPart<Part>(
  parts: readonly Part[],
  walk: Validation,
  test: (part: Part, index: number) => boolean,
): boolean {
  if (!walk.failures) return parts.every(test);
  return parts.map(test).every((isFine) => isFine);
}
