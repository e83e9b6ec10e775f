/** What changed in one slot of a route. */
import type { Difference } from "../json_schema/difference.ts";
import {
  isEqual,
  isSchemaObject,
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  schemaList,
} from "../json_schema/json.ts";
import { followReference, type LocatedSchema, locatePart } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { areSame, resolveAlias } from "../json_schema/same_schema.ts";
import { knownNames, memberSchemas, type ObjectShape } from "../json_schema/shapes.ts";
import { subset } from "../json_schema/subset.ts";
import { limitSteps, StepLimitError } from "../json_schema/steps.ts";
import { isValid } from "../json_schema/validate.ts";
import { mapObjects } from "../json_schema/references.ts";
import { formatStep } from "../../schema.ts";
import type { ApiValue } from "./api.ts";
import { type Change, type ChangeRule, describeDifference, show, type Way } from "./change.ts";
import {
  createMemory,
  findProblem,
  hasUnknown,
  haveSameText,
  locateFor,
  reachableDefinitions,
  type SplitSchema,
  splitSchema,
  textOf,
} from "./definitions.ts";
import {
  findWitnesses,
  isPlainSchema,
  type LiveCheck,
  prune,
  refinement,
  replayable,
  sendableValues,
  type ShownDifference,
  toLiveCheck,
  type WitnessSearch,
} from "./witnesses.ts";

const listSteps = 3_000_000;

interface ValuePair {
  readonly isRequest: boolean;
  readonly before: ApiValue;
  readonly after: ApiValue;
}

interface SlotPair extends ValuePair {
  readonly route: string;
  readonly slot: string;
}

export interface Effort {
  readonly samples: number;
  /** The number of values that are tried for each slot to find differences that only live schemas show. */
  readonly liveSamples: number;
  /** Whether a contract is compared with a document. Only documents have discriminators. */
  readonly isMixed: boolean;
  /** The old names of security schemes that may only have another name now, by this name. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The values to try, by the definitions and the text of their schema, because routes share schemas. */
  readonly values: Map<object, Map<string, Iterable<Json>>>;
  /** The changes of values in requests and in responses, because routes share schemas. */
  readonly known: Readonly<Record<"request" | "response", Map<ApiValue, Map<ApiValue, readonly ValueChange[]>>>>;
}

/** A change of a slot's values, without the place of the slot. */
interface ValueChange extends Omit<Change, "route" | "where"> {
  readonly path: readonly string[];
}

export function compareSlot(pair: SlotPair, effort: Effort): Change[] {
  const { before, after, isRequest, route, slot } = pair;
  const known = effort.known[isRequest ? "request" : "response"];
  const others = known.get(before) ?? new Map<ApiValue, readonly ValueChange[]>();
  const changes = others.get(after) ?? compareValues(pair, effort);
  known.set(before, others.set(after, changes));
  return changes.map(({ verdict, rule, path, ...rest }) => ({
    verdict,
    rule,
    route,
    where: path.length === 0 ? slot : `${slot} ${path.map(formatStep).join("")}`,
    ...rest,
  }));
}

function compareValues(pair: ValuePair, effort: Effort): ValueChange[] {
  const reader = pair.isRequest ? pair.after : pair.before;
  if (reader.schema === true && !reader.problem && !reader.live) return [];
  const problem = problemOf(pair.before) ?? problemOf(pair.after);
  if (problem !== undefined && !isWhollySame(pair)) return [describeUnknown(problem)];
  if (isSameText(pair) && !hasLiveChange(pair)) return [];
  try {
    return [...compareSchemas(pair, effort), ...compareAnnotations(pair), ...compareDiscriminators(pair, effort)];
  } catch (error) {
    const isTooDeep = error instanceof RangeError; // it overflows the stack, or takes too many steps
    if (!(error instanceof TypeError) && !isTooDeep) throw error;
    return [describeUnknown(error.message)]; // a schema that cannot be read
  }
}

