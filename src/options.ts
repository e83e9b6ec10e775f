/** The one check of the names in an object that a function takes. */
import { describeConfidential } from "./messages.ts";

/** Throws the error of the function that was called. */
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

/** The candidate that shares the most letters with `word`, if few enough differ. */
function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const distance = (candidate: string): number =>
    countMissingLetters(word, candidate) + countMissingLetters(candidate, word);
  const nearest = candidates.toSorted((one, other) => distance(one) - distance(other))[0]!;
  return distance(nearest) <= Math.max(2, word.length / 2) ? nearest : undefined;
}

/**
 * The number of letters of one word that the other does not contain. It is less exact than an edit distance, in half
 * the code.
 */
function countMissingLetters(one: string, other: string): number {
  return [...one.toLowerCase()].filter((letter) => !other.toLowerCase().includes(letter)).length;
}
