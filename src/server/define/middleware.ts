import { attempt, type Awaitable, type Ready, whenReady } from "../../awaitable.ts";
import type { Responses } from "../../contract/response.ts";
import type { SharedParams } from "../../contract/slots.ts";
import { describeValue } from "../../messages.ts";
import type { Spread } from "../../contract/infer.ts";
import type { RouteInfo, ServerCall } from "./call.ts";
import {
  changedHeaders,
  type ChangedResult,
  type CreateResult,
  isResult,
  notAResultError,
  type ResponseHeaders,
  type Result,
  type ResultOf,
  toCreateResult,
} from "./result.ts";
import { type CarriesSource, planSources, Sources } from "./sources.ts";
import { closeSource } from "../../wire/producer.ts";

/** The input of a middleware. `Declared` are the responses, and `Params` the path parameters, that all of its routes share. */
export interface MiddlewareInput<
  Context extends object = Record<never, never>,
  Declared extends Responses = Record<never, never>,
  Caller = object | undefined,
  Params extends object = Record<never, never>,
> {
  /**
   * The validated path parameters, as the handler receives them. The type has those that all routes of the middleware
   * share. A parameter that routes validate differently is the union of their types.
   */
  readonly params: Params;
  /** The caller that a verifier returned. `undefined` on a public route, and for a caller without a credential. */
  readonly caller: Caller;
  /** The value of the context factory, with the additions of earlier middleware. */
  readonly context: Context;
  /** Aborts when the client disconnects. It is a getter, as in a handler: read it only where you use it. */
  readonly signal: AbortSignal;
  /** The method, path and key of the matched route. */
  readonly route: RouteInfo;
  /** Builds a result from a response that the contract declares for all routes: `response(status, body?, headers?)`. */
  readonly response: CreateResult<Declared>;
  /**
   * Calls the next middleware or the handler, and resolves to the result. It rejects with an error that they throw, but
   * resolves to a result that they throw. Call it once. It rejects if it is called again, after the client has
   * disconnected, or after the middleware has returned a result.
   *
   * @param added Own properties to add to the context of everything inside. They replace properties with the same name.
   * The context of this middleware does not change.
   */
  readonly next: {
    (): Promise<NextResult<Record<never, never>>>;
    // an overload, because an optional parameter would accept a value that may be undefined
    <Added extends object>(added: Added): Promise<NextResult<NoInfer<Added>>>;
  };
}

/**
 * The input of a middleware for the routes below `Node`. TypeScript walks the routes if the middleware uses `params`.
 *
 * @internal
 */
export interface MiddlewareInputAt<in out Node, Context extends object, Declared extends Responses, Caller>
  extends MiddlewareInput<Context, Declared, Caller> {
  readonly params: SharedParams<Node>;
}

/**
 * The type of a middleware in a module of its own. `Context` is what it reads from the context, `Declared` are the
 * responses that it returns itself, and `Added` is what it adds to the context. `Caller` and `Params` are the caller and
 * the path parameters that it reads. It fits every server whose context has the first, whose contract declares the
 * responses for all routes, and whose routes all have such callers and parameters.
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
 * const server = defineServer(contract, { context: ({ headers }) => ({ tenant: headers.get("x-tenant") }) });
 * const implementation = server.use(requireTenant)
 *   .implement({ name: ({ context, response }) => response(200, context.tenant) }); // a string here
 *
 * assertEquals((await createFetchHandler(implementation)(new Request("http://localhost/name"))).status, 404);
 * ```
 *
 * @example A check of a path parameter, for any router that has it
 * ```ts
 * import { defineContract, response, route, router } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer, type Middleware } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const responses = { 404: response.empty() };
 * const names = new Map([["acme", "Acme Ltd"]]);
 * const findOrg: Middleware<object, typeof responses, { name: string }, unknown, { org: string }> = (
 *   { params, next, response },
 * ) => {
 *   const name = names.get(params.org);
 *   return name === undefined ? response(404) : next({ name });
 * };
 *
 * const read = route.get("/", { responses: { 200: response.text() } });
 * const contract = defineContract({ routes: { orgs: router("/orgs/:org", { responses, routes: { read } }) } });
 * const orgs = defineServer(contract).at(contract.routes.orgs).use(findOrg);
 * const handler = createFetchHandler(orgs.implement({ read: ({ context, response }) => response(200, context.name) }));
 *
 * assertEquals(await (await handler(new Request("http://localhost/orgs/acme"))).text(), "Acme Ltd");
 * assertEquals((await handler(new Request("http://localhost/orgs/other"))).status, 404);
 * ```
 */