function problemOf({ problem, schema }: ApiValue): string | undefined {
  return problem ?? findProblem(schema);
}

/** Tests whether all of the values' schemas is known and the same, even if it cannot be read. */
function isWhollySame(pair: ValuePair): boolean {
  const { before, after } = pair;
  return before.problem === undefined && after.problem === undefined && isSameText(pair) && !hasUnknown(before.schema);
}

function describeUnknown(message: string): ValueChange {
  return { verdict: "unproven", rule: "schema-unknown", path: [], message };
}

function compareSchemas(pair: ValuePair, effort: Effort): ValueChange[] {
  const { before, after, isRequest } = pair;
  const [sent, read] = isRequest ? [before, after] : [after, before];
  const [sender, reader] = [
    locateFor("sender", sent.schema),
    locateFor(isRequest ? "reader" : "open reader", read.schema),
  ];
  const differences = subset(sender, reader);
  const { shown, tried } = search({ differences, sender, reader }, pair, effort);
  const forward: Way = isRequest ? "narrowed" : "widened";
  const broken = shown.map((each) => toChange(pair, each, forward, tried));
  if (isSameText(pair)) return broken;
  try {
    return [...broken, ...limitSteps(listSteps, () => listCompatible(pair, { differences, sender, reader }))];
  } catch (error) {
    if (broken.length > 0 && error instanceof StepLimitError) return broken;
    throw error;
  }
}

function isSameText({ before, after }: ValuePair): boolean {
  return haveSameText(before.schema, after.schema);
}

function hasLiveChange({ before, after }: ValuePair): boolean {
  return before.live !== undefined && after.live !== undefined && before.live !== after.live;
}

function search({ differences, sender, reader }: Compared, pair: ValuePair, effort: Effort): WitnessSearch {
  const { samples, liveSamples } = effort;
  const { before, after, isRequest } = pair;
  const live = hasLiveChange(pair) && samples > 0 ? toLiveEnds(pair, reader) : undefined;
  if (samples === 0 || (differences.length === 0 && !live)) {
    return { shown: differences.map((difference) => ({ difference, witness: undefined })), tried: 0 };
  }
  const { own, definitions } = splitSchema(toObject((isRequest ? before : after).schema));
  const known = effort.values.get(definitions) ?? new Map<string, Iterable<Json>>();
  effort.values.set(definitions, known);
  const values = known.get(textOf(own)) ?? replayable(sendableValues(sender, samples));
  known.set(textOf(own), values);
  const declared = locateFor("declared", (isRequest ? before : after).schema);
  const ends = { sender, declared, reader, send: live?.send, read: live?.read };
  return findWitnesses(differences, ends, values, { samples, liveSamples });
}

function toObject(schema: JsonSchema): JsonSchemaObject {
  return typeof schema === "object" ? schema : schema ? {} : { not: {} };
}

/**
 * Returns the checks of live schemas, if they apply. A response is the output of a schema, so only schemas whose input
 * equals their output can check one.
 */
function toLiveEnds(
  { before, after, isRequest }: ValuePair,
  reader: LocatedSchema,
): { readonly send: LiveCheck; readonly read: LiveCheck } | undefined {
  if (!before.live || !after.live) return undefined;
  const [checkBefore, checkAfter] = [toLiveCheck(before.live), toLiveCheck(after.live)];
  if (isRequest) return { send: checkBefore, read: checkAfter };
  if (![before, after].every(({ live, schema }) => live && isPlainSchema(live, schema))) return undefined;
  const read: LiveCheck = (value) => {
    const pruned = prune([reader], value);
    return pruned === undefined || !isValid(reader, pruned) ? undefined : checkBefore(pruned);
  };
  return { send: checkAfter, read };
}

