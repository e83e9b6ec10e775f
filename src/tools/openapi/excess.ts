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
  const path: string[] = [];
  let left = mostParts;
  const exceeds = (part: object): boolean => {
    if (path.length > mostLevels || --left < 0) return true;
    for (const name of Object.keys(part)) {
      const member: unknown = Reflect.get(part, name);
      if (!isObject(member)) continue;
      path.push(name);
      if (exceeds(member)) return true;
      path.pop();
    }
    return false;
  };
  if (!isObject(value) || !exceeds(value)) return undefined;
  const isLarge = left < 0;
  const state = isLarge ? `has more than ${mostParts.toLocaleString("en")} parts` : tooManyLevels;
  return { isLarge, description: `${state}, at #${path.slice(0, mostSteps).map(formatStep).join("")}` };
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
