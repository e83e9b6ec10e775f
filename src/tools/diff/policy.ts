/** The policy of a team: which changes it accepts, which ones it refuses, and why. */
import { describeValue, toOneLine } from "../../messages.ts";
import { type Change, changeRules, type ChangeVerdict, verdicts } from "./change.ts";
import type { FoundChange } from "./diff_contracts.ts";
import { findNearest } from "../../options.ts";
import { suggestName } from "../openapi/options.ts";

export interface Policy {
  /** The mildest verdict that fails, or `none`; `undefined` if the policy does not say. */
  readonly failOn?: FailOn | undefined;
  readonly rules: readonly PolicyRule[];
}

export type FailOn = ChangeVerdict | "none";

/** A rule for changes. In its patterns, `*` is any text within one key, and the key `**` is any number of keys. */
export interface PolicyRule {
  readonly rule: string;
  /** The pattern of the routes. Default: all. */
  readonly route?: string | undefined;
  /** The pattern of the slots and the places in them; `-` for whole routes. Default: all. */
  readonly where?: string | undefined;
  /** What the changes are instead; `ignore` does not list them. */
  readonly verdict: ChangeVerdict | "ignore";
  /** What else must hold. `sunset-reached`: the old side declared a sunset for the route, which is over. */
  readonly when?: "sunset-reached" | undefined;
  /** The last day of the rule, as `2027-03-31`. Default: none. */
  readonly until?: string | undefined;
  readonly why: string;
}

export interface JudgedChange extends Change {
  readonly tags: readonly string[];
  /** What the rule that decided says, and the verdict without it. */
  readonly decision?: { readonly was: ChangeVerdict; readonly why: string } | undefined;
}

export interface Judgement {
  readonly changes: readonly JudgedChange[];
  readonly expired: readonly PolicyRule[];
  readonly unused: readonly PolicyRule[];
}

export function judgeChanges(found: readonly FoundChange[], rules: readonly PolicyRule[], now: Date): Judgement {
  const expired = rules.filter(({ until }) => until !== undefined && Date.parse(until) + day <= now.getTime());
  const valid = rules.filter((rule) => !expired.includes(rule));
  const used = new Set<PolicyRule>();
  const changes = found.flatMap(({ change, route }): JudgedChange[] => {
    const matching = valid.filter((rule) => isMatch(rule, { change, route }, now));
    for (const rule of matching) used.add(rule);
    const tags = route?.tags ?? [];
    const last = matching.at(-1);
    if (last === undefined) return [{ ...change, tags }];
    const { verdict, why } = last;
    return verdict === "ignore" ? [] : [{ ...change, verdict, tags, decision: { was: change.verdict, why } }];
  });
  return {
    changes: changes.toSorted((one, other) => verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict)),
    expired,
    unused: valid.filter((rule) => !used.has(rule)),
  };
}

const day = 24 * 60 * 60 * 1_000;

function isMatch({ rule, route, where, when }: PolicyRule, found: FoundChange, now: Date): boolean {
  const { change } = found;
  const sunset = found.route?.deprecation?.sunset ?? ""; // of the old side
  return matchesText(rule, change.rule) &&
    (route === undefined || matchesKeys(routeKeys(route), routeKeys(change.route || "-"))) &&
    (where === undefined || matchesKeys(placeKeys(where), placeKeys(change.where || "-"))) &&
    (when === undefined || Date.parse(sunset) <= now.getTime()); // which is false if it is not a date
}

/** Returns the keys of a route: a dotted key or an operation id, or else a method and a path. */
function routeKeys(text: string): string[] {
  return text.includes("/") ? text.split(/[/ ]+/) : text.split(".");
}

/** Returns the keys of a place: of `200 headers /x-a`, the words of the slot and the names of the path. */
function placeKeys(text: string): string[] {
  const [slot = "", ...names] = text.split("/");
  return [...slot.trim().split(" "), ...names];
}

function matchesKeys(pattern: readonly string[], keys: readonly string[]): boolean {
  return matchesWild(pattern, keys, { isAny: (key) => key === "**", isOne: matchesText });
}

/** Tests whether a text matches a pattern in which `*` stands for any characters. */
function matchesText(pattern: string, text: string): boolean {
  return matchesWild([...pattern], [...text], {
    isAny: (character) => character === "*",
    isOne: (wanted, character) => wanted === character,
  });
}

interface Wild<Item> {
  /** Tests whether an item of a pattern stands for any number of items. */
  isAny(item: Item): boolean;
  /** Tests whether an item of a pattern matches one item. */
  isOne(wanted: Item, item: Item): boolean;
}

