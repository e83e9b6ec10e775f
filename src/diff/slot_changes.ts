/** Compares one slot of a route in two contracts. */
import { type Difference } from "../json_schema/difference.ts";
import { isEqual, type Json } from "../json_schema/json.ts";
import { type LocatedSchema, locateSchema } from "../json_schema/locate.ts";
import { toReader, toSender } from "../json_schema/reading_rules.ts";
import { areSame } from "../json_schema/same_schema.ts";
import { subset } from "../json_schema/subset.ts";
import { isValid } from "../json_schema/validate.ts";
import { formatStep } from "../pointer.ts";
import { type Schema } from "../schema.ts";
import { type ApiValue } from "./api.ts";
import { type Change, type ChangeRule } from "./change.ts";
import { listDefaults } from "./defaults.ts";
import { isPlainSchema, type LiveCheck, prune, toLiveCheck } from "./live.ts";
import { describeDifference, show, type Way } from "./phrases.ts";
import { findWitnesses, refinement, remember, type Search, sendableValues, type Shown } from "./witnesses.ts";

/** A slot in two contracts. */
export interface SlotPair {
  /** The key of the route. */
  readonly route: string;
  /** The name of the slot: `body`, `query`, `200`. */
  readonly slot: string;
  /** Whether clients send it. */
  readonly isRequest: boolean;
  /** What it was. */
  readonly before: ApiValue;
  /** What it is. */
  readonly after: ApiValue;
}

/** How slots are compared. */
export interface Effort {
  /** How many values are tried for each slot that differs. */
  readonly samples: number;
  /** How many values are tried for each slot that only live schemas may know a difference of. */
  readonly liveSamples: number;
  /** The values to try, by the text of the schema that they are of, since routes share schemas. */
  readonly values: Map<string, Iterable<Json>>;
  /** What live schemas came to that JSON Schema cannot tell apart, in requests and in responses, since routes share schemas. */
  readonly known: Readonly<Record<"request" | "response", Map<object, Map<object, Search>>>>;
}

/** What became of a slot. */
export function compareSlot(pair: SlotPair, effort: Effort): Change[] {
  const reader = pair.isRequest ? pair.after : pair.before;
  if (reader.schema === true && !reader.problem && !reader.live) return [];
  const problem = pair.before.problem ?? pair.after.problem;
  if (problem !== undefined) {
    return [{ verdict: "unproven", rule: "schema-unknown", route: pair.route, where: pair.slot, message: problem }];
  }
  try {
    return [...compareSchemas(pair, effort), ...compareDefaults(pair)];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { message } = error; // a schema that cannot be read
    return [{ verdict: "unproven", rule: "schema-unknown", route: pair.route, where: pair.slot, message }];
  }
}

function compareSchemas(pair: SlotPair, effort: Effort): Change[] {
  const { before, after, isRequest } = pair;
  const [sent, read] = isRequest ? [before, after] : [after, before];
  if (isSameText(pair) && !hasLiveChange(pair)) return [];
  const [sender, reader] = [toSender(sent.schema), toReader(read.schema, !isRequest)];
  const differences = subset(sender, reader);
  const { shown, tried } = search({ differences, sender, reader }, pair, effort);
  const forward: Way = isRequest ? "narrowed" : "widened";
  const broken = shown.map((each) => toChange(pair, each, forward, tried));
  return isSameText(pair) ? broken : [...broken, ...listCompatible(pair, { differences, sender, reader })];
}

function isSameText({ before, after }: SlotPair): boolean {
  return before.schema === after.schema || JSON.stringify(before.schema) === JSON.stringify(after.schema);
}

function hasLiveChange({ before, after }: SlotPair): boolean {
  return before.live !== undefined && after.live !== undefined && before.live !== after.live;
}

const nothingFound: Search = { shown: [], tried: 0 };

/** Looks for witnesses; where JSON Schema knows no difference, once for each pair of live schemas. */
function search(compared: Compared, pair: SlotPair, effort: Effort): Search {
  const { differences, sender, reader } = compared;
  const { before, after, isRequest } = pair;
  const live = hasLiveChange(pair) ? toLiveEnds(before.live!, after.live!, isRequest, reader) : undefined;
  if (differences.length === 0 && !live) return nothingFound;
  const text = JSON.stringify(sender.schema);
  const values = effort.values.get(text) ?? remember(sendableValues(sender, effort.samples));
  effort.values.set(text, values);
  const most = differences.length === 0 ? effort.liveSamples : effort.samples;
  const declared = locateSchema((isRequest ? before : after).schema);
  const find = () => findWitnesses(differences, { declared, reader, send: live?.send, read: live?.read }, values, most);
  const known = effort.known[isRequest ? "request" : "response"];
  return differences.length === 0 ? once(known, before.live!, after.live!, find) : find();
}

function once(
  known: Map<object, Map<object, Search>>,
  before: object,
  after: object,
  find: () => Search,
): Search {
  const others = known.get(before) ?? new Map<object, Search>();
  const search = others.get(after) ?? find();
  known.set(before, others.set(after, search));
  return search;
}

