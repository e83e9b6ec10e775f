/** One request on its way to a response: what is known about it, and the loop that runs the steps of its route. */
import { isObject } from "../../mark.ts";
import { attempt, type Awaitable, isPromise, whenReady } from "../../awaitable.ts";
import type { Responses } from "../../contract/response.ts";
import { closeSource } from "../../producer.ts";
import { CallbackArgument, type RouteInfo, type ServerCall, type Slots } from "../define/call.ts";
import { type ErrorPhase, type Outcome, type Result, Stop, toCreateResult, toFailure } from "../define/result.ts";

/**
 * What is known about one request. `createAnswer()` sets the parameters and whether it is private, the steps of its route
 * fill in the rest in their order, and an early result replaces the handler's.
 */
export class Exchange implements ServerCall {
  /** The parameters of the path, percent-decoded. */
  params: PathParams = none;
  /** The return value of `contextInput`. */
  added: object = none;
  /** The caller that a verifier returned. `undefined` for a request without a credential. */
  caller: object | undefined = undefined;
  /** Whether the response may depend on the caller, so that caches must not store it. */
  isPrivate = false;
  /** The validated inputs. */
  slots: Slots = noSlots;
  /** The message whose body is read: the request, or a copy of it. */
  message: Request;
  /** The reason why the stream of the body has stopped. `undefined` for a body that is not read as a stream. */
  bodyStop: (() => BodyStop | undefined) | undefined = undefined;
  /** The context that the server's factory created. */
  context: object = none;
  /** What the handler returned, or threw as a result. */
  result: unknown = undefined;

  /**
   * @param runtimeArguments The arguments of the runtime after the request.
   * @param isHead Whether the request is a HEAD, whose response has no content.
   */
  constructor(readonly request: Request, readonly runtimeArguments: readonly unknown[], readonly isHead: boolean) {
    this.message = request;
  }
}

/** The parameters of a path by name, percent-decoded. No schema has read them. */
export type PathParams = Readonly<Record<string, string>>;

const none: PathParams = Object.freeze({});
const noSlots: Slots = Object.freeze({ params: none, query: undefined, headers: undefined, body: undefined });

/** The reason why a body's stream stopped before its end. */
export interface BodyStop {
  /** The answer to a handler that fails because of it. */
  readonly stop: Stop;
  /** Whether its source failed. Otherwise it exceeds the limit, or other code has read it. */
  readonly hasSourceFailed: boolean;
}

/** A verifier or guard answered the request with a result. */
export class EarlyResult extends Stop {
  constructor(readonly result: Result) {
    super();
  }
}

/** The client has disconnected. Nothing is sent, and no hook is called. */
export class Disconnect extends Stop {}

/** One step of a request. */
export interface Step {
  /** The phase of the error if the step throws or rejects. */
  readonly phase: ErrorPhase;
  /** Adds to the exchange, or returns why the request ends here. */
  readonly take: (exchange: Exchange) => Outcome<void>;
}

/** Turns a request into its response when its steps are done, or one has ended it. It never throws or rejects. */
export type Conclude = (end: Stop | void, exchange: Exchange) => Response | Promise<Response>;

/** The steps of a route, and what follows them. */
export interface Walk {
  readonly steps: readonly Step[];
  readonly conclude: Conclude;
}

/**
 * Runs steps, each as soon as the previous one is done, and concludes the request at the first that ends it, or after
 * the last. It never throws or rejects, and is synchronous if the steps are.
 */
export function runSteps(walk: Walk, exchange: Exchange, from = 0): Response | Promise<Response> {
  const { steps, conclude } = walk;
  for (let at = from; at < steps.length; at++) {
    const step = steps[at]!; // `at` is below the length
    let end: Outcome<void>;
    try {
      end = step.take(exchange);
    } catch (error) {
      end = toFailure(step.phase, error);
    }
    if (end === undefined) continue;
    return end instanceof Promise ? resumeSteps(walk, exchange, at, end) : conclude(end, exchange);
  }
  return conclude(undefined, exchange);
}

function resumeSteps(walk: Walk, exchange: Exchange, at: number, pending: Promise<Stop | void>): Promise<Response> {
  return pending.then(
    (end) => end ? walk.conclude(end, exchange) : runSteps(walk, exchange, at + 1),
    (error) => walk.conclude(toFailure(walk.steps[at]!.phase, error), exchange),
  );
}

/** Adds the headers that every response of a route has. */
export type FinishResponse = (response: Response, exchange: Exchange) => Response;

/** A function of the application that runs before the handler, and what follows from its return value. */
interface Callback {
  /** The phase of its errors. */
  readonly phase: ErrorPhase;
  /** Whether a result that it throws answers the request. */
  readonly canAnswer: boolean;
  /** Calls the function. */
  readonly call: (exchange: Exchange) => unknown;
  /** Adds its return value to the exchange, or returns why the request ends. Throws if the value is invalid. */
  readonly accept: (returned: unknown, exchange: Exchange) => Stop | void;
}

/** Returns the step that calls a function of the application. */
export function toStep(callback: Callback): Step {
  return { phase: callback.phase, take: (exchange) => callApplication(callback, exchange) };
}

/** Calls a function of the application. If the client disconnects while it is pending, the request ends. */
export function callApplication(callback: Callback, exchange: Exchange): Outcome<void> {
  const end = attempt(callback.call, (thrown) => recover(thrown, callback), callback.accept, exchange);
  return unlessDisconnected(end, exchange.request);
}

function recover(thrown: unknown, { phase, canAnswer }: Callback): Stop {
  return canAnswer && isEarlyResult(thrown) ? new EarlyResult(thrown) : toFailure(phase, thrown);
}

/** The results that verifiers and guards built. What they throw may also be an error of another library. */
const earlyResults = new WeakSet<object>();

function isEarlyResult(thrown: unknown): thrown is Result {
  return isObject(thrown) && earlyResults.has(thrown);
}

/** Creates the `response` function of a verifier or guard. Only its results are answers if they are thrown. */
export function toCreateEarlyResult(route: RouteInfo, responses: Responses): object {
  const createResult = toCreateResult(route, responses);
  return (...args: Parameters<typeof createResult>) => {
    const result = createResult(...args);
    earlyResults.add(result);
    return result;
  };
}

/** The argument of functions that read the head of a request. */
export class RequestArgument extends CallbackArgument {
  constructor(readonly request: Request, readonly route: RouteInfo) {
    super(request);
  }
}

/**
 * Returns a value, unless the client has disconnected while it was awaited. The stream of a result is then closed. If
 * the value is not a promise, the signal is not read: Deno serves a request twice as fast if nothing reads its signal.
 */
export function unlessDisconnected<Value>(value: Awaitable<Value>, request: Request): Outcome<Value> {
  return isPromise(value) ? whenReady(value, toDisconnect, request) as Promise<Value | Disconnect> : value;
}

function toDisconnect<Value>(value: Value, { signal }: Request): Value | Disconnect {
  if (!signal.aborted) return value;
  if (value instanceof EarlyResult) {
    if (value.result.status === 101) return value; // on Deno, an upgrade aborts the signal
    closeSource(value.result.body);
  }
  return new Disconnect();
}

/** Answers a request. The runtime's further arguments are for `contextInput`. */
export type AnswerRequest = (request: Request, runtimeArguments: readonly unknown[]) => Response | Promise<Response>;
