/**
 * A problem document (RFC 9457): an error of a request, for programs and people. If a server sends a member with
 * another type, the client leaves it out (section 3.1).
 */
export interface Problem {
  /** A URI that identifies the kind of problem. `about:blank` means that the status code says it all. */
  readonly type?: string;
  /** A short summary of the kind of problem. */
  readonly title?: string;
  /** The status code of the response. */
  readonly status?: number;
  /** A description of this occurrence. */
  readonly detail?: string;
  /** A URI that identifies this occurrence. */
  readonly instance?: string;
  /** A code of the problem, for programs. Problems from a server of this package always have one. */
  readonly code?: string;
  /**
   * The first 20 issues, if a server of this package rejected the request with a schema. If there are more, `detail`
   * says how many.
   */
  readonly issues?: readonly ProblemIssue[];
  /** Extension members. */
  readonly [extension: string]: unknown;
}

/** One reason why a schema rejected the request. */
export interface ProblemIssue {
  /** The input that it is in: `params`, `query`, `headers` or `body`. */
  readonly location: string;
  /**
   * The keys that lead to it within the input. If the pointer would exceed 300 characters, they lead to the deepest
   * ancestor whose pointer does not.
   */
  readonly path: readonly (string | number)[];
  /** The same path as a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The schema's message, at most 300 characters. */
  readonly message: string;
}
