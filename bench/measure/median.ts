/** Returns the median, which a few disturbed runs do not affect. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

/** The median of some runs, with their minimum and maximum. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), greatest: Math.max(...values) };
}
