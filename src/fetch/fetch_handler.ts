/** Mounts implementations as functions from a `Request` to a `Response`, and reads requests for the engine. */
import type { Awaitable } from "../awaitable.ts";
import { isInstance } from "../mark.ts";
import { isNode } from "../native_response.ts";
import type { ContextInput } from "../server/define/call.ts";
import type { Implementation } from "../server/define/implementation.ts";
import type { AddedInput, OptionsFor } from "../server/define/server.ts";
import { aBoolean, type OptionRules } from "../options.ts";
import { createEngine, type EngineOptions, hasRouteFor, readEngineOptions } from "../server/engine.ts";
import { type BodyReader, type Content, Exchange, originEnd } from "../server/http/exchange.ts";
import { toResponse } from "../server/http/native_answer.ts";
import type { RouteQuestion } from "../server/http/route_table.ts";
import { isBun, isDeno } from "../wire/fetched_fields.ts";
import { readContent } from "../wire/read_bytes.ts";

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
  const defaults = readEngineOptions(options, "fetchAdapter()", rules);
  return Object.freeze({
    mount(implementation: Implementation<ContextInput>, own: FetchOptions = {}): MountedHandler {
      const where = "fetchAdapter().mount()";
      return mount(implementation, { ...defaults, ...readEngineOptions(own, where, rules) }, where);
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
export function createFetchHandler(implementation: Implementation<ContextInput>): MountedHandler;
/** Creates a handler of an implementation, with options. */
export function createFetchHandler<Needs extends object, Runtime extends readonly unknown[] = [], Given = unknown>(
  implementation: Implementation<Needs>,
  options:
    & OptionsFor<Needs, FetchOptions, FetchHandlerOptions<Runtime, AddedInput<Needs>>>
    & { readonly contextInput?: unknown extends Given ? Given : unknown }, // unknown, but Given is inferred from it
): MountedHandler<unknown extends Given ? [] : Runtime>;
export function createFetchHandler(
  implementation: unknown,
  options: FetchOptions & { readonly contextInput?: CallContextInput | undefined } = {},
): MountedHandler<unknown[]> {
  const where = "createFetchHandler()";
  return mount(implementation, readEngineOptions(options, where, rules, "contextInput"), where);
}

/** The option `contextInput`, with any types. */
type CallContextInput = (request: Request, ...runtime: unknown[]) => Awaitable<object>;

const rules: OptionRules = { preserveRequestBody: aBoolean };

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
  // who reads what the runtime passes: the application, sockets of Bun, and the search for a body that was read on Node
  const readsRuntime = contextInput !== undefined || options.sockets !== undefined || isNode;
  const respond: FetchHandler<unknown[]> = readsRuntime
    ? (request, ...runtime) => engine.answer(new FetchExchange(request, runtime, preserveRequestBody))
    : (request) => engine.answer(new FetchExchange(request, none, preserveRequestBody));
  return Object.assign(respond, { has: (request: RouteQuestion) => hasRouteFor(engine, request) });
}

const none: readonly never[] = [];

/** A `Request` on its way to a `Response`. */
export class FetchExchange extends Exchange {
  declare readonly request: Request;
  /** The arguments of the runtime after the request. */
  declare readonly runtime: readonly unknown[];
  declare readonly method: string;
  declare readonly target: string;
  declare readonly pathStart: number | undefined;
  /** Whether a copy of the request is read, so that other code can read the body. */
  declare readonly preservesBody: boolean;
  /** The message whose body is read: the request, or its copy, which is made when the body is taken. */
  declare message: Request;

  constructor(request: Request, runtime: readonly unknown[], preservesBody: boolean) {
    super();
    this.request = request;
    this.runtime = runtime;
    this.method = request.method;
    this.target = request.url;
    // Deno.serve puts the `Host` into the URL as it is; Node's adapters and Bun refuse or replace one like a path
    const host = isDeno ? request.headers.get("host") : null;
    this.pathStart = host !== null && /[/?#@\\]/.test(host) ? undefined : originEnd(this.target);
    this.preservesBody = preservesBody;
    this.message = request;
  }

  get headers(): Headers {
    return this.request.headers;
  }

  get host(): string {
    return new URL(this.target).host;
  }

  get isGone(): boolean {
    return this.request.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  get isBodyUsed(): boolean {
    return this.message.bodyUsed;
  }

  takeBody(): boolean {
    const { request } = this;
    if (request.bodyUsed || isNode && hasReadMessage(this.runtime)) return false;
    if (this.preservesBody) this.message = request.clone(); // which throws for a body that other code holds
    return true;
  }

  /**
   * Without a maximum the runtime reads the body, which takes Deno half the time. A chunked body is always counted, because
   * runtimes and bridges except Bun keep every chunk, at up to 1,100 bytes for one of a single byte.
   */
  readBody(maxBytes: number, asText: boolean): Awaitable<Content | undefined> {
    const { message } = this;
    if (maxBytes !== Infinity || !isBun && this.headers.has("transfer-encoding")) {
      return readContent(this.openBody(), maxBytes, asText);
    }
    return asText ? message.text() : message.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  }

  openBody(): BodyReader | undefined {
    const { body } = this.message;
    if (body === null) return undefined;
    return isNode ? openOnNode(body, this.headers) : body.getReader();
  }

  /**
   * If nothing has read the body, other code holds its lock. Node's adapters create a new body for a message that a body
   * parser has read, which fails with a `TypeError`, as no connection does.
   */
  isTakenError(error: unknown): boolean {
    return isInstance(error, TypeError) && (!this.isBodyUsed || isNode && !("code" in error)); // those of decompression have one
  }
}

/**
 * Returns whether other code has read the message of `@hono/node-server`, which passes it as a further argument. Its
 * request has an empty body then, if that was sent in chunks.
 */
function hasReadMessage([bindings]: readonly unknown[]): boolean {
  const { incoming } = Object(bindings) as { readonly incoming?: { readonly readableDidRead?: boolean } };
  return incoming?.readableDidRead === true;
}

/** The stream of a body. */
type BodyStream = NonNullable<Request["body"]>;

/**
 * Opens a body on Node. The reader cancels it in a later task, because srvx ends the process if a body is cancelled in
 * the task in which its buffered bytes arrive. It leaves a form that was created in memory: Node adds to
 * the stream of a `FormData` until it is complete, and ends the process if the stream was cancelled.
 */
function openOnNode(body: BodyStream, headers: Headers): BodyReader {
  const isLeft = /^multipart\//i.test(headers.get("content-type") ?? "") && isByteStream(body);
  const reader = body.getReader();
  return {
    read: () => reader.read(),
    cancel: (reason) => new Promise((resolve) => setTimeout(() => resolve(isLeft ? undefined : reader.cancel(reason)))),
  };
}

/** Returns whether a stream is one of bytes to the platform, as those of memory are, and those of connections are not. */
function isByteStream(body: BodyStream): boolean {
  try {
    body.getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
