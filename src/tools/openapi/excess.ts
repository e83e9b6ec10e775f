/** Documents and schemas that are too deep or too large to process. */
import { isObject } from "../../mark.ts";
import { formatStep } from "../../schema.ts";
import { toObject } from "./part.ts";

/**
 * The most levels of lists and objects. Deeper ones could overflow the stack. Other code reads schemas of up to 500
 * levels, and each of those can be two of these levels.
 */
const mostLevels = 1_100;

export const tooManyLevels = `is nested more than ${mostLevels.toLocaleString("en")} levels deep`;

/** The most lists and objects. One that is used twice counts twice, so that few can be more than a memory has. */
const mostParts = 2_000_000;

/** Why a value cannot be processed. */
export interface Excess {
  /** Whether it is too large, and not only too deep, so that {@linkcode cutLevels} does not help. */
  readonly isLarge: boolean;
  /** What follows the name of the value in a sentence, with the place. */
  readonly description: string;
}

/** Returns why a value is too deep or too large; `undefined` if it is neither. */
export function findExcess(value: unknown): Excess | undefined {
  let left = mostParts;
  /** Returns the steps to a part that exceeds, the last one first: the path of each part would take longer to keep. */
  const stepsToExcess = (part: object, level: number): string[] | undefined => {
    if (level > mostLevels || --left < 0) return [];
    for (const name of Object.keys(part)) {
      const member: unknown = Reflect.get(part, name);
      const steps = isObject(member) ? stepsToExcess(member, level + 1) : undefined;
      if (!steps) continue;
      steps.push(name);
      return steps;
    }
  };
  const steps = isObject(value) ? stepsToExcess(value, 0) : undefined;
  if (!steps) return undefined;
  const isLarge = left < 0;
  const state = isLarge ? `has more than ${mostParts.toLocaleString("en")} parts` : tooManyLevels;
  const start = steps.reverse().slice(0, mostSteps).map(formatStep).join("");
  return { isLarge, description: `${state}, at #${start}` };
}

/**
 * Tests whether two values have the same text as JSON. `false` if that is unknown, because they are nested more deeply
 * than a stack or have too many parts.
 */
export function hasSameText(one: object, other: object): boolean {
  let left = mostParts;
  const isSame = (part: unknown, own: unknown): boolean => {
    if (part === own) return true;
    if (!isObject(part) || !isObject(own) || Array.isArray(part) !== Array.isArray(own) || --left < 0) return false;
    const [names, ownNames] = [Object.keys(part), Object.keys(own)];
    if (names.length === 0) return JSON.stringify(part) === JSON.stringify(own); // of a date, too
    return names.length === ownNames.length &&
      names.every((name, index) => name === ownNames[index] && isSame(Reflect.get(part, name), Reflect.get(own, name)));
  };
  try {
    return isSame(one, other);
  } catch {
    return false;
  }
}

/** The most steps of a place that messages name, which is above the one that is too deep. */
const mostSteps = 16;

/**
 * Returns a copy in which another value stands for the parts that are too deep.
 *
 * @param report Called with a place above each of them, which may be the same for many.
 */
export function cutLevels(value: unknown, standIn: unknown, report: (pointer: string) => void): unknown {
  const cut = (part: unknown, level: number, near: string): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (level > mostLevels) {
      report(near);
      return standIn;
    }
    const cutMember = (member: unknown, name: string | number): unknown =>
      cut(member, level + 1, level < mostSteps ? near + formatStep(name) : near);
    if (Array.isArray(part)) return part.map(cutMember);
    return toObject(Object.entries(part).map(([name, member]) => [name, cutMember(member, name)]));
  };
  return cut(value, 0, "");
}
