/** A problem document (RFC 9457): what went wrong with a request, for programs and people. */
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
  /** Further members. */
  readonly [extension: string]: unknown;
}
