/** Searches for values that show the differences of two schemas. */
import { type Issue, type Schema, summarizeIssue, toCheck } from "../../schema.ts";
import type { CheckFailure } from "../json_schema/check.ts";
import { createChoices } from "../json_schema/choices.ts";
import type { Difference } from "../json_schema/difference.ts";
import { isJsonList, isJsonObject, type Json, type JsonSchema, typeOf } from "../json_schema/json.ts";
import { type LocatedSchema, locateSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { canSend, isSendable } from "../json_schema/reading_rules.ts";
import { areSame } from "../json_schema/same_schema.ts";
import { findSample } from "../json_schema/sample.ts";
import { sampleBoundaries } from "../json_schema/sample_boundaries.ts";
import { itemSchemas, memberSchemas } from "../json_schema/shapes.ts";
import { limitSteps, StepLimitError } from "../json_schema/steps.ts";
import { isValid, listFailures } from "../json_schema/validate.ts";
import { convertSchema } from "../openapi/slot_schemas.ts";
import { isPromise } from "../../awaitable.ts";

interface Ends {
  /** The declared schema of the sender. A value that shows a difference is valid by it. */
  readonly declared: LocatedSchema;
  readonly reader: LocatedSchema;
  /** Checks values with the sender's own schema, if it is available and synchronous. */
  readonly send: LiveCheck | undefined;
  /** Checks values with the reader's own schema, if it is available and synchronous. */
  readonly read: LiveCheck | undefined;
}

/** A difference, with a value that shows it if one was found. */
export interface ShownDifference {
  readonly difference: Difference;
  readonly witness: Json | undefined;
}

export interface WitnessSearch {
  readonly shown: readonly ShownDifference[];
  readonly tried: number;
}

const mostBoundaries = 500;

/** The most steps of a search for values that show differences. */
const searchSteps = 5_000_000;

/** The most steps of a search if the schemas do not differ, as most do not: only live ones may then differ. */
const liveSteps = 500_000;

/** Searches for a value that shows each difference, and for values on which only the live schemas disagree. */
export function findWitnesses(
  differences: readonly Difference[],
  ends: Ends,
  values: Iterable<Json>,
  { samples, liveSamples }: { readonly samples: number; readonly liveSamples: number }, // for what only live ones show
): WitnessSearch {
  const found = new Map<Difference, Witness>();
  const isLive = ends.send !== undefined && ends.read !== undefined;
  let tried = 0;
  const search = () => {
    for (const value of values) {
      const isShown = differences.every((difference) => found.has(difference));
      if (tried >= (isShown ? Math.min(isLive ? liveSamples : 50, samples) : samples)) break;
      tried++;
      tryValue(value);
    }
  };
  const tryValue = (value: Json) => {
    if (!isValid(ends.declared, value)) return;
    const own = ends.send?.(value);
    if (own && own.length > 0) return; // the sender itself rejects it
    const issues = ends.read?.(value);
    const [issue] = issues ?? [];
    const failures = differences.length === 0 ? [] : listFailures(ends.reader, value);
    if (failures.length > 0 && issues?.length !== 0) keep(found, differences, failures, value);
    else if (failures.length === 0 && own && issue) keepIssue(found, differences, issue, value);
  };
  try {
    limitSteps(differences.length > 0 ? searchSteps : liveSteps, search);
  } catch (error) {
    if (!(error instanceof StepLimitError)) throw error;
  }
  const more = [...found.keys()].filter((difference) => !differences.includes(difference));
  const shown = [...differences, ...more]
    .map((difference) => ({ difference, witness: found.get(difference)?.value }));
  return { shown, tried };
}

/** A value that shows a difference. Its weight grows with its failures: one with few of them shows it best. */
interface Witness {
  readonly value: Json;
  readonly weight: number;
}

const mostMisses = 50;

/** Yields values that a sender may send: first those at its bounds, then random ones. */
export function* sendableValues(sender: LocatedSchema, samples: number): Iterable<Json> {
  let listed = 0;
  let misses = 0; // draws in a row that found nothing
  for (const value of sampleBoundaries(sender)) {
    if (++listed > Math.min(mostBoundaries, samples)) break;
    if (isSendable([sender], value)) yield value;
  }
  for (let seed = 0; seed < samples - listed && misses < mostMisses; seed++) {
    const value = findSample(sender, createChoices(seed), { isRealistic: seed % 2 === 0 });
    misses = value === undefined ? misses + 1 : 0;
    if (value !== undefined && isSendable([sender], value)) yield value;
  }
}

/** Returns an iterable that yields the same values every time, and creates each when it is first needed. */
export function replayable(values: Iterable<Json>): Iterable<Json> {
  const known: Json[] = [];
  const source = values[Symbol.iterator]();
  return {
    *[Symbol.iterator](): Iterator<Json> {
      for (let index = 0;; index++) {
        const next = index < known.length ? undefined : source.next();
        if (next?.done) return;
        if (next) known.push(next.value);
        yield known[index]!; // which is known by now
      }
    },
  };
}

function keep(
  found: Map<Difference, Witness>,
  differences: readonly Difference[],
  failures: readonly CheckFailure[],
  value: Json,
): void {
  const weight = failures.length * 1_000 + JSON.stringify(value).length;
  for (const failure of failures) {
    const difference = findDifference(differences, failure, value);
    const known = difference && found.get(difference);
    if (difference && (!known || known.weight > weight)) found.set(difference, { value, weight });
  }
}

/** Finds the difference that a failure shows: one with its place and keyword, or one with or near its place. */
function findDifference(
  differences: readonly Difference[],
  failure: CheckFailure,
  value: Json,
): Difference | undefined {
  const here = differences.filter(({ path, keyword }) =>
    keyword === "required" ? lacks(value, path, failure) : isAt(path, failure.path)
  );
  const isAlike = ({ keyword }: Difference) =>
    keyword === failure.keyword || (keyword === "additionalProperties" && failure.keyword === "");
  return here.find(isAlike) ?? here[0] ?? differences.find(({ path }) => isNear(path, failure.path));
}

function lacks(value: Json, path: readonly string[], failure: CheckFailure): boolean {
  if (failure.keyword !== "required" || !isAt(path.slice(0, -1), failure.path)) return false;
  const object = failure.path.reduce<unknown>((place, step) => Object(place)[step], value);
  return !Object.hasOwn(Object(object), path.at(-1) ?? "");
}

function isAt(path: readonly string[], place: readonly (string | number)[]): boolean {
  return path.length === place.length && isNear(path, place);
}

function isNear(path: readonly string[], place: readonly (string | number)[]): boolean {
  return path.slice(0, place.length).every((step, index) => step === "*" || step === String(place[index]));
}

/** Keeps a value that only the reader's live schema rejects, for the format of its place or for a new difference. */
function keepIssue(
  found: Map<Difference, Witness>,
  differences: readonly Difference[],
  issue: Issue,
  value: Json,
): void {
  const { path, message } = summarizeIssue(issue);
  const keys = path.map((key) => typeof key === "number" ? "*" : key);
  const isHere = ({ keyword, path: place }: Difference) =>
    (keyword === "format" || keyword === refinement) && isAt(place, keys);
  const known = [...differences, ...found.keys()].find(isHere);
  const weight = JSON.stringify(value).length;
  const before = known && found.get(known);
  if (before && before.weight <= weight) return;
  found.set(known ?? { path: keys, verdict: "refuted", keyword: refinement, sender: undefined, reader: message }, {
    value,
    weight,
  });
}

/** The keyword of differences that JSON Schema cannot express. */
export const refinement = "refinement";

/** Returns the issues of a value: an empty list if it is valid, `undefined` if that cannot be decided synchronously. */
export type LiveCheck = (value: Json) => readonly Issue[] | undefined;

export function toLiveCheck(schema: Schema): LiveCheck {
  const check = toCheck(schema);
  return (value) => {
    try {
      const checked = check(value);
      if (isPromise(checked)) {
        Promise.resolve(checked).catch(() => {});
        return undefined;
      }
      return checked.issues ?? [];
    } catch {
      return undefined;
    }
  };
}

/** Tests whether a schema validates its own output too, because its input equals the JSON Schema of its output. */
export function isPlainSchema(schema: Schema, output: JsonSchema): boolean {
  try {
    return areSame(locateSchema(convertSchema(schema, "input")), locateSchema(output));
  } catch {
    return false;
  }
}

/** Returns a value without undeclared members; `undefined` if alternatives declare different ones. */
export function prune(schemas: readonly LocatedSchema[], value: Json): Json | undefined {
  const [shape, ...others] = normalize(schemas).filter(({ type }) => type === typeOf(value));
  if (isJsonList(value)) {
    const items = value.map((item, index) => shape?.type === "array" ? prune(itemSchemas(shape, index), item) : item);
    return others.length === 0 && items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isJsonObject(value) || shape?.type !== "object" || shape.values) return value;
  if (others.length > 0) return undefined;
  const pruned: [string, Json][] = [];
  for (const [name, member] of Object.entries(value).filter(([name]) => canSend(shape, name))) {
    const kept = prune(memberSchemas(shape, name), member);
    if (kept === undefined) return undefined;
    pruned.push([name, kept]);
  }
  return Object.fromEntries(pruned);
}
