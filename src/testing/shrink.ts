/** Shrinks a sequence of choices for as long as it leads to the same finding. */

/**
 * Deletes and zeroes parts of a sequence and keeps each change that passes the test. Ends when no change helps, or
 * after `maxTries`.
 */
export async function shrink(
  choices: readonly number[],
  passes: (choices: readonly number[]) => Promise<boolean>,
  maxTries: number,
): Promise<readonly number[]> {
  let best = withoutZeros(choices);
  let tries = 0;
  const attempt = async (candidate: readonly number[]): Promise<boolean> => {
    if (tries >= maxTries || isSame(candidate, best)) return false;
    tries++;
    if (!await passes(candidate)) return false;
    best = withoutZeros(candidate);
    return true;
  };
  for (let isSmaller = true; isSmaller && tries < maxTries;) {
    isSmaller = false;
    for (const change of changes) {
      for (let at = 0; at < best.length && tries < maxTries;) {
        const candidate = change(best, at);
        if (candidate && await attempt(candidate)) isSmaller = true;
        else at++;
      }
    }
  }
  return best;
}

/** Makes a sequence smaller at an index; returns `undefined` if it cannot. */
type Change = (choices: readonly number[], at: number) => readonly number[] | undefined;

const changes: readonly Change[] = [
  (choices, at) => choices.slice(0, at),
  ...[16, 4, 2, 1].map((length): Change => (choices, at) => choices.toSpliced(at, length)),
  (choices, at) => choices[at] === 0 ? undefined : choices.with(at, 0),
  (choices, at) => choices[at]! > 1 ? choices.with(at, choices[at]! >> 1) : undefined,
  (choices, at) => choices[at] === 0 ? undefined : choices.with(at, choices[at]! - 1),
];

/** Removes trailing zeros, because reading past the end returns zeros anyway. */
function withoutZeros(choices: readonly number[]): readonly number[] {
  return choices.slice(0, choices.findLastIndex((choice) => choice !== 0) + 1);
}

function isSame(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((choice, index) => choice === right[index]);
}