export type Middleware<
  Context extends object = Record<never, never>,
  Declared extends Responses = Record<never, never>,
  Added extends object = Record<never, never>,
  Caller = object | undefined,
  Params extends object = Record<never, never>,
> = (input: MiddlewareInput<Context, Declared, Caller, Params>) => Awaitable<MiddlewareResult<Declared, Added>>;

/**
 * The result of `next()`, as plain data. Spread it to change its status, body or headers: `{ ...result, status: 202 }`.
 * Its type records the additions to the context.
 */
export interface NextResult<Added extends object = object> extends Result {
  /**
   * The additions to the context. Never present at run time. It also distinguishes a result of `next()` from others.
   */
  readonly "~addedContext": Added;
}

/**
 * The result of a middleware: the result of `next()`, or a response that the contract declares for all routes. `Added`
 * is what it adds to the context whenever it calls `next()`.
 */
export type MiddlewareResult<Declared extends Responses, Added extends object = object> =
  | NextResult<Added>
  | ResultOf<Declared>;

/**
 * What a function that is being inferred may return: results, whose literals TypeScript finds here while the function is
 * written, and anything else, for which there is a message.
 *
 * @internal
 */
export type Returnable<Result> =
  | Awaitable<Result>
  | (object | string | number | bigint | boolean | symbol | null | undefined | void);

/**
 * A type from which the type of a middleware is inferred. Once inferred, it is `unknown` if the middleware returns
 * results, and otherwise an error message.
 *
 * @internal
 */
export type InferMiddleware<Given, Declared extends Responses> = unknown extends Given ? Given
  : [ReturnedBy<Given>] extends [Awaitable<MiddlewareResult<Declared>>] ? unknown
  : "a middleware must return the result of next(), or a result that all of its routes declare: response(status, body)";

/**
 * What a function returns.
 *
 * @internal
 */
export type ReturnedBy<Given> = Given extends (...args: never) => infer Returned ? Returned : never;

/**
 * The context inside a middleware that returns `Returned`. It is unchanged if the middleware never calls `next()`.
 *
 * @internal
 */
export type ContextInside<Context extends object, Returned> = [Extract<Returned, NextResult>] extends [never] ? Context
  : Returned extends NextResult<infer Added> ? Derived<Context, Added>
  : never;

/** A context with additions, which replace properties of the same name. */
export type Derived<Context extends object, Added extends object> = keyof Added extends never ? Context
  : keyof Context extends never ? Added
  : Spread<keyof Context & keyof Added extends never ? Context & Added : Omit<Context, keyof Added> & Added>;

/** A middleware with any types. */
export type AnyMiddleware = (input: object) => unknown;

/**
 * Answers a call: a handler, or a middleware with everything inside it. The sources are the streams that middleware
 * receives, and `changed` collects the headers that it changes.
 */
export type AnswerCall = (call: ServerCall, sources?: Sources, changed?: Map<string, boolean>) => unknown;

/** A middleware, with the responses that it can return. */
export interface MiddlewareWithResponses {
  readonly run: AnyMiddleware;
  readonly shared: Responses;
}

/** Wraps the handler of a route in middleware, the first outermost. `responses` are those of the route. */
export function foldMiddleware(
  middleware: readonly MiddlewareWithResponses[],
  handle: AnswerCall,
  route: RouteInfo,
  responses: Responses,
): AnswerCall {
  const wrap = (inner: CheckedAnswer, each: MiddlewareWithResponses): CheckedAnswer => wrapAnswer(inner, each, route);
  const answer = middleware.reduceRight(wrap, checkAnswer(handle, route));
  const carriesSource = planSources(responses);
  const closing = carriesSource ? closeUnsent(answer, carriesSource) : answer;
  return Object.values(responses).some(({ headers }) => headers) ? noteChanges(closing) : closing;
}

/** Answers a call with a value that was checked to be a result. */
type CheckedAnswer = (...call: Parameters<AnswerCall>) => Ready<Result>;

/** Closes the streams in the results of a call that are not sent. */
function closeUnsent(answer: CheckedAnswer, carriesSource: CarriesSource): CheckedAnswer {
  return (call, _, changed) => {
    const sources = new Sources(carriesSource);
    return attempt(
      () => whenReady(answer(call, sources, changed), (result) => sources.send(result)),
      (error) => {
        sources.end();
        throw error;
      },
    );
  };
}

/** Notes on a result which of its headers middleware added or changed. */
function noteChanges(answer: CheckedAnswer): CheckedAnswer {
  return (call) => {
    const changed = new Map<string, boolean>();
    return whenReady(answer(call, undefined, changed), (result): ChangedResult => {
      if (changed.size === 0) return result;
      const { status, body, headers } = result; // they may be inherited
      return { status, body, headers, [changedHeaders]: changed };
    });
  };
}

