/** Searches for values that show the differences of two schemas. */
import { type Issue, type Schema, summarizeIssue, toCheck } from "../../schema.ts";
import type { CheckFailure } from "../json_schema/check.ts";
import { createChoices } from "../json_schema/choices.ts";
import type { SamplePath } from "../json_schema/draw.ts";
import type { Difference } from "../json_schema/difference.ts";
import { isJsonList, isJsonObject, type Json, type JsonSchema, typeOf } from "../json_schema/json.ts";
import { type LocatedSchema, locateSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { canBeSent, canSend } from "../json_schema/reading_rules.ts";
import { areSame } from "../json_schema/same_schema.ts";
import { findSample } from "../json_schema/sample.ts";
import { sampleBoundaries } from "../json_schema/sample_boundaries.ts";
import { listNumbers } from "../json_schema/sample_number.ts";
import { listTexts } from "../json_schema/sample_string.ts";
import { itemSchemas, memberSchemas, type Shape } from "../json_schema/shapes.ts";
import { limitSteps, StepLimitError } from "../json_schema/steps.ts";
import { isValid, listFailures } from "../json_schema/validate.ts";
import { convertSchema } from "../openapi/slot_schemas.ts";
import { isPromise } from "../../awaitable.ts";
import { createMemory } from "./definitions.ts";
import { addDifference, createPlace, earliest, follow, type Place, type Ranked } from "./places.ts";

interface Ends {
  readonly sender: LocatedSchema;
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

/** More differences than values that each show one can be tried for. */
const manyDifferences = 100;

/** How often one value may show a difference, such as one of the items of a list. */
const mostRepeated = 10;

/** After this number of values in a row that show nothing new, a search among many differences ends. */
const mostVain = 100;

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
  const isLive = ends.send !== undefined && ends.read !== undefined;
  const isMany = differences.length > manyDifferences;
  /** Tests whether no value shows a difference that is certain, since JSON Schema does not validate formats. */
  const isFutile = ({ keyword, verdict }: Difference) => !isLive && keyword === "format" && verdict === "refuted";
  const found: Witnesses = {
    witnesses: new Map(),
    missing: new Set(
      isMany || differences.every(isFutile) ? differences.filter((each) => !isFutile(each)) : differences,
    ),
    isMany,
    places: createPlace(),
    refinements: createPlace(),
  };
  differences.forEach((each, rank) => addDifference(found.places, each, rank));
  const parts = mostRepeated * differences.length;
  let tried = 0;
  const search = () => {
    let left = found.missing.size;
    let vain = 0; // values in a row that showed nothing new
    for (const value of isMany ? valuesAtBounds(ends.sender, parts, values, found.places) : values) {
      const isShown = found.missing.size === 0;
      if (tried >= (isShown ? Math.min(isLive ? liveSamples : 50, samples) : samples)) break;
      tried++;
      tryValue(value);
      vain = found.missing.size < left ? 0 : vain + 1;
      left = found.missing.size;
      if (isMany && !isLive && vain > mostVain) break;
    }
  };
  const tryValue = (value: Json) => {
    if (!isValid(ends.declared, value)) return;
    const own = ends.send?.(value);
    if (own && own.length > 0) return; // the sender itself rejects it
    const issues = ends.read?.(value);
    const [issue] = issues ?? [];
    const failures = differences.length === 0 ? [] : listFailures(ends.reader, value, Math.max(manyDifferences, parts));
    if (failures.length > 0 && issues?.length !== 0) keep(found, failures, value);
    else if (failures.length === 0 && own && issue) keepIssue(found, issue, value);
  };
  try {
    limitSteps(differences.length > 0 ? searchSteps : liveSteps, search);
  } catch (error) {
    if (!(error instanceof StepLimitError)) throw error;
  }
  const shown = [...new Set([...differences, ...found.witnesses.keys()])]
    .map((difference) => ({ difference, witness: found.witnesses.get(difference)?.value }));
  return { shown, tried };
}

interface Witnesses {
  readonly witnesses: Map<Difference, Witness>;
  /** The differences that no value shows yet. */
  readonly missing: Set<Difference>;
  readonly isMany: boolean;
  readonly places: Place;
  /** The differences that only live schemas show. */
  readonly refinements: Place;
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
    if (canBeSent([sender], value)) yield value;
  }
  for (let seed = 0; seed < samples - listed && misses < mostMisses; seed++) {
    const value = findSample(sender, createChoices(seed), { isRealistic: seed % 2 === 0 });
    misses = value === undefined ? misses + 1 : 0;
    if (value !== undefined && canBeSent([sender], value)) yield value;
  }
}

const mostTogether = 40;

/** The longest text among many. One that must be longer to show a difference has its share of these characters. */
const longestBound = 300;
const mostCharacters = 10_000_000;

