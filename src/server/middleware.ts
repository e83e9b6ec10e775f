import { attempt, type Awaitable, type Ready, whenReady } from "../awaitable.ts";
import { type Responses } from "../contract/response.ts";
import { closeSource } from "../producer.ts";
import { type Spread } from "../spread.ts";
import { type RouteInfo, type ServerCall } from "./call.ts";
import { type CreateResult, isResult, noResult, type Result, type ResultOf, toCreateResult } from "./result.ts";
import { type CarriesSource, planSources, Sources } from "./sources.ts";

/** What a middleware is given. `Declared` are the responses that all of its routes share. */
export interface MiddlewareInput<
  Context extends object = Record<never, never>,
  Declared extends Responses = Record<never, never>,
  Caller = object | undefined,
> {
  /** The caller that a verifier returned; `undefined` where the route lets everyone in. */
  readonly caller: Caller;
  /** What the context factory made, with what the middleware before added. */
  readonly context: Context;
  /** Aborts when the client goes away. A getter, as a handler's is: read it only where it is used. */
  readonly signal: AbortSignal;
  /** Which route was matched. */
  readonly route: RouteInfo;
  /** Builds a result of a response that the contract declares for all routes: `response(status, body?, headers?)`. */
  readonly response: CreateResult<Declared>;
  /**
   * Goes on, to the next middleware or the handler, and resolves to the result; rejects with what was thrown inside, unless that
   * was a result. It may be called once: a second call rejects, and so does a call after the client has gone or after the
   * middleware has answered.
   *
   * @param added Own properties that everything inside finds in its context beside those that are there; they win. The context
   * here stays as it is.
   */
  readonly next: {
    (): Promise<NextResult<Record<never, never>>>;
    // an overload, because an optional parameter would accept an addition that may be undefined
    <Added extends object>(added: Added): Promise<NextResult<NoInfer<Added>>>;
  };
}

/**
 * A middleware in a module of its own: `Context` is what it must find in the context, `Declared` the responses that it answers
 * with itself, `Added` what it adds to the context. Every server takes it whose context has the one and whose contract declares
 * the others for all routes.
 *
 * @example A middleware that any contract with this 404 can use
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer, type Middleware } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const responses = { 404: response.empty() };
 * const requireTenant: Middleware<{ tenant: string | null }, typeof responses, { tenant: string }> = (
 *   { context, next, response },
 * ) => context.tenant === null ? response(404) : next({ tenant: context.tenant });
 *
 * const contract = defineContract({
 *   responses,
 *   routes: { name: route.get("/name", { responses: { 200: response.text() } }) },
 * });
 * const server = defineServer(contract, { context: ({ request }) => ({ tenant: request.headers.get("x-tenant") }) });
 * const implementation = server.use(requireTenant)
 *   .implement({ name: ({ context, response }) => response(200, context.tenant) }); // a string here
 *
 * assertEquals((await createFetchHandler(implementation)(new Request("http://localhost/name"))).status, 404);
 * ```
 */
export type Middleware<
  Context extends object = Record<never, never>,
  Declared extends Responses = Record<never, never>,
  Added extends object = Record<never, never>,
  Caller = object | undefined,
> = (input: MiddlewareInput<Context, Declared, Caller>) => Awaitable<MiddlewareResult<Declared, Added>>;

/**
 * What `next()` resolves to: the result of everything inside, as plain data. Spread it to change its status, body or header
 * fields (`{ ...result, status: 202 }`): its type remembers what was added to the context.
 */
export interface NextResult<Added extends object = object> extends Result {
  /** What was added to the context, in types only: it tells a result that `next()` gave from others. */
  readonly "~addedContext": Added;
}

/**
 * What a middleware may give: what `next()` gave, or a result of a response that the contract declares for all routes. `Added` is
 * what it adds to the context whenever it goes on.
 */
export type MiddlewareResult<Declared extends Responses, Added extends object = object> =
  | NextResult<Added>
  | ResultOf<Declared>;

/**
 * The context inside of a middleware that gives `Given`: the same, where it never goes on.
 *
 * @internal
 */
export type ContextInside<Context extends object, Given> = [Extract<Given, NextResult>] extends [never] ? Context
  : Given extends NextResult<infer Added> ? Derived<Context, Added>
  : never;

/**
 * A context with what was added to it, which wins.
 *
 * @internal
 */
export type Derived<Context extends object, Added extends object> = keyof Added extends never ? Context
  : keyof Context extends never ? Added
  : Spread<keyof Context & keyof Added extends never ? Context & Added : Omit<Context, keyof Added> & Added>;

/**
 * A middleware, whatever its types.
 *
 * @internal
 */
export type AnyMiddleware = (input: object) => unknown;

/** What answers a call: a handler, or everything from a middleware on inwards. The sources are those that middleware is given. */
export type AnswerCall = (call: ServerCall, sources?: Sources) => unknown;

