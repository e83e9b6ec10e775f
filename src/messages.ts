/**
 * What messages contain: descriptions of values, text on one line, names of routes, and the nearest name of an unknown
 * option.
 */
import { isInstance } from "./mark.ts";

/** Describes a value: a short one itself, any other by its type. */
export function describeValue(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : describeConfidential(value);
}

/** Describes a value that may be confidential: {@linkcode describeValue} without text. */
export function describeConfidential(value: unknown): string {
  if (typeof value === "string") return "a string";
  if (typeof value === "function") return "a function";
  if (Object(value) !== value) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}

/**
 * Formats text in one line. Line breaks, control characters and invisible format characters are escaped as in JSON, so
 * that text from elsewhere can neither forge lines of a log, nor control a terminal, nor reorder what it shows.
 */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? escapeUnits(character) : escaped;
  });
}

/**
 * Escapes the control characters and invisible format characters of a text, except line breaks. In JSON, where strings
 * have no line breaks, the escaped characters are the same values.
 */
export function toLines(text: string): string {
  return text.split("\n").map(toOneLine).join("\n");
}

/** Escapes a character as in JSON. One beyond the basic plane has two code units. */
export function escapeUnits(character: string): string {
  return character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns the message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return isInstance(thrown, Error) ? thrown.message : "the thrown value is not an Error";
}

/** Returns the name of a route in messages: `PATCH /users/:id (users.rename)`. */
export function routeLabel(
  { method, path, key }: { readonly method: string; readonly path: string; readonly key: string },
): string {
  return `${method} ${path} (${key})`;
}

type Fail = (state: string) => never;

/**
 * Returns the object, or an empty one if none was passed. Fails for anything else, and for any key that is not in
 * `allowed`. Functions for pages use it rather than {@linkcode checkOptionNames}, because suggestions cost bytes.
 *
 * @param what What the message calls a key.
 * @param addHint Returns what the message says about an unknown key.
 */
export function checkKeys(
  value: unknown,
  allowed: readonly string[],
  what: string,
  fail: Fail,
  addHint?: (key: string) => string,
): object {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null) {
    fail(`the ${what}s must be an object, got ${describeConfidential(value)}`);
  }
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown === undefined) return value;
  const hint = addHint?.(unknown) ?? "";
  fail(`unknown ${what} ${JSON.stringify(unknown)}${hint} (allowed: ${allowed.join(", ") || "none"})`);
}

/** Fails for an option that is set and not a function. */
export function checkFunctions(options: object, fail: Fail): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || typeof value === "function") continue;
    fail(`"${name}" must be a function, got ${describeConfidential(value)}`);
  }
}

/**
 * Fails for an option that is not in `allowed`, and suggests the option with the nearest name.
 *
 * @param place The object that has the option, if it is not the options themselves.
 */
export function checkOptionNames(options: object, allowed: readonly string[], fail: Fail, place?: string): void {
  checkKeys(options, allowed, "option", fail, (unknown) => {
    const nearest = findNearest(unknown, allowed);
    const suggestion = nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
    return (place === undefined ? "" : ` in ${place}`) + suggestion;
  });
}

/** Returns the candidate that shares the most letters with `word`, if few enough differ. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const distance = (candidate: string): number =>
    countMissingLetters(word, candidate) + countMissingLetters(candidate, word);
  const nearest = candidates.toSorted((one, other) => distance(one) - distance(other))[0]!;
  return distance(nearest) <= Math.max(2, word.length / 2) ? nearest : undefined;
}

/**
 * Returns the number of letters of one word that the other does not contain. It is less exact than an edit distance, in
 * half the code.
 */
function countMissingLetters(one: string, other: string): number {
  return [...one.toLowerCase()].filter((letter) => !other.toLowerCase().includes(letter)).length;
}
