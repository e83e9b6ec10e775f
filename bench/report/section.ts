/** What one suite has found, ready to be written down. */
export interface Section {
  readonly title: string;
  /** How it was measured, and how the tables are read. */
  readonly text: string;
  readonly tables: readonly Table[];
  /** Our own figures, for the targets. */
  readonly figures: readonly Figure[];
  /** Where we are behind a peer with the same guarantees. */
  readonly losses?: readonly string[];
}

/** The cells of a table, the first of each row being its name. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One measure of this library: the median of all processes, with the least and the greatest of them. */
export interface Figure {
  readonly measure: string;
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}
