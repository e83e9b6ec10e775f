/**
 * A problem document (RFC 9457): what went wrong with a request, for programs and people. The client leaves out what another server
 * sends in these members if it has another type (section 3.1).
 */
export interface Problem {
  /** A URI that names the kind of problem. `about:blank`: the status says it all. */
  readonly type?: string;
  /** A short summary of the kind of problem. */
  readonly title?: string;
  /** The status of the response. */
  readonly status?: number;
  /** What is particular about this occurrence. */
  readonly detail?: string;
  /** A URI that names this occurrence. */
  readonly instance?: string;
  /** Which problem it is, for programs. A server of this package always says. */
  readonly code?: string;
  /** The first 20 reasons why a schema refused the request, where a server of this package says so. `detail` says if there are more. */
  readonly issues?: readonly ProblemIssue[];
  /** Further members. */
  readonly [extension: string]: unknown;
}

/** One reason why a request was refused. */
export interface ProblemIssue {
  /** The slot it is in. */
  readonly location: string;
  /** The keys that lead to it within the slot, or to the deepest ancestor whose pointer has at most 300 characters. */
  readonly path: readonly (string | number)[];
  /** The same as a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** What the schema says of it, in at most 300 characters. */
  readonly message: string;
}