function toChange(pair: ValuePair, { difference, witness }: ShownDifference, way: Way, tried: number): ValueChange {
  const isBreaking = difference.verdict === "refuted" || witness !== undefined;
  const words = isBreaking ? { ...difference, verdict: "refuted" as const } : difference;
  const state = pair.isRequest ? "values that were valid are rejected now" : "values that were invalid may be sent now";
  const message = difference.keyword === refinement // which JSON Schema accepts
    ? `${state}: ${difference.reader}`
    : describeDifference(words, way, pair.isRequest);
  return {
    verdict: isBreaking ? "breaking" : "unproven",
    rule: ruleOf(pair, isBreaking ? way : "changed"),
    path: difference.path,
    message: isBreaking ? message : `${message}; no counterexample in ${tried.toLocaleString("en")} tries`,
    ...(witness !== undefined && { witness }),
  };
}

function ruleOf({ isRequest }: ValuePair, way: Way | "changed"): ChangeRule {
  return `${isRequest ? "request" : "response"}-${way}`;
}

interface Compared {
  readonly differences: readonly Difference[];
  readonly sender: LocatedSchema;
  readonly reader: LocatedSchema;
}

/** Lists compatible changes: members that readers ignore, and differences that would break in the other direction. */
function listCompatible(pair: ValuePair, { differences, sender, reader }: Compared): ValueChange[] {
  const { before, after, isRequest } = pair;
  if (areSame(sender, reader)) return [];
  const [sent, read] = isRequest ? [after, before] : [before, after];
  const back = subset(locateFor("sender", sent.schema), locateFor("open reader", read.schema), true);
  const ignored = subset(sender, reader, true).filter(({ keyword }) => keyword === "additionalProperties");
  const list = (found: readonly Difference[], way: Way, listed: readonly Difference[]) => {
    const known = new Set(listed.map(meaningOf));
    return found.filter((each) => each.verdict === "refuted" && !known.has(meaningOf(each)))
      .map((difference): ValueChange => ({
        verdict: "compatible",
        rule: ruleOf(pair, way),
        path: difference.path,
        message: describeDifference(difference, way, isRequest),
      }));
  };
  const [here, there]: readonly [Way, Way] = isRequest ? ["narrowed", "widened"] : ["widened", "narrowed"];
  return [
    ...list(ignored, here, differences),
    ...list(back.filter(isPresence), there, [...differences, ...ignored]),
    ...list(back.filter((each) => !isPresence(each)), there, differences),
  ];
}

/** Returns a text that differences share if they mean the same to a reader: a new member is not also required. */
function meaningOf(difference: Difference): string {
  return JSON.stringify([difference.path, isPresence(difference) ? "presence" : difference.keyword]);
}

function isPresence({ keyword }: Difference): boolean {
  return keyword === "required" || keyword === "additionalProperties";
}

/** Lists the parts whose deprecation is new, and the defaults of a request that were added, removed or changed. */
function compareAnnotations(pair: ValuePair): ValueChange[] {
  const { before, after, isRequest } = pair;
  const keywords = isRequest ? ["deprecated", "default"] : ["deprecated"];
  const sides = [before, after].map(({ schema }) => splitSchema(toObject(schema)));
  if (isSameText(pair) || !sides.some((side) => keywords.some((each) => mayHave(side, each)))) return [];
  const earlier = listAnnotations(locateFor("declared", before.schema));
  const later = listAnnotations(locateFor("declared", after.schema));
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((place): ValueChange[] => {
    const [was, is] = [earlier.get(place), later.get(place)];
    if (!was || !is) return [];
    const { path } = is;
    const isFilledIn = !was.isRequired || !is.isRequired || (was.value !== undefined && is.value !== undefined);
    const isNew = isRequest && isFilledIn && !isEqual(was.value ?? null, is.value ?? null);
    const message = describeDefault(was.value, is.value);
    return [
      ...(was.isDeprecated || !is.isDeprecated
        ? []
        : [{ verdict: "compatible", rule: "deprecated", path, message: "is deprecated now" } as const]),
      ...(isNew ? [{ verdict: "compatible", rule: "default-changed", path, message } as const] : []),
    ];
  });
}

