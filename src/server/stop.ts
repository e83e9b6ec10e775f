import { isInstance } from "../is_instance.ts";

/** What was being done when something failed. */
export type ErrorPhase =
  /** A request schema or a codec threw. */
  | "decode"
  /** A verifier threw, or returned neither a caller nor `undefined`. */
  | "security"
  /** A guard threw something that is not a result. */
  | "guard"
  /** The context factory, or `contextInput`, threw. */
  | "context"
  /** The handler threw. */
  | "handler"
  /** The result can't be sent: an undeclared status, a body that its schema refuses, a bad header. Or `refuse` failed. */
  | "encode"
  /** A stream failed after its response had begun: its producer, or an item that can't be sent. */
  | "stream"
  /** The function `cors.origins` threw. */
  | "cors";

/** A value instead of a step's own, that ends the walk of a request: the steps after it are not taken. */
export abstract class Stop {}

/** A step failed: no one but the application's owner may see why. */
export class Failure extends Stop {
  constructor(readonly phase: ErrorPhase, readonly error: unknown) {
    super();
  }
}

/** An error that says that a handler's result is not what the contract declares: it fails the `encode` phase wherever it is thrown. */
export class ResultError extends TypeError {
  override readonly name = "ResultError";
}

/** The failure of a step that threw `error`. */
export function toFailure(phase: ErrorPhase, error: unknown): Failure {
  return new Failure(isInstance(error, ResultError) ? "encode" : phase, error);
}

/** What a step of a walk gives: its value or what stops the walk, now or later. */
export type Outcome<Value> = Value | Stop | Promise<Value | Stop>;