/** Yields values with all their parts at bounds, and then others. A large object has too many parts to try one by one. */
function* valuesAtBounds(
  sender: LocatedSchema,
  parts: number,
  others: Iterable<Json>,
  differences: Place,
): Iterable<Json> {
  const longest = Math.max(longestBound, mostCharacters / parts);
  for (let index = 0; index < mostTogether; index++) {
    const isFull = index % 2 === 0;
    const value = findSample(sender, isFull ? { next: () => 0 } : createChoices(index), {
      isRealistic: true,
      parts,
      suggest: ({ shape, path }) => {
        const bounds = [...valuesBeyond(differences, path, longest), ...boundsOf(shape)];
        return bounds[(index >> 1) % bounds.length];
      },
    });
    if (value !== undefined && canBeSent([sender], value)) yield value;
  }
  yield* others;
}

/** Returns values beyond the reader's bounds that differ at a place. The sender may not send some of them. */
function valuesBeyond(differences: Place, path: SamplePath, longest: number): Json[] {
  return follow(differences, path).places.flatMap(({ here }) => here).flatMap(({ difference: { keyword, reader } }) =>
    typeof reader === "number" && (keyword !== "maxLength" || reader < longest) ? beyond[keyword]?.(reader) ?? [] : []
  );
}

const beyond: Readonly<Record<string, (bound: number) => Json>> = {
  minimum: (least) => least - 1,
  exclusiveMinimum: (least) => least,
  maximum: (most) => most + 1,
  exclusiveMaximum: (most) => most,
  multipleOf: (factor) => 1.5 * factor,
  minLength: (least) => "a".repeat(Math.max(0, Math.min(least - 1, longestBound))),
  maxLength: (most) => "a".repeat(most + 1),
};

const boundsOf = createMemory((shape: Shape): readonly Json[] => {
  if (shape.values) return shape.values;
  if (shape.type === "number") return listNumbers(shape);
  return shape.type === "string" ? listTexts(shape).filter(({ length }) => length <= longestBound) : [];
});

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

function keep(found: Witnesses, failures: readonly CheckFailure[], value: Json): void {
  const weight = failures.length * 1_000 + JSON.stringify(value).length;
  const alike = new Map(failures.map((each) => [JSON.stringify([each.keyword, each.path]), each])); // as for required
  for (const failure of alike.values()) {
    for (const difference of findDifferences(found, failure, value)) show(found, difference, { value, weight });
  }
}

function show({ witnesses, missing }: Witnesses, difference: Difference, witness: Witness): void {
  const known = witnesses.get(difference);
  if (!known || known.weight > witness.weight) witnesses.set(difference, witness);
  missing.delete(difference);
}

/**
 * Finds the difference that a failure shows: one with its place and keyword, or one with or near its place. If there are
 * many, an object without several required members shows all of them.
 */
function findDifferences({ places: root, isMany }: Witnesses, failure: CheckFailure, value: Json): Difference[] {
  const { places, above } = follow(root, failure.path);
  const lacking = failure.keyword === "required" ? listLacking(places, failure, value) : [];
  if (isMany && lacking.length > 0) return lacking.map(({ difference }) => difference);
  const here = [
    ...places.flatMap((place) => place.here).filter(({ difference }) => difference.keyword !== "required"),
    ...lacking,
  ];
  const isAlike = ({ difference: { keyword } }: Ranked) =>
    keyword === failure.keyword || (keyword === "additionalProperties" && failure.keyword === "");
  const near = [here.filter(isAlike), here, [...above, ...places.flatMap(({ first }) => first ?? [])]];
  return earliest(near.find(({ length }) => length > 0) ?? []);
}

/** Lists the differences in required members that an object lacks. */
function listLacking(places: readonly Place[], { path }: CheckFailure, value: Json): Ranked[] {
  const object = path.reduce<unknown>((place, step) => Object(place)[step], value);
  return places.flatMap(({ below }) => [...below]).filter(([name]) => !Object.hasOwn(Object(object), name))
    .flatMap(([, { here }]) => here.filter(({ difference }) => difference.keyword === "required"));
}

/** Keeps a value that only the reader's live schema rejects, for the format of its place or for a new difference. */
function keepIssue(found: Witnesses, issue: Issue, value: Json): void {
  const { path, message } = summarizeIssue(issue);
  const keys = path.map((key) => typeof key === "number" ? "*" : key);
  const [known] = [found.places, found.refinements].flatMap((root) =>
    earliest(
      follow(root, keys).places.flatMap(({ here }) => here)
        .filter(({ difference: { keyword } }) => keyword === "format" || keyword === refinement),
    )
  );
  const witness = { value, weight: JSON.stringify(value).length };
  if (known) return show(found, known, witness);
  const added: Difference = { path: keys, verdict: "refuted", keyword: refinement, sender: undefined, reader: message };
  addDifference(found.refinements, added, found.witnesses.size);
  show(found, added, witness);
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
