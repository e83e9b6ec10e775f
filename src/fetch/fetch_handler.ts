import { checkOptionNames, describeValue } from "../messages.ts";
import { isCount, isMarked } from "../mark.ts";
import type { Implementation } from "../server/define/implementation.ts";
import type { ContextInput } from "../server/define/server.ts";
import type { Awaitable } from "../awaitable.ts";
import type { ToContextInput } from "../server/steps/callbacks.ts";
import type { ErrorReport, OnError } from "../server/answer/answer_stop.ts";
import { checkCors, type CorsOptions, planOrigins } from "../server/answer/cors.ts";
import type { AnswerRequest } from "../server/http/exchange.ts";
import { createAnswer } from "../server/engine.ts";
import type { OnResponse } from "../server/answer/reports.ts";

/** The options of a mounted handler. */
export interface FetchOptions {
  /**
   * The maximum size of a request body in bytes: an integer, 0 or more. It applies to bodies without a `maxBytes` of
   * their own. The server answers 413 to a longer one. Default: no limit.
   */
  readonly maxBodyBytes?: number;
  /**
   * The maximum number of levels of arrays and objects in a request body: an integer, 1 or more. It applies to JSON, also
   * in a field that is `styled()`, and to custom representations. The server answers 400 to a deeper one, because schemas
   * that refer to themselves may take seconds for it. `[]` has one level. Default: 100.
   */
  readonly maxDepth?: number;
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
  /**
   * Which other origins may call, and which headers their pages may send and read. Default: none, and a preflight is an
   * ordinary OPTIONS request.
   */
  readonly cors?: CorsOptions;
  /**
   * Called for every 5xx response that the adapter produces, for every stream that fails, and when `cors.origins` or the
   * server's `refuse` fails, once each. It can return a response to send instead of a 5xx. Errors that it throws are
   * ignored. Default: writes the error to `console.error`.
   */
  readonly onError?: OnError;
  /**
   * Called for every response before it is returned, also for those that the adapter sends itself, with the route and
   * the duration: for logs, metrics and traces. It can return a response to send instead, such as that of
   * {@linkcode watchBody}, which tells when a stream ends. Errors that it throws are ignored, unless it has read the
   * body: the response is then a 500, and `onError` is called. Default: none.
   */
  readonly onResponse?: OnResponse;
}

/** The options of {@linkcode createFetchHandler}. */
export interface FetchHandlerOptions<Runtime extends readonly unknown[], Added extends object> extends FetchOptions {
  /**
   * Returns the second argument of verifiers, guards and the context factory, from the request and the runtime's
   * further arguments. A context factory also finds the result's own enumerable properties in its first argument. They
   * never replace `request`, `signal`, `route` and `caller`.
   *
   * It runs once per request: before verifiers and guards, or on a route without them, when the context is created.
   */
  readonly contextInput: (request: Request, ...runtime: Runtime) => Awaitable<Added>;
}

/**
 * The properties that verifiers, guards and a context factory need besides those that every adapter passes.
 *
 * @internal
 */
export type AddedInput<Needs extends object> = Omit<Needs, keyof ContextInput | "caller">;

/**
 * A function from a Web `Request` to a Web `Response`, which `Deno.serve`, Bun, Workers and others call. It never
 * throws or rejects.
 */
export type FetchHandler<Runtime extends readonly unknown[] = []> = (
  request: Request,
  ...runtime: Runtime
) => Response | Promise<Response>;

/** Mounts implementations. {@linkcode fetchAdapter} returns it. */
export interface FetchAdapter {
  /**
   * Creates a handler of an implementation. The handler ignores all arguments except the request.
   *
   * @param options Replace those of the adapter. @throws {TypeError} If an option is invalid.
   */
  mount(implementation: Implementation<ContextInput>, options?: FetchOptions): FetchHandler;
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
  const defaults = readOptions(options, "fetchAdapter()");
  return Object.freeze({
    mount(implementation: Implementation<ContextInput>, own: FetchOptions = {}): FetchHandler {
      const where = "fetchAdapter().mount()";
      const answer = mountAnswer(implementation, { ...defaults, ...readOptions(own, where) }, where);
      return (request) => answer(request, nothing);
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
): FetchHandler;
/** Creates a handler of an implementation whose context factory needs the result of `contextInput`. */
export function createFetchHandler<Needs extends object, Runtime extends readonly unknown[] = []>(
  implementation: Implementation<Needs>,
  options: FetchHandlerOptions<Runtime, AddedInput<Needs>>,
): FetchHandler<Runtime>;
export function createFetchHandler(implementation: unknown, options: MountOptions = {}): FetchHandler<unknown[]> {
  const where = "createFetchHandler()";
  const answer = mountAnswer(implementation, readOptions(options, where, "contextInput"), where);
  return (request, ...runtime) => answer(request, runtime);
}

type MountOptions = FetchOptions & { readonly contextInput?: ToContextInput | undefined };

const nothing: readonly unknown[] = [];

function mountAnswer(implementation: unknown, options: MountOptions, where: string): AnswerRequest {
  if (!isMarked(implementation, "implementation")) {
    throw new TypeError(
      `${where}: the implementation must be made by defineServer(contract).implement(…), got ${
        describeValue(implementation)
      }`,
    );
  }
  const {
    maxBodyBytes = Infinity,
    maxDepth = 100,
    preserveRequestBody = false,
    cors,
    onError = logError,
    onResponse,
    contextInput,
  } = options;
  const settings = {
    maxBodyBytes,
    maxDepth,
    preserveRequestBody,
    cors,
    allowsOrigin: planOrigins(cors?.origins),
    onError,
    onResponse,
    contextInput,
  };
  return createAnswer(implementation as Implementation, settings);
}

function logError({ error, phase, route, request }: ErrorReport): void {
  console.error(`${request.method} ${route?.path ?? ""} (${route?.key ?? ""}) failed in phase ${phase}:`, error);
}

/** Returns the options that are set. Throws a `TypeError` if one is invalid. */
function readOptions<Options extends MountOptions>(options: Options, where: string, ...further: string[]): Options {
  const allowed = ["maxBodyBytes", "maxDepth", "preserveRequestBody", "cors", "onError", "onResponse", ...further];
  const fail = (state: string): never => {
    throw new TypeError(`${where}: ${state}`);
  };
  const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  checkOptionNames(set, allowed, fail);
  for (const [name, value] of Object.entries(set)) checkOption(name, value, fail);
  return set as Options;
}

function checkOption(name: string, value: unknown, fail: (state: string) => never): void {
  if (name === "cors") return checkCors(value, fail);
  const [expected, isValid] = name === "maxBodyBytes"
    ? ["a non-negative integer or omitted", isCount(value)]
    : name === "maxDepth"
    ? ["a positive integer or omitted", isCount(value) && value > 0]
    : name === "preserveRequestBody"
    ? ["a boolean", typeof value === "boolean"]
    : ["a function", typeof value === "function"];
  if (!isValid) fail(`"${name}" must be ${expected}, got ${describeValue(value)}`);
}
