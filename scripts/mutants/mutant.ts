/** One way to break the source: some text of a file becomes another. */
export interface Mutant {
  /** The promise that it breaks, in the words of who relies on it. */
  readonly breaks: string;
  /** Text that stands in the file exactly once; elsewhere the list is out of date, which is an error. */
  readonly find: string;
  readonly replace: string;
}

/** A file of the source with the ways to break it. */
export interface MutatedFile {
  readonly file: string;
  /** The test files, below `tests/`, one of which has to fail for each mutant. */
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
}
