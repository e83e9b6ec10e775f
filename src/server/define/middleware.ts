import { attempt, type Awaitable, ignore, type Ready, whenReady } from "../../awaitable.ts";
import type { Responses } from "../../contract/response.ts";
import type { SharedParams } from "../../contract/slots.ts";
import { anObject, checkRule } from "../../options.ts";
import type { Spread } from "../../contract/infer.ts";
import type { RouteInfo, ServerCall } from "./call.ts";
import {
  type ArgumentShape,
  CallArgument,
  type ChangeableResult,
  checkResult,
  type CreateResult,
  innerHeadersOf,
  isResult,
  type ResponseHeaders,
  type Result,
  type ResultOf,
  toCreateResult,
} from "./result.ts";
import { haveSources, Sources, withBody } from "./sources.ts";

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

/** Answers a call: a handler, or a middleware with everything inside it. */
export type AnswerCall = (call: ServerCall, passed?: Passed) => unknown;

/** What one call keeps of the results that middleware receives. */
interface Passed {
  /** The streams of the results. `undefined` if no response of the route has any. */
  readonly sources: Sources | undefined;
  /** The headers of the innermost result. Not needed if no response of the route declares headers. */
  innerHeaders: ResponseHeaders | undefined;
}

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
  const toHandled = planAccept("the handler", route);
  const innermost: CheckedAnswer = (call, passed) => attempt(() => handle(call), acceptThrown, toHandled, passed);
  const wrap = (inner: CheckedAnswer, each: MiddlewareWithResponses): CheckedAnswer => wrapAnswer(inner, each, route);
  const answer = middleware.reduceRight(wrap, innermost);
  const hasSources = haveSources(responses);
  const innerHeaders = Object.values(responses).some(({ headers }) => headers) ? undefined : {};
  if (!hasSources && innerHeaders) return answer;
  return (call) => {
    const sources = hasSources ? new Sources(responses) : undefined;
    const passed: Passed = { sources, innerHeaders };
    return attempt(
      () =>
        whenReady(answer(call, passed), (result): ChangeableResult => {
          const sent = sources ? sources.send(result) : result;
          return innerHeaders ? sent : noteChanges(sent, passed.innerHeaders);
        }),
      (error) => {
        sources?.end();
        throw error;
      },
    );
  };
}

/** Notes the headers of the innermost result on one that adds to them, or changes them. Any other stays as it is. */
function noteChanges(result: Result, inner: ResponseHeaders = {}): ChangeableResult {
  const isSame = Object.entries(result.headers ?? {}).every(([name, value]) => inner[name] === value);
  return isSame ? result : { ...withBody(result, result.body), [innerHeadersOf]: inner };
}

/** Answers a call with a value that was checked to be a result. */
type CheckedAnswer = (...call: Parameters<AnswerCall>) => Ready<Result>;

/** Returns the function that accepts what a handler or middleware returned. It throws if that is not a result. */
function planAccept(role: string, route: RouteInfo): (returned: unknown, passed?: Passed) => Result {
  return (returned, passed) => noteHeaders(checkResult(returned, role, route), passed);
}

/** Accepts a thrown result, and throws everything else again. */
function acceptThrown(thrown: unknown, passed?: Passed): Result {
  if (isResult(thrown)) return noteHeaders(thrown, passed);
  throw thrown;
}

/** Notes the headers of the innermost result. It copies them, because middleware may change the object itself. */
function noteHeaders(result: Result, passed: Passed | undefined): Result {
  if (passed) passed.innerHeaders ??= { ...result.headers };
  return result;
}

/** Wraps a middleware around everything inside it, and checks that it returns or throws a result. */
function wrapAnswer(
  inner: CheckedAnswer,
  { run, shared }: MiddlewareWithResponses,
  route: RouteInfo,
): CheckedAnswer {
  const shape: ArgumentShape = {
    route,
    response: toCreateResult(route, shared),
    has: { params: true, caller: true },
  };
  const acceptReturned = planAccept("a middleware", route);
  return (call, passed) => {
    let inside: Promise<Result> | undefined;
    let hasReturned = false;
    let hasAnswered = false;
    const next = (added?: object): Promise<Result> => {
      if (inside || hasAnswered) {
        const state = inside ? "a second time; call it once" : "after the middleware returned; call it before";
        return start(() => {
          throw new TypeError(`next(): called ${state}`);
        });
      }
      return inside = start(() => {
        if (hasReturned) call.signal.throwIfAborted(); // not earlier, because reading a signal is slow
        const result = inner(added === undefined ? call : withAdded(call, added), passed);
        return passed?.sources ? passed.sources.pass(result) : result;
      });
    };
    const answerWith = (accept: typeof acceptThrown) => (value: unknown): Result => {
      hasAnswered = true;
      return accept(value, passed);
    };
    const recover = answerWith(acceptThrown);
    try {
      const returned = run(new CallArgument(shape, call, next));
      if (inside && returned === inside) return inside; // checked inside already; a second check takes 7 % of such a request in memory
      return attempt(() => returned, recover, answerWith(acceptReturned));
    } catch (thrown) {
      return recover(thrown);
    } finally {
      hasReturned = true;
    }
  };
}

/** Runs `work` now, and returns a promise of its result. Its rejection is handled, also if the middleware does not await it. */
function start(work: () => Ready<Result>): Promise<Result> {
  let started: Ready<Result>;
  try {
    started = work();
  } catch (error) {
    started = Promise.reject(error);
  }
  if (!(started instanceof Promise)) return Promise.resolve(started);
  started.catch(ignore);
  return started;
}

/** Returns the call inside a middleware that adds to the context. */
function withAdded(call: ServerCall, added: object): ServerCall {
  checkRule(added, "the argument", anObject, "next()");
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