/** Collects the headers that a result has and the result inside has not, or has with another value. */
function collectChanges(result: Result, inside?: ResponseHeaders, changed?: Map<string, boolean>): Result {
  if (!inside || !changed) return result;
  const before = new Map(Object.entries(inside).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    const field = name.toLowerCase();
    const isAdded = !before.has(field);
    if ((isAdded || before.get(field) !== value) && !changed.has(field)) changed.set(field, isAdded);
  }
  return result;
}

/** Checks that a handler returns or throws a result. */
function checkAnswer(handle: AnswerCall, route: RouteInfo): CheckedAnswer {
  const check = toCheckResult("the handler", route);
  return (call) => attempt(() => handle(call), rethrowUnlessResult, check);
}

/** Wraps a middleware around everything inside it, and checks that it returns or throws a result. */
function wrapAnswer(
  inner: CheckedAnswer,
  { run, shared }: MiddlewareWithResponses,
  route: RouteInfo,
): CheckedAnswer {
  const response = toCreateResult(route, shared);
  const check = toCheckResult("a middleware", route);
  return (call, sources, changed) => {
    let inside: Promise<Result> | undefined;
    let headersInside: ResponseHeaders | undefined;
    let hasReturned = false;
    let hasAnswered = false;
    const next = (added?: object): Promise<Result> => {
      if (inside) return rejectCall("a second time; call it once");
      if (hasAnswered) return rejectCall("after the middleware returned; call it before");
      return inside = start(() => {
        if (hasReturned) call.signal.throwIfAborted(); // not earlier, because reading a signal is slow
        const result = inner(added === undefined ? call : withAdded(call, added), sources, changed);
        const passed = sources ? sources.pass(result) : result;
        if (!changed) return passed;
        return whenReady(passed, (result) => {
          headersInside = { ...result.headers }; // middleware may change the object itself
          return result;
        });
      });
    };
    const answer = (result: unknown): Result => {
      hasAnswered = true;
      return collectChanges(check(result), headersInside, changed);
    };
    const recoverAnswer = (thrown: unknown): Result => {
      hasAnswered = true;
      return collectChanges(rethrowUnlessResult(thrown), headersInside, changed);
    };
    try {
      const returned = run(new MiddlewareArgument(call, route, response, next));
      if (inside && returned === inside) return inside; // checked inside already; a second check takes 7 % of such a request in memory
      return attempt(() => returned, recoverAnswer, answer);
    } catch (thrown) {
      return recoverAnswer(thrown);
    } finally {
      hasReturned = true;
    }
  };
}

/** The argument of a middleware. */
class MiddlewareArgument {
  readonly #call: ServerCall;
  declare readonly params: unknown;
  declare readonly context: object;
  declare readonly caller: object | undefined;
  declare readonly route: RouteInfo;
  declare readonly response: CreateResult<Responses>;

  constructor(
    call: ServerCall,
    route: RouteInfo,
    response: CreateResult<Responses>,
    readonly next: (added?: object) => Promise<Result>,
  ) {
    this.#call = call;
    this.params = call.slots.params;
    this.context = call.context;
    this.route = route;
    this.response = response;
    this.caller = call.caller;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

/** Runs `work` now, and returns a promise of its result. */
function start(work: () => Ready<Result>): Promise<Result> {
  try {
    const result = work();
    return result instanceof Promise ? ignoreRejection(result) : Promise.resolve(result);
  } catch (error) {
    return ignoreRejection(Promise.reject(error));
  }
}

/** Prevents an unhandled rejection if the middleware does not await the promise. */
function ignoreRejection<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

function rejectCall(state: string): Promise<never> {
  return ignoreRejection(Promise.reject(new TypeError(`next(): called ${state}`)));
}

/** Returns the call inside a middleware that adds to the context. */
function withAdded(call: ServerCall, added: object): ServerCall {
  if (typeof added === "object" && added !== null) {
    const { slots, caller, context } = call;
    return {
      slots,
      caller,
      context: { ...context, ...added },
      get signal(): AbortSignal {
        return call.signal;
      },
    };
  }
  throw new TypeError(`next(): the argument must be an object, got ${describeValue(added)}`);
}

function toCheckResult(role: string, route: RouteInfo): (result: unknown) => Result {
  return (result) => {
    if (isResult(result)) return result;
    closeSource(result);
    throw notAResultError(route, role, result);
  };
}

/** Returns a thrown result, and throws everything else again. */
function rethrowUnlessResult(thrown: unknown): Result {
  if (isResult(thrown)) return thrown;
  throw thrown;
}
