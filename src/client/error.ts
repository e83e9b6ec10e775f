import type { Problem } from "../wire/problem.ts";
import type { Method } from "../contract/route.ts";
import type { IssueSummary } from "../schema.ts";

/** The reason why a call does not resolve to a declared result. */
export type ClientErrorCode =
  /** No response arrived, or the connection broke off. */
  | "network"
  /** The caller's signal aborted. */
  | "aborted"
  /** The call took longer than its `timeout`, or a stream was silent for longer than `silence`. */
  | "timeout"
  /** The contract does not declare the status of the response. */
  | "unexpected-status"
  /** The response has another media type than its status declares. */
  | "unexpected-content-type"
  /**
   * The body or the declared headers of the response cannot be decoded, or the body was read by other code or is longer
   * than `maxBodyBytes`.
   */
  | "invalid-body"
  /** The input cannot be sent. Only an earlier attempt of the same call may have sent it. */
  | "invalid-input"
  /** A function of the option `around` threw an error of its own, or did not return a result. */
  | "invalid-outcome"
  /** `unwrap()` or `unwrapResult()` was called with a result that is not 2xx. */
  | "unsuccessful"
  /** A connection was closed with a code that the contract does not declare, or its messages were not read. */
  | "unexpected-close";

/** The route of a call. */
export interface CalledRoute {
  /** The keys that lead to the route, joined by dots: `users.byId`. */
  readonly key: string;
  /** The method of the request, in upper case. */
  readonly method: Method;
  /** The full path as declared, with the names of its parameters. */
  readonly path: string;
}

/** The details of a {@linkcode ClientError}, in addition to its code and message. */
export type ClientErrorDetails = Partial<
  Pick<ClientError, "route" | "status" | "response" | "problem" | "text" | "issues" | "result" | "closeCode" | "cause">
>;

/**
 * The only error that a call rejects with. `code` is the reason. `isErrorOf()` narrows `Result` to the results of one
 * call.
 */
export class ClientError<Result = unknown> extends Error {
  /** Narrows with `instanceof`, which does not infer the type of `result`. */
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ClientError;
  /** Always `ClientError`. */
  override readonly name: string = "ClientError";
  /** The reason why the call does not have a declared result. */
  declare readonly code: ClientErrorCode;
  /** The route of the call. `undefined` if the unwrapped result did not come from a client. */
  declare readonly route: CalledRoute | undefined;
  /** The status of the response, if one arrived. */
  declare readonly status: number | undefined;
  /** The response, if one arrived. Its body has been consumed or cancelled. */
  declare readonly response: Response | undefined;
  /** The problem document (RFC 9457) that the server sent, as a declared response or instead of one. */
  declare readonly problem: Problem | undefined;
  /** The beginning of a body that could not be used, at most 8 KiB. */
  declare readonly text: string | undefined;
  /** The first 20 issues, if `code` is `invalid-body` because a schema refused a body, an item or headers. */
  declare readonly issues: readonly IssueSummary[] | undefined;
  /** The result that was unwrapped, if `code` is `unsuccessful`. */
  declare readonly result: Result;
  /** The code with which a connection was closed (RFC 6455, section 7.4), if one was. */
  declare readonly closeCode: number | undefined;

  /** Creates an error. Clients create them; a program rarely needs to. */
  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details); // also sets the cause, if there is one
    this.code = code;
    Object.assign(this, details);
  }
}

/** Creates the errors of one route's calls. */
export type CreateFailure = (code: ClientErrorCode, state: string, details?: ClientErrorDetails) => ClientError;
