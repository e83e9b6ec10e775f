/** What functions are given: how options and arguments are checked, and the error that says what, where and the fix. */
import { longestTimeout } from "./awaitable.ts";
import { isCount, isMarked } from "./mark.ts";
import { describeConfidential, describeValue } from "./messages.ts";
import { isSchema, type Schema } from "./schema.ts";

/** Throws the `TypeError` of a mistake: where it is, what is wrong and the fix. `where` is empty if a caller adds it. */
export function failAt(where: string, state: string): never {
  throw new TypeError(where ? `${where}: ${state}` : state);
}

/**
 * What a value must be, in words and as a test, which may also return in words what else is wrong with a value. `describe`
 * says what was found, and may add the fix.
 */
export type ValueRule = readonly [
  expected: string,
  test: (value: unknown) => boolean | string,
  describe?: (value: unknown) => string,
];

/** The rules of options, by name. `undefined` for one that other code checks. */
export type OptionRules = Readonly<Record<string, ValueRule | undefined>>;

export const aFunction: ValueRule = ["a function", (value) => typeof value === "function"];
export const aBoolean: ValueRule = ["a boolean", (value) => typeof value === "boolean"];
export const anObject: ValueRule = ["an object", isKeyed];
/** The rule of a signal, also of another realm, such as a frame. `null` is none, as in Fetch. */
export const aSignal: ValueRule = [
  "an AbortSignal",
  (value) => value === null || Object(value)[Symbol.toStringTag] === "AbortSignal",
];
export const aCount: ValueRule = ["a non-negative integer", isCount];
export const aPositiveCount: ValueRule = ["a positive integer", isPositive];
export const someTexts: ValueRule = ["an array of texts", isListOfTexts];
export const aDuration: ValueRule = /* @__PURE__ */ toDuration("from 0 to", (value) => value >= 0);
export const aDurationAboveZero: ValueRule = /* @__PURE__ */ toDuration("above 0, at most", (value) => value > 0);

function toDuration(range: string, isWithin: (value: number) => boolean): ValueRule {
  return [
    `milliseconds ${range} ${longestTimeout}, or Infinity`,
    (value) => typeof value === "number" && isWithin(value) && (value <= longestTimeout || value === Infinity),
  ];
}

/** Returns whether a value is an object with keys: no list, and no function. */
function isKeyed(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an array of texts. */
export function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** Returns whether a value is an integer from 1 that a number represents exactly. */
export function isPositive(value: unknown): boolean {
  return isCount(value) && value > 0;
}

/** Throws a `TypeError` unless a value is what its rule says. `what` names it. */
export function checkRule(
  value: unknown,
  what: string,
  [expected, test, describeFound = describeValue]: ValueRule,
  where: string,
  describe = describeFound,
): void {
  const found = test(value);
  if (found !== true) failAt(where, `${what} ${found || `must be ${expected}, got ${describe(value)}`}`);
}

/**
 * Returns the options that are set, each read once, so that what was checked is what is used. Throws a `TypeError` for
 * one that is not what its rule says.
 */
export function checkRules(
  options: object,
  rules: OptionRules,
  where: string,
  describe?: typeof describeValue,
): object {
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(rules)) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    const rule = rules[name];
    if (rule) checkRule(value, `"${name}"`, rule, where, describe);
    read[name] = value;
  }
  return read;
}

/**
 * Returns the object, or an empty one if none was passed. Throws a `TypeError` for anything else, and for any key that is
 * not in `allowed`. Functions for pages use it rather than {@linkcode checkNames}, because suggestions cost bytes.
 *
 * @param what What the message calls a key.
 * @param addHint Returns what the message says about an unknown key.
 */
export function checkKeys(
  value: unknown,
  allowed: readonly string[],
  what: string,
  where: string,
  addHint?: (key: string) => string,
): object {
  if (value === undefined) return {};
  if (!isKeyed(value)) failAt(where, `the ${what}s must be an object, got ${describeConfidential(value)}`);
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown === undefined) return value;
  const hint = addHint?.(unknown) ?? "";
  failAt(where, `unknown ${what} ${JSON.stringify(unknown)}${hint} (allowed: ${allowed.join(", ") || "none"})`);
}

