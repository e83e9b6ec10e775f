import { isMarked } from "../mark.ts";
import { type Implementation } from "../server/implementation.ts";
import { type ContextInput } from "../server/server.ts";
import { type Awaitable } from "../awaitable.ts";
import { type ToContextInput } from "./context.ts";
import { type ErrorReport, type OnError } from "./on_error.ts";
import { type CorsOptions, refuseCors } from "./check_cors.ts";
import { planOrigins } from "./origins.ts";
import { type Answer, createAnswer } from "./handler.ts";

/** The options of a mounted handler. */
export interface FetchOptions {
  /**
   * The most bytes of a request's body whose declaration has no `maxBytes`, from 0; one more is answered with 413. Default: no limit.
   */
  readonly maxBodyBytes?: number;
  /**
   * Whether the body of a request can still be read by others, such as a context factory, after the adapter has read it.
   * Each body is then kept in memory once more until the request is let go; of one that a handler reads as a stream all that
   * was read so far, and its source is not cancelled at the limit. The copy keeps each chunk as it arrived, of which one of a
   * single byte may take 64 KiB. Default: false.
   */
  readonly preserveRequestBody?: boolean;
  /** Which pages of other origins may call. Default: none, and a preflight is a request like any other. */
  readonly cors?: CorsOptions;
  /**
   * Hears of every 5xx that the adapter produced, once each, and may give a response to send instead. What it throws changes
   * nothing. Default: writes the error to `console.error`.
   */
  readonly onError?: OnError;
}

/** The options of {@linkcode createFetchHandler}. */
export interface FetchHandlerOptions<Runtime extends readonly unknown[], Added extends object> extends FetchOptions {
  /**
   * Makes what verifiers, guards and the context factory are passed as their second argument, from the request and whatever else the
   * runtime passes. A context factory finds its own enumerable properties in its first argument too, where `request`, `signal`, `route`
   * and `caller` stay the adapter's. It runs once for each request of a route with security or guards, before they run; for other
   * routes when the context is made.
   */
  readonly contextInput: (request: Request, ...runtime: Runtime) => Awaitable<Added>;
}

/**
 * What a context factory needs beside what every adapter gives.
 *
 * @internal
 */
export type AddedInput<Needs extends object> = Omit<Needs, keyof ContextInput | "caller">;

/** From a Web `Request` to a Web `Response`: what `Deno.serve`, Bun, Workers and others call. It never throws or rejects. */
export type FetchHandler<Runtime extends readonly unknown[] = []> = (
  request: Request,
  ...runtime: Runtime
) => Response | Promise<Response>;

/** Mounts implementations; made by {@linkcode fetchAdapter}. */
export interface FetchAdapter {
  /**
   * Makes a handler of an implementation. It ignores whatever else a runtime passes beside the request.
   *
   * @param options Win over those of the adapter.
   * @throws {TypeError} For an option value that can't be.
   */
  mount(implementation: Implementation<ContextInput>, options?: FetchOptions): FetchHandler;
}

/**
 * Mounts implementations as functions from a Web `Request` to a Web `Response`. The handler answers synchronously where nothing
 * in the walk of a request is asynchronous.
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
 * @throws {TypeError} For an option value that can't be.
 */
export function fetchAdapter(options: FetchOptions = {}): FetchAdapter {
  const defaults = readOptions(options);
  return Object.freeze({
    mount(implementation: Implementation<ContextInput>, own: FetchOptions = {}): FetchHandler {
      const answer = mountAnswer(implementation, { ...defaults, ...readOptions(own) });
      return (request) => answer(request, nothing);
    },
  });
}

/**
 * Makes a handler of an implementation, as `fetchAdapter().mount()` does, and hands everything the runtime passes to
 * `contextInput`, whose result the server's context factory gets.
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
 * @throws {TypeError} For an option value that can't be.
 */
export function createFetchHandler(
  implementation: Implementation<ContextInput>,
  options?: FetchOptions & { readonly contextInput?: undefined },
): FetchHandler;
/** Makes a handler of an implementation whose context factory needs what `contextInput` gives. */
export function createFetchHandler<Needs extends object, Runtime extends readonly unknown[] = []>(
  implementation: Implementation<Needs>,
  options: FetchHandlerOptions<Runtime, AddedInput<Needs>>,
): FetchHandler<Runtime>;
export function createFetchHandler(implementation: unknown, options: MountOptions = {}): FetchHandler<unknown[]> {
  const answer = mountAnswer(implementation, readOptions(options, "contextInput"));
  return (request, ...runtime) => answer(request, runtime);
}

type MountOptions = FetchOptions & { readonly contextInput?: ToContextInput | undefined };

const nothing: readonly unknown[] = [];

function mountAnswer(implementation: unknown, options: MountOptions): Answer {
  if (!isMarked(implementation, "implementation")) {
    throw new TypeError("Cannot mount: the implementation was not made by defineServer(contract).implement(handlers)");
  }
  const { maxBodyBytes = Infinity, preserveRequestBody = false, cors, onError = logError, contextInput } = options;
  const settings = {
    maxBodyBytes,
    preserveRequestBody,
    cors,
    allowsOrigin: planOrigins(cors?.origins),
    onError,
    contextInput,
  };
  return createAnswer(implementation as Implementation, settings);
}

function logError({ error, phase, route, request }: ErrorReport): void {
  console.error(`${request.method} ${route?.path ?? ""} (${route?.key ?? ""}) failed in phase ${phase}:`, error);
}

/** The options that are set, or a `TypeError` where one can't be. */
function readOptions<Options extends MountOptions>(options: Options, ...further: string[]): Options {
  const allowed = ["maxBodyBytes", "preserveRequestBody", "cors", "onError", ...further];
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of set) {
    const state = allowed.includes(name) ? refuseOption(name, value) : `is unknown (allowed: ${allowed.join(", ")})`;
    if (state !== undefined) throw new TypeError(`Cannot mount: option ${name} ${state}`);
  }
  return Object.fromEntries(set) as Options;
}

function refuseOption(name: string, value: unknown): string | undefined {
  if (name === "maxBodyBytes") return refuseLimit(value);
  if (name === "preserveRequestBody") return typeof value === "boolean" ? undefined : "is no boolean";
  if (name === "cors") return refuseCors(value);
  return typeof value === "function" ? undefined : "is no function";
}

function refuseLimit(limit: unknown): string | undefined {
  if (Number.isSafeInteger(limit) && (limit as number) >= 0) return undefined;
  return "is no whole number from 0; leave it out for no limit";
}
