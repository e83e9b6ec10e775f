/** One way to break the source: it replaces text in a file. */
export interface Mutant {
  /** The promise that it breaks, from the perspective of a user. */
  readonly breaks: string;
  /** Text that must occur in the file exactly once. Otherwise the list is out of date, which is an error. */
  readonly find: string;
  readonly replace: string;
}

/** A source file, with the ways to break it. */
export interface MutatedFile {
  readonly file: string;
  /** The test files below `tests/`. One of them must fail for each mutant. */
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
}