/** A middleware, and the responses that it may answer with. */
export interface PlacedMiddleware {
  readonly run: AnyMiddleware;
  readonly shared: Responses;
}

/** Folds middleware round what answers a route's calls, the first outermost. `responses` are those that the route declares. */
export function foldMiddleware(
  middleware: readonly PlacedMiddleware[],
  handle: AnswerCall,
  route: RouteInfo,
  responses: Responses,
): AnswerCall {
  const wrap = (inner: CheckedAnswer, each: PlacedMiddleware): CheckedAnswer => wrapAnswer(inner, each, route);
  const answer = middleware.reduceRight(wrap, checkAnswer(handle, route));
  const carriesSource = planSources(responses);
  return carriesSource ? closeUnsent(answer, carriesSource) : answer;
}

/** What answers a call with something that was checked to be a result. */
type CheckedAnswer = (...call: Parameters<AnswerCall>) => Ready<Result>;

/** Closes the streams that the results of a call have carried and that are not sent. */
function closeUnsent(answer: CheckedAnswer, carriesSource: CarriesSource): CheckedAnswer {
  return (call) => {
    const sources = new Sources(carriesSource);
    return attempt(
      () => whenReady(answer(call, sources), (result) => sources.send(result)),
      (error) => {
        sources.end();
        throw error;
      },
    );
  };
}

/** Checks that a handler returns or throws a result. */
function checkAnswer(handle: AnswerCall, route: RouteInfo): CheckedAnswer {
  const check = toCheckResult("the handler", route);
  return (call) => attempt(() => handle(call), rethrowUnlessResult, check);
}

/** Wraps a middleware around what answers inside of it, and checks that it returns or throws a result. */
function wrapAnswer(
  inner: CheckedAnswer,
  { run, shared }: PlacedMiddleware,
  route: RouteInfo,
): CheckedAnswer {
  const response = toCreateResult(route, shared);
  const check = toCheckResult("a middleware", route);
  return (call, sources) => {
    let inside: Promise<Result> | undefined;
    let hasReturned = false;
    let hasAnswered = false;
    const next = (added?: object): Promise<Result> => {
      if (inside) return start(refuseAgain);
      if (hasAnswered) return start(refuseLate);
      return inside = start(() => {
        if (hasReturned) call.request.signal.throwIfAborted(); // not earlier: to read a signal has its price
        const result = inner(added === undefined ? call : { ...call, context: derive(call.context, added) }, sources);
        return sources ? sources.pass(result) : result;
      });
    };
    const answer = (result: unknown): Result => {
      hasAnswered = true;
      return check(result);
    };
    const recoverAnswer = (thrown: unknown): Result => {
      hasAnswered = true;
      return rethrowUnlessResult(thrown);
    };
    try {
      const given = run(new MiddlewareArgument(call, route, response, next));
      if (inside && given === inside) return inside; // was checked inside; to do so again takes 7 % of such a request in memory
      return attempt(() => given, recoverAnswer, answer);
    } catch (thrown) {
      return recoverAnswer(thrown);
    } finally {
      hasReturned = true;
    }
  };
}

/** What a middleware is called with. */
class MiddlewareArgument {
  readonly #call: ServerCall;
  readonly context: object;
  readonly caller: object | undefined;

  constructor(
    call: ServerCall,
    readonly route: RouteInfo,
    readonly response: CreateResult<Responses>,
    readonly next: (added?: object) => Promise<Result>,
  ) {
    this.#call = call;
    this.context = call.context;
    this.caller = call.caller;
  }

  get signal(): AbortSignal {
    return this.#call.request.signal;
  }
}

/** Runs `work` now, for a promise of its result. */
function start(work: () => Ready<Result>): Promise<Result> {
  try {
    const result = work();
    return result instanceof Promise ? silence(result) : Promise.resolve(result);
  } catch (error) {
    return silence(Promise.reject(error));
  }
}

/** A rejection that nobody waits for does not end the process. */
function silence(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

function refuseAgain(): never {
  throw new TypeError("Cannot go on: next() was called before; call it once");
}

function refuseLate(): never {
  throw new TypeError("Cannot go on: the middleware has answered; call next() before it returns a result");
}

function derive(context: object, added: object): object {
  if (typeof added === "object" && added !== null) return { ...context, ...added };
  throw new TypeError(`Cannot add to the context: next() was given ${typeof added}; give it an object`);
}

function toCheckResult(role: string, route: RouteInfo): (result: unknown) => Result {
  return (result) => {
    if (isResult(result)) return result;
    closeSource(result);
    throw noResult(route, role, result);
  };
}

/** A thrown result is a result; what else was thrown is thrown on. */
function rethrowUnlessResult(thrown: unknown): Result {
  if (isResult(thrown)) return thrown;
  throw thrown;
}
