import { type Problem } from "../wire/problem_document.ts";
import { isInstance } from "../is_instance.ts";
import { type Method } from "../contract/route.ts";

/** Why a call has no declared result. */
export type ClientErrorCode =
  /** No response came, or it broke off. */
  | "network"
  /** The caller's signal aborted. */
  | "aborted"
  /** The call took longer than its `timeout`. */
  | "timeout"
  /** The response has a status that the contract does not declare. */
  | "unexpected-status"
  /** The response has another media type than the one declared for its status. */
  | "unexpected-content-type"
  /** The response's body, or its declared headers, cannot be decoded. */
  | "invalid-body"
  /** The caller's input cannot be sent; nothing was. */
  | "invalid-input"
  /** A function of the option `around` threw another error, or returned no outcome. */
  | "invalid-outcome"
  /** A result that is no 2xx was unwrapped. */
  | "unsuccessful";

/** The route that was called. */
export interface CalledRoute {
  /** The keys that lead to it, joined by dots: `users.byId`. */
  readonly key: string;
  /** The method. */
  readonly method: Method;
  /** The full path as declared, with its parameters' names. */
  readonly path: string;
}

/** What a {@linkcode ClientError} carries beside its code and message. */
export interface ClientErrorDetails {
  /** The route that was called. */
  readonly route?: CalledRoute | undefined;
  /** The status of the response, where one came. */
  readonly status?: number | undefined;
  /** The response, where one came; its body has been consumed or cancelled. */
  readonly response?: Response | undefined;
  /** The problem document (RFC 9457) that the server sent in place of a declared response. */
  readonly problem?: Problem | undefined;
  /** At most the first 8 KiB of a body that could not be used. */
  readonly text?: string | undefined;
  /** The result that was unwrapped. */
  readonly result?: unknown;
  /** What led to it. */
  readonly cause?: unknown;
}

/** The one error that a call rejects with; `code` says why. `isErrorOf()` tells what `Result` is. */
export class ClientError<Result = unknown> extends Error implements ClientErrorDetails {
  /** What `instanceof` tells: nothing of the result. */
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ClientError;
  /** Always `ClientError`. */
  override readonly name: string = "ClientError";
  /** Why the call has no declared result. */
  readonly code: ClientErrorCode;
  /** The route that was called; `undefined` where a result of unknown origin was unwrapped. */
  readonly route: CalledRoute | undefined;
  /** The status of the response, where one came. */
  readonly status: number | undefined;
  /** The response, where one came; its body has been consumed or cancelled. */
  readonly response: Response | undefined;
  /** The problem document (RFC 9457) that the server sent in place of a declared response. */
  readonly problem: Problem | undefined;
  /** At most the first 8 KiB of a body that could not be used. */
  readonly text: string | undefined;
  /** The result that was unwrapped, of an `unsuccessful` one. */
  readonly result!: Result;

  /** Builds an error; calls of a client do. */
  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details); // which takes its cause, if it has one
    this.code = code;
    Object.assign(this, details);
  }
}

/** The message of something that was thrown. */
export function messageOf(thrown: unknown): string {
  return isInstance(thrown, Error) ? thrown.message : "the thrown value is not an Error";
}

/** Makes the errors of one route's calls. */
export type Fail = (code: ClientErrorCode, state: string, details: ClientErrorDetails) => ClientError;