/**
 * The checks of live schemas, where they can be asked: a response is what a schema gives, so only schemas that give what they
 * take can tell of one.
 */
function toLiveEnds(
  before: Schema,
  after: Schema,
  isRequest: boolean,
  reader: LocatedSchema,
): { readonly send: LiveCheck; readonly read: LiveCheck } | undefined {
  const [old, young] = [toLiveCheck(before), toLiveCheck(after)];
  if (isRequest) return { send: old, read: young };
  if (!isPlainSchema(before) || !isPlainSchema(after)) return undefined;
  const read: LiveCheck = (value) => {
    const pruned = prune([reader], value);
    return pruned === undefined || !isValid(reader, pruned) ? undefined : old(pruned);
  };
  return { send: young, read };
}

function toChange(pair: SlotPair, { difference, witness }: Shown, way: Way, tried: number): Change {
  const isBreaking = difference.verdict === "refuted" || witness !== undefined;
  const words = isBreaking ? { ...difference, verdict: "refuted" as const } : difference;
  const message = difference.keyword === refinement
    ? describeRefinement(String(difference.reader), pair)
    : describeDifference(words, way, pair.isRequest);
  return {
    verdict: isBreaking ? "breaking" : "unproven",
    rule: ruleOf(pair, isBreaking ? way : "changed"),
    route: pair.route,
    where: placeOf(pair.slot, difference.path),
    message: isBreaking ? message : `${message}; no counterexample in ${tried.toLocaleString("en")} tries`,
    ...(witness !== undefined && { witness }),
  };
}

/** A value that JSON Schema knows no reason to refuse, but the reader's own schema does. */
function describeRefinement(issue: string, { isRequest }: SlotPair): string {
  return isRequest
    ? `values are refused now that were valid: ${issue}`
    : `values may be sent now that were invalid: ${issue}`;
}

function ruleOf({ isRequest }: SlotPair, way: Way | "changed"): ChangeRule {
  return `${isRequest ? "request" : "response"}-${way}`;
}

function placeOf(slot: string, path: readonly string[]): string {
  return path.length === 0 ? slot : `${slot} ${path.map(formatStep).join("")}`;
}

/** What was compared one way. */
interface Compared {
  readonly differences: readonly Difference[];
  readonly sender: LocatedSchema;
  readonly reader: LocatedSchema;
}

/** Changes that break nothing: members that readers ignore, and what the other way around would break. */
function listCompatible(pair: SlotPair, { differences, sender, reader }: Compared): Change[] {
  const { before, after, isRequest } = pair;
  if (areSame(sender, reader)) return [];
  const [sent, read] = isRequest ? [after, before] : [before, after];
  const back = subset(toSender(sent.schema), toReader(read.schema, true), true);
  const ignored = subset(sender, reader, true).filter(({ keyword }) => keyword === "additionalProperties");
  const list = (found: readonly Difference[], way: Way, listed: readonly Difference[]) =>
    found.filter((each) => each.verdict === "refuted" && !listed.some((other) => isAlike(each, other)))
      .map((difference): Change => ({
        verdict: "compatible",
        rule: ruleOf(pair, way),
        route: pair.route,
        where: placeOf(pair.slot, difference.path),
        message: describeDifference(difference, way, isRequest),
      }));
  const [here, there]: readonly Way[] = isRequest ? ["narrowed", "widened"] : ["widened", "narrowed"];
  return [
    ...list(ignored, here!, differences),
    ...list(back.filter(isPresence), there!, [...differences, ...ignored]),
    ...list(back.filter((each) => !isPresence(each)), there!, differences),
  ];
}

/** Whether two differences are one to whoever reads about them: a member that is new, or gone, is not required or optional as well. */
function isAlike(one: Difference, other: Difference): boolean {
  return isEqual(one.path, other.path) &&
    (one.keyword === other.keyword || (isPresence(one) && isPresence(other)));
}

function isPresence({ keyword }: Difference): boolean {
  return keyword === "required" || keyword === "additionalProperties";
}

/** Defaults of a request that were added, removed or changed. */
function compareDefaults({ before, after, isRequest, route, slot }: SlotPair): Change[] {
  if (!isRequest || isSameText({ before, after, isRequest, route, slot })) return [];
  const [old, young] = [before, after].map(({ schema }) => listDefaults(locateSchema(schema)));
  const places = new Set([...old!.keys(), ...young!.keys()]);
  return [...places].flatMap((place): Change[] => {
    const [was, is] = [old!.get(place), young!.get(place)];
    if (was === is || !was || !is) return [];
    if (isEqual(was.value ?? null, is.value ?? null)) return [];
    const message = describeDefault(was.value, is.value);
    return [{ verdict: "compatible", rule: "default-changed", route, where: placeOf(slot, was.path), message }];
  });
}

function describeDefault(was: Json | undefined, is: Json | undefined): string {
  if (was === undefined) return `has a default now: ${show(is!)}`;
  return is === undefined
    ? `has no default any more; it was ${show(was)}`
    : `has the default ${show(is)}, not ${show(was)}`;
}