/** Tests whether items match a pattern. After a mismatch only the last "any" takes one more item, so it is quadratic. */
function matchesWild<Item>(pattern: readonly Item[], items: readonly Item[], { isAny, isOne }: Wild<Item>): boolean {
  let [at, position] = [0, 0];
  let [lastAny, taken] = [-1, 0];
  while (position < items.length) {
    if (at < pattern.length && isAny(pattern[at]!)) {
      [lastAny, taken] = [at, position];
      at++;
    } else if (at < pattern.length && isOne(pattern[at]!, items[position]!)) {
      at++;
      position++;
    } else {
      if (lastAny < 0) return false;
      taken++;
      [at, position] = [lastAny + 1, taken];
    }
  }
  return pattern.slice(at).every(isAny);
}

const members = ["rule", "route", "where", "verdict", "when", "until", "why"];

/** Reads the text of a policy file. Throws a `TypeError` if it is not JSON, or not a policy. */
export function parsePolicy(text: string, file: string): Policy {
  const fail = failWith(`Cannot read the policy: ${file} is not a policy`);
  const policy = toObject(parseJson(text, fail), "it", fail);
  checkNames(policy, ["$schema", "failOn", "rules"], fail);
  const { failOn: verdict, rules = [] } = policy;
  const failOn = failures.find((each) => each === verdict);
  if (verdict !== undefined && failOn === undefined) {
    fail(`"failOn" must be one of ${failures.join(", ")}, got ${describeValue(verdict)}`);
  }
  if (!Array.isArray(rules)) return fail(`"rules" must be an array, got ${describeValue(rules)}`);
  return {
    failOn,
    rules: rules.map((rule, index) => toRule(rule, failWith(`Cannot read the policy: ${file}: rule ${index + 1}`))),
  };
}

type Fail = (state: string) => never;

function failWith(start: string): Fail {
  return (state) => {
    throw new TypeError(toOneLine(`${start}: ${state}`));
  };
}

function parseJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail((error as Error).message);
  }
}

function toObject(value: unknown, what: string, fail: Fail): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  return fail(`${what} must be an object, got ${describeValue(value)}`);
}

function checkNames(written: object, allowed: readonly string[], fail: Fail): void {
  const unknown = Object.keys(written).find((name) => !allowed.includes(name));
  if (unknown === undefined) return;
  fail(`unknown option ${JSON.stringify(unknown)}${suggestName(unknown, allowed)} (allowed: ${allowed.join(", ")})`);
}

function toRule(value: unknown, fail: Fail): PolicyRule {
  const written = toObject(value, "it", fail);
  checkNames(written, members, fail);
  for (const [name, member] of Object.entries(written)) {
    if (typeof member !== "string" || member.trim() === "") {
      fail(`${JSON.stringify(name)} must be a text, got ${describeValue(member)}`);
    }
  }
  const rule = written as Readonly<Record<string, string>>; // which was checked
  for (const name of ["rule", "verdict", "why"]) {
    if (rule[name] === undefined) fail(`${JSON.stringify(name)} is missing${name === "why" ? "; say the reason" : ""}`);
  }
  checkRule(rule as unknown as PolicyRule, fail); // which has the required members
  return rule as unknown as PolicyRule; // all members were checked
}

/** Checks the texts of a rule, so that a misspelled one is not a rule that never matches. */
function checkRule({ rule, verdict, when, until }: PolicyRule, fail: Fail): void {
  if (!changeRules.some((each) => matchesText(rule, each))) {
    const nearest = findNearest(rule, changeRules);
    fail(`no change has the rule ${JSON.stringify(rule)}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`);
  }
  const allowed: readonly string[] = [...verdicts, "ignore"];
  if (!allowed.includes(verdict)) {
    fail(`"verdict" must be one of ${allowed.join(", ")}, got ${describeValue(verdict)}`);
  }
  if (when !== undefined && when !== "sunset-reached") {
    fail(`"when" must be sunset-reached, got ${describeValue(when)}`);
  }
  if (until !== undefined && !isDate(until)) {
    fail(`"until" must be a date such as 2027-03-31, got ${describeValue(until)}`);
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text); // which has no 31 February
}

export const failures: readonly FailOn[] = [...verdicts, "none"];

/**
 * Reads a list of accepted changes as rules, one on each line: the output of the command without the verdict, followed
 * by a reason. Tabs, or two or more spaces, separate the fields. Lines that begin with `#` are comments.
 *
 * @throws {TypeError} If a line lacks a field, or no change has its rule.
 */
export function parseAccepted(text: string): PolicyRule[] {
  return text.split(/\r?\n/).flatMap((line, index): PolicyRule[] => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const fail = failWith(`Cannot accept changes: line ${index + 1}`);
    const [rule = "", route = "", where = "", ...reason] = line.trim().split(/\t+|\s{2,}/);
    if (reason.length === 0) fail("it lacks a field; write the rule, the route, the place (- for none) and a reason");
    const accepted: PolicyRule = { rule, route, where, verdict: "compatible", why: reason.join("  ") };
    checkRule(accepted, fail);
    return [accepted];
  });
}