/** Throws a `TypeError` for a value that is not a function. */
export function requireFunctions(values: object, where: string): void {
  for (const [name, value] of Object.entries(values)) checkRule(value, `"${name}"`, aFunction, where);
}

/** Returns the options of a function for pages, or none. Throws a `TypeError` if one is unknown, or not what its rule says. */
export function readPlainOptions(
  options: unknown,
  rules: OptionRules,
  where: string,
  describe = describeConfidential,
): object {
  return checkRules(checkKeys(options, Object.keys(rules), "option", where), rules, where, describe);
}

/**
 * Throws a `TypeError` for an option that is not in `allowed`, and suggests the option with the nearest name.
 *
 * @param place The object that has the option, if it is not the options themselves.
 */
export function checkNames(options: object, allowed: readonly string[], where: string, place?: string): void {
  checkKeys(options, allowed, "option", where, (unknown) => {
    const nearest = findNearest(unknown, allowed);
    return (place ? ` in ${place}` : "") + (nearest ? `; did you mean ${JSON.stringify(nearest)}?` : "");
  });
}

/** Throws a `TypeError` for an option that is unknown, or not what its rule says. */
export function checkSettings(
  options: object,
  rules: OptionRules,
  where: string,
  describe?: typeof describeValue,
): void {
  checkNames(options, Object.keys(rules), where);
  checkRules(options, rules, where, describe);
}

/** Throws a `TypeError` unless `options` is a plain object whose keys are all in `allowed`. */
export function checkOptions(options: unknown, allowed: readonly string[], where: string, what?: string): void {
  checkNames(checkObject(options, where, what), allowed, where, what);
}

/** Returns whether a value is an object of no class, in any realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns the value if it is a plain object. Throws a `TypeError` otherwise. */
export function checkObject(
  value: unknown,
  where: string,
  what = "the options",
): Readonly<Record<string, unknown>> {
  checkRule(value, what, aPlainObject, where);
  return value as Readonly<Record<string, unknown>>; // it was checked
}

const aPlainObject: ValueRule = [
  "a plain object like { key: … }",
  (value) => isPlainObject(value) && !isSchema(value),
  (value) => {
    const found = describeDeclared(value);
    return found === "an object" ? 'an instance of a class; write a key __proto__ as ["__proto__"]' : found;
  },
];

/** Describes a value like {@linkcode describeValue}, where a schema may have been passed. */
export function describeDeclared(value: unknown): string {
  return isSchema(value) ? "a schema" : describeValue(value);
}

export const aSchema: ValueRule = ["a Standard Schema (Zod, Valibot, ArkType, …)", isSchema];

/** The place of a schema: an input of a request, the fields of a form, any other body, or a part of a response. */
export type SchemaPlace = "params" | "query" | "headers" | "form" | "body" | "response";

/** Throws a `TypeError` unless the value is a schema. `what` names it, and `place` is where its values are. */
export function checkSchema(
  value: unknown,
  what: string,
  where: string,
  place?: SchemaPlace,
): asserts value is Schema {
  checkRule(value, what, aSchema, where);
  // every "styled" schema has the member
  if (place && isMarked(value, "styled")) (value as unknown as PlacedSchema).checkPlace(place, what, where);
}

/** A styled schema, which can be only in some places. */
interface PlacedSchema {
  /** Throws a `TypeError` if it cannot be in a place. `what` names the schema. */
  readonly checkPlace: (place: SchemaPlace, what: string, where: string) => void;
}

/** Returns a frozen deep copy of plain data, such as what documents contain. */
export function freezeCopy<Data extends object>(data: Data): Data {
  return JSON.parse(JSON.stringify(data), (_key, value) => Object.freeze(value));
}

/**
 * Returns the candidate that shares the most letters with `word`, if few enough are in one of them only. It is less exact
 * than an edit distance, in half the code.
 */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const distance = (candidate: string): number => {
    const words = [word.toLowerCase(), candidate.toLowerCase()];
    return [...words.join("")].filter((letter) => !words.every((each) => each.includes(letter))).length;
  };
  const nearest = candidates.toSorted((one, other) => distance(one) - distance(other))[0]!;
  return distance(nearest) <= Math.max(2, word.length / 2) ? nearest : undefined;
}
