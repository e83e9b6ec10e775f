import { type Awaitable, isPromise } from "../awaitable.ts";

/** What was being done when something failed. */
export type Phase =
  /** A request schema or a codec threw. */
  | "decode"
  /** The context factory, or `contextInput`, threw. */
  | "context"
  /** The handler threw. */
  | "handler"
  /** The result can't be sent: an undeclared status, a body that its schema refuses, a bad header. */
  | "encode"
  /** A stream failed after its response had begun: its producer, or an item that can't be sent. */
  | "stream";

/** A value instead of a step's own, that ends the walk of a request: the steps after it are not taken. */
export abstract class Stop {}

/** A step failed: no one but the application's owner may see why. */
export class Failure extends Stop {
  constructor(readonly phase: Phase, readonly error: unknown) {
    super();
  }
}

/** An error that says that a handler's result is not what the contract declares: it fails the `encode` phase wherever it is thrown. */
export class ResultError extends TypeError {
  override readonly name = "ResultError";
}

/**
 * Wraps a step that runs a user's code: what it throws, or rejects with, becomes a {@linkcode Failure} of that phase, unless it
 * counts as the step's value. Three arguments are what the longest step takes; a list would be allocated for each request.
 */
export function guard<Arguments extends readonly unknown[], Value>(
  phase: Phase,
  step: (...given: Arguments) => Awaitable<Value>,
  isValue: (thrown: unknown) => thrown is Value = isNoValue,
): (...given: Arguments) => Value | Failure | Promise<Value | Failure> {
  const call = step as unknown as (first?: unknown, second?: unknown, third?: unknown) => Awaitable<Value>;
  const fail = toTake(phase, isValue);
  const guarded = (first?: unknown, second?: unknown, third?: unknown): Value | Failure | Promise<Value | Failure> => {
    try {
      const value = call(first, second, third);
      return isPromise(value) ? Promise.resolve(value).then(undefined, fail) : value;
    } catch (error) {
      return fail(error);
    }
  };
  return guarded as unknown as (...given: Arguments) => Value | Failure | Promise<Value | Failure>;
}

/** What takes something that a step threw: a value where it counts as one, else a failure. */
export function toTake<Value>(
  phase: Phase,
  isValue: (thrown: unknown) => thrown is Value,
): (thrown: unknown) => Value | Failure {
  return (thrown) => {
    try {
      if (isValue(thrown)) return thrown;
    } catch {
      // an object that can't even be looked at, such as a revoked Proxy, is no value
    }
    return toFailure(phase, thrown);
  };
}

/** The failure of a step that threw `error`. */
export function toFailure(phase: Phase, error: unknown): Failure {
  try {
    return new Failure(error instanceof ResultError ? "encode" : phase, error);
  } catch {
    return new Failure(phase, error); // a revoked Proxy can't even be asked what it is
  }
}

function isNoValue(_thrown: unknown): _thrown is never {
  return false;
}

/**
 * Applies the next step of a walk to a step's value, now or when it is there; a {@linkcode Stop} is passed on. What else the step
 * needs is handed to it, so that no closure is made for a value that is there.
 */
export function proceed<Value, Call, Next>(
  value: Value | Stop | Promise<Value | Stop>,
  step: (value: Value, call: Call) => Next | Stop | Promise<Next | Stop>,
  call: Call,
): Next | Stop | Promise<Next | Stop> {
  if (value instanceof Promise) {
    return value.then((settled) => settled instanceof Stop ? settled : step(settled, call));
  }
  return value instanceof Stop ? value : step(value as Value, call);
}
