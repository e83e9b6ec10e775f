/** What every declaration checks of what it was given, and how it refuses. */
import { isSchema, type Schema } from "../schema.ts";

/** Throws the `TypeError` of a declaration that can't be: what was declared, what is wrong and what to do instead. */
export function cannotDeclare(where: string, state: string): never {
  throw new TypeError(`Cannot declare ${where}: ${state}`);
}

/** Refuses what is no schema; `what` names its place. */
export function checkSchema(value: unknown, what: string, where: string): asserts value is Schema {
  if (!isSchema(value)) {
    cannotDeclare(where, `${what} is no Standard Schema; write one of ArkType's, Zod's or Valibot's`);
  }
}

/** The value where it is a plain object, else refused. */
export function checkObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  const state = refuseObject(value);
  if (state !== undefined) cannotDeclare(where, state);
  return value as Record<string, unknown>;
}

function refuseObject(value: unknown): string | undefined {
  if (isSchema(value)) return "a bare schema stands where an object belongs; write { key: … } around it";
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
    return `${found} stands where an object belongs; write { key: … }`;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return 'an object of a class stands where a plain object belongs; write { key: … }, and a key __proto__ as ["__proto__"]';
  }
}

/** Checks that `options` is an object whose keys are all among `allowed`. */
export function checkOptions(options: unknown, allowed: readonly string[], where: string): void {
  for (const key of Object.keys(checkObject(options, where))) {
    if (allowed.includes(key)) continue;
    const nearest = findNearest(key, allowed);
    const suggestion = nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
    cannotDeclare(where, `unknown option ${JSON.stringify(key)}${suggestion} (allowed: ${allowed.join(", ")})`);
  }
}

/** The candidate that shares most letters with `word`, where few enough differ. */
function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const distance = (candidate: string): number => lettersBeside(word, candidate) + lettersBeside(candidate, word);
  const nearest = candidates.toSorted((one, other) => distance(one) - distance(other))[0]!;
  return distance(nearest) <= Math.max(2, word.length / 2) ? nearest : undefined;
}

/** How many letters of one word the other has nowhere: less exact than an edit distance, in half the code. */
function lettersBeside(one: string, other: string): number {
  return [...one.toLowerCase()].filter((letter) => !other.toLowerCase().includes(letter)).length;
}

/** An object with the same keys, each value mapped; keys like `__proto__` stay ordinary keys. */
export function mapObject<Value, Mapped>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  const mapped: Record<string, unknown> = { ...object }; // whose keys are its own from now on, `__proto__` too
  for (const key of Object.keys(mapped)) mapped[key] = map(mapped[key] as Value, key);
  return mapped as Record<string, Mapped>;
}
