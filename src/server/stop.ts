import { isInstance } from "../is_instance.ts";

/** The step in which an error occurred. */
export type ErrorPhase =
  /** A request schema or a codec threw. */
  | "decode"
  /** A verifier threw, or returned neither a caller nor `undefined` or `null`. */
  | "security"
  /** A guard threw something that is not a result. */
  | "guard"
  /** The context factory or `contextInput` threw. */
  | "context"
  /** The handler or a middleware threw. */
  | "handler"
  /**
   * The result cannot be sent: its status is not declared, its schema rejects the body, or a header is invalid. Or
   * `refuse` failed.
   */
  | "encode"
  /** A stream failed after its response had begun: its producer threw, or an item cannot be sent. */
  | "stream"
  /** The function `cors.origins` threw. */
  | "cors";

/** A value that ends the processing of a request: the steps after it do not run. */
export abstract class Stop {}

/** A step failed. Only the application's owner may see the error. */
export class Failure extends Stop {
  constructor(readonly phase: ErrorPhase, readonly error: unknown) {
    super();
  }
}

/** A handler's result that does not fit the contract. It fails in the phase `encode`, no matter where it is thrown. */
export class ResultError extends TypeError {
  override readonly name = "ResultError";
}

/** The failure of a step that threw `error`. */
export function toFailure(phase: ErrorPhase, error: unknown): Failure {
  return new Failure(isInstance(error, ResultError) ? "encode" : phase, error);
}

/** The return value of a step: its value, or a stop, now or later. */
export type Outcome<Value> = Value | Stop | Promise<Value | Stop>;
