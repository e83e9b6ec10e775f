/** The results of one suite, ready for the report. */
export interface Section {
  readonly title: string;
  /** How it was measured, and how to read the tables. */
  readonly text: string;
  readonly tables: readonly Table[];
  /** Our own figures, for the targets. */
  readonly figures: readonly Figure[];
  /** The scenarios in which a peer with the same guarantees is faster. */
  readonly losses?: readonly string[];
}

/** The cells of a table. The first cell of each row is its name. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One measurement of this library: the median of all processes, with the minimum and the maximum. */
export interface Figure {
  readonly measure: string;
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}
