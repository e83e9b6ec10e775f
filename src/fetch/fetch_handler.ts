/** Mounts implementations as functions from a `Request` to a `Response`. */
import type { Awaitable } from "../awaitable.ts";
import type { Implementation } from "../server/define/implementation.ts";
import type { AddedInput, ContextInput } from "../server/define/server.ts";
import { createEngine, hasRouteFor } from "../server/engine.ts";
import type { RouteQuestion } from "../server/http/route_table.ts";
import { toResponse } from "../server/http/to_response.ts";
import { type EngineOptions, readOptions } from "../server/options.ts";
import { FetchExchange } from "./fetch_exchange.ts";

/** The options of a mounted handler. */
export interface FetchOptions extends EngineOptions {
  /**
   * Whether other code, such as a context factory, can still read the body of a request after the adapter has read it.
   * Code that runs before the adapter reads it, such as a verifier, must read `request.clone()` in any case: the server
   * answers 500 if it finds a body that other code has read. Default: `false`.
   *
   * If `true`, each body is kept in memory a second time until the request is garbage-collected. For a stream, that is
   * everything read so far, and its source is not cancelled at the limit. The copy keeps each chunk as it arrived, and
   * a chunk of a single byte may occupy 64 KiB.
   */
  readonly preserveRequestBody?: boolean;
}

/** The options of {@linkcode createFetchHandler}. */
export interface FetchHandlerOptions<Runtime extends readonly unknown[], Added extends object> extends FetchOptions {
  /**
   * Returns the second argument of verifiers, guards and the context factory, from the request and the runtime's
   * further arguments. A context factory also finds the result's own enumerable properties in its first argument. They
   * never replace `request`, `headers`, `signal`, `route` and `caller`.
   *
   * It runs once per request: before verifiers and guards, or on a route without them, when the context is created.
   */
  readonly contextInput: (request: Request, ...runtime: Runtime) => Awaitable<Added>;
}

/**
 * A function from a Web `Request` to a Web `Response`, which `Deno.serve`, Bun, Workers and others call. It never
 * throws or rejects.
 */
export type FetchHandler<Runtime extends readonly unknown[] = []> = (
  request: Request,
  ...runtime: Runtime
) => Response | Promise<Response>;

/** The handler of an implementation: a {@linkcode FetchHandler} that also tells which requests it has a route for. */
export interface MountedHandler<Runtime extends readonly unknown[] = []> extends FetchHandler<Runtime> {
  /**
   * Returns whether an implemented route answers a request: HEAD by GET, and with the option `cors` a preflight by the
   * method that it asks about. It is false for a path with needless escapes or dot segments, which other code may read
   * as another path. Use it to pass other requests on.
   *
   * @param request A `Request`, or its `method` and `url`, which may be a path. `headers` are read for preflights.
   * @throws {TypeError} If it has no method or no URL.
   */
  readonly has: (request: RouteQuestion) => boolean;
}

/** Mounts implementations. {@linkcode fetchAdapter} returns it. */
export interface FetchAdapter {
  /**
   * Creates a handler of an implementation. The handler ignores all arguments except the request.
   *
   * @param options Replace those of the adapter. @throws {TypeError} If an option is invalid.
   */
  mount(implementation: Implementation<ContextInput>, options?: FetchOptions): MountedHandler;
}

/**
 * Creates an adapter, which mounts implementations as functions from a Web `Request` to a Web `Response`. The handler
 * answers synchronously if no step of a request is asynchronous.
 *
 * @example One route
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { fetchAdapter } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
 * const implementation = defineServer(contract).implement({ health: ({ response }) => response(200, "ok") });
 * const handler = fetchAdapter({ maxBodyBytes: 1_000_000 }).mount(implementation);
 *
 * const answer = await handler(new Request("http://localhost/health"));
 * assertEquals(await answer.text(), "ok");
 * ```
 *
 * @throws {TypeError} If an option is invalid.
 */
export function fetchAdapter(options: FetchOptions = {}): FetchAdapter {
  const defaults = readOptions(options, "fetchAdapter()", rules);
  return Object.freeze({
    mount(implementation: Implementation<ContextInput>, own: FetchOptions = {}): MountedHandler {
      const where = "fetchAdapter().mount()";
      const respond = mount(implementation, { ...defaults, ...readOptions(own, where, rules) }, where);
      return Object.assign((request: Request) => respond(request), { has: respond.has });
    },
  });
}

/**
 * Creates a handler of an implementation, like `fetchAdapter().mount()`. It passes all arguments of the runtime to
 * `contextInput`, whose result the server's verifiers, guards and context factory receive.
 *
 * @example A context factory that needs the caller's address
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({ routes: { ip: route.get("/ip", { responses: { 200: response.text() } }) } });
 * const implementation = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ ip }) })
 *   .implement({ ip: ({ context, response }) => response(200, context.ip) });
 * const handler = createFetchHandler(implementation, {
 *   contextInput: (_request, info: { remoteAddr: { hostname: string } }) => ({ ip: info.remoteAddr.hostname }),
 * });
 *
 * const answer = await handler(new Request("http://localhost/ip"), { remoteAddr: { hostname: "127.0.0.1" } });
 * assertEquals(await answer.text(), "127.0.0.1");
 * ```
 *
 * @throws {TypeError} If an option is invalid.
 */
export function createFetchHandler(
  implementation: Implementation<ContextInput>,
  options?: FetchOptions & { readonly contextInput?: undefined },
): MountedHandler;
/** Creates a handler of an implementation whose context factory needs the result of `contextInput`. */
export function createFetchHandler<Needs extends object, Runtime extends readonly unknown[] = []>(
  implementation: Implementation<Needs>,
  options: FetchHandlerOptions<Runtime, AddedInput<Needs>>,
): MountedHandler<Runtime>;
export function createFetchHandler(
  implementation: unknown,
  options: FetchOptions & { readonly contextInput?: CallContextInput | undefined } = {},
): MountedHandler<unknown[]> {
  const where = "createFetchHandler()";
  return mount(implementation, readOptions(options, where, rules, "contextInput"), where);
}

/** The option `contextInput`, with any types. */
type CallContextInput = (request: Request, ...runtime: unknown[]) => Awaitable<object>;

const rules = { preserveRequestBody: ["a boolean", (value: unknown) => typeof value === "boolean"] } as const;

function mount(
  implementation: unknown,
  { preserveRequestBody = false, contextInput, ...options }: FetchOptions & {
    readonly contextInput?: CallContextInput | undefined;
  },
  where: string,
): MountedHandler<unknown[]> {
  const engine = createEngine<FetchExchange, Response>(implementation, {
    ...options,
    contextInput: contextInput && (({ request, runtime }) => contextInput(request, ...runtime)),
    finish: toResponse,
  }, where);
  const respond = (request: Request, ...runtime: unknown[]): Response | Promise<Response> =>
    engine.answer(new FetchExchange(request, runtime, preserveRequestBody));
  return Object.assign(respond, { has: (request: RouteQuestion) => hasRouteFor(engine, request) });
}