/** Lists discriminators that are gone or changed: generated clients choose types by them. */
function compareDiscriminators(pair: ValuePair, { isMixed }: Effort): ValueChange[] {
  if (isMixed || isSameText(pair)) return [];
  const [was, is] = [listDiscriminators(pair.before), listDiscriminators(pair.after)];
  return was.filter((each) => !is.includes(each)).map((each) => ({
    verdict: "source",
    rule: "discriminator-changed",
    path: [],
    message: `the discriminator ${each} ${is.length > 0 ? `became ${is.join(", ")}` : "was removed"}`,
  }));
}

/** Returns the discriminators of a schema: the name of a property, and its values with their schemas. */
function listDiscriminators({ schema }: ApiValue): readonly string[] {
  const split = splitSchema(toObject(schema));
  if (!mayHave(split, "discriminator")) return [];
  const parts = [split.own, ...reachableDefinitions(split).map(([, each]) => each)];
  return [...new Set(parts.flatMap((part) => isSchemaObject(part) ? discriminatorsOf(part) : []))];
}

const discriminatorsOf = createMemory((schema: JsonSchemaObject): readonly string[] => {
  const found: string[] = [];
  mapObjects(schema, (each) => {
    const { propertyName, mapping = {} } = Object(each.discriminator);
    const named = Object.entries(Object(mapping)).map(([value, target]) => `${value} for ${target}`).toSorted();
    if (typeof propertyName === "string") found.push([propertyName, ...named].join(" "));
    return each;
  });
  return found;
});

/** Tests whether a schema may have a keyword: to look for it takes long in a schema of many parts. */
function mayHave({ own, definitions }: SplitSchema, keyword: string): boolean {
  return [own, definitions].some((part) => textOf(part).includes(`"${keyword}":`));
}

function describeDefault(was: Json | undefined, is: Json | undefined): string {
  if (is === undefined) return `no longer has a default${was === undefined ? "" : `; it was ${show(was)}`}`;
  return was === undefined ? `has a default now: ${show(is)}` : `has the default ${show(is)}, not ${show(was)}`;
}

interface Annotated {
  readonly path: readonly string[];
  readonly value: Json | undefined;
  /** Whether it is a required member, where a default fills nothing in. */
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
}

const mostPlaces = 2_000;

function listAnnotations(located: LocatedSchema): ReadonlyMap<string, Annotated> {
  const found = new Map<string, Annotated>();
  collect([located], { path: [], isRequired: false }, []);
  return found;

  /** Adds a place and those below it. Recursive schemas are entered once: `trail` has those on the way. */
  function collect(
    schemas: readonly LocatedSchema[],
    { path, isRequired }: Pick<Annotated, "path" | "isRequired">,
    trail: readonly string[],
  ): void {
    const place = JSON.stringify(path);
    const entered = schemas.map((schema) => resolveAlias(schema).id).join();
    if (found.has(place) || found.size >= mostPlaces || trail.includes(entered)) return;
    const shapes = normalize(schemas);
    const sources = shapes.flatMap((shape) => shape.sources);
    const value = sources.findLast((each) => each.default !== undefined)?.default;
    found.set(place, { path, value, isRequired, isDeprecated: isMarked(schemas) });
    for (const shape of shapes.filter((each): each is ObjectShape => each.type === "object")) {
      for (const name of knownNames(shape)) {
        const below = { path: [...path, name], isRequired: shape.required.has(name) };
        collect(memberSchemas(shape, name), below, [...trail, entered]);
      }
    }
  }
}

/** Tests whether a schema marks its values as deprecated: itself, or one that all of them match. */
function isMarked(schemas: readonly LocatedSchema[]): boolean {
  const reached = new Set(schemas);
  for (const located of reached) {
    const { schema } = located;
    if (typeof schema !== "object") continue;
    if (schema.deprecated === true) return true;
    for (const part of schemaList(schema.allOf)) reached.add(locatePart(located, part));
    if (typeof schema.$ref === "string") reached.add(followReference(located, schema.$ref));
  }
  return false;
}
