/** What every declaration checks of the object it was given. */

/** The value where it is a plain object, else a `TypeError` that says so. */
export function checkObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  const state = refuseObject(value);
  if (state !== undefined) throw new TypeError(`Cannot declare ${where}: ${state}`);
  return value as Record<string, unknown>;
}

function refuseObject(value: unknown): string | undefined {
  if (value === null) return "null stands where an object belongs";
  if (value === undefined) return "an object is missing; write one";
  if (Array.isArray(value)) return "an array stands where an object belongs; write { key: … }";
  if (typeof value !== "object") return `a ${typeof value} stands where an object belongs`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return 'an object with a prototype of its own stands where a plain object belongs; write a key __proto__ as ["__proto__"]';
  }
}

/** Checks that `options` is an object whose keys are all among `allowed`. */
export function checkOptions(options: unknown, allowed: readonly string[], where: string): void {
  for (const key of Object.keys(checkObject(options, where))) {
    if (allowed.includes(key)) continue;
    const nearest = findNearest(key, allowed);
    const suggestion = nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
    throw new TypeError(
      `Cannot declare ${where}: unknown option ${JSON.stringify(key)}${suggestion} (allowed: ${allowed.join(", ")})`,
    );
  }
}

/** The candidate that differs from `word` in the fewest letters, where that is less than half of them. */
function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates.map((candidate) => ({
    candidate,
    distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
  }))
    .sort((one, other) => one.distance - other.distance);
  const nearest = ranked[0];
  return nearest && nearest.distance <= Math.max(2, word.length / 2) ? nearest.candidate : undefined;
}

/** How many letters must be added, left out or replaced to make one word of the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length]!;
}

/** An object with the same keys, each value mapped; keys like `__proto__` stay ordinary keys. */
export function mapObject<Value, Mapped>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.keys(object).map((key) => [key, map(object[key]!, key)]));
}
