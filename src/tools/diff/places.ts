/** Finds differences by their places. There may be thousands. */
import type { Difference } from "../json_schema/difference.ts";

export interface Ranked {
  readonly difference: Difference;
  /** Its place in the order of addition. */
  readonly rank: number;
}

/** A place within values, with the differences there. */
export interface Place {
  readonly here: Ranked[];
  /** The places of members, by name; `*` is every item or member. */
  readonly below: Map<string, Place>;
  /** The first difference at the place or below it. */
  first: Ranked | undefined;
}

export function createPlace(): Place {
  return { here: [], below: new Map(), first: undefined };
}

export function addDifference(root: Place, difference: Difference, rank: number): void {
  const ranked = { difference, rank };
  let place = root;
  place.first ??= ranked;
  for (const step of difference.path) {
    const next = place.below.get(step) ?? createPlace();
    place.below.set(step, next);
    place = next;
    place.first ??= ranked;
  }
  place.here.push(ranked);
}

interface ReachedPlace {
  readonly places: readonly Place[];
  /** The differences of the places on the way. */
  readonly above: readonly Ranked[];
}

/** Follows a path, which may lead to several places, because each step may also be `*`. */
export function follow(root: Place, path: readonly (string | number)[]): ReachedPlace {
  const above: Ranked[] = [];
  let places: readonly Place[] = [root];
  for (const step of path) {
    above.push(...places.flatMap(({ here }) => here));
    const steps = new Set(["*", String(step)]);
    places = places.flatMap(({ below }) => [...steps].flatMap((each) => below.get(each) ?? []));
  }
  return { places, above };
}

/** Returns the difference that was added first, in a list; an empty list if there is none. */
export function earliest(found: readonly Ranked[]): Difference[] {
  return found.toSorted((one, other) => one.rank - other.rank).slice(0, 1).map(({ difference }) => difference);
}
