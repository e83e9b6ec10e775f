/** The handler of an implementation for Node's servers, and for the frameworks on them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Duplex } from "node:stream";
import { attempt, type Awaitable } from "../awaitable.ts";
import { isObject } from "../mark.ts";
import { aFunction, checkRule } from "../options.ts";
import { isResponse } from "../native_response.ts";
import type { Implementation } from "../server/define/implementation.ts";
import type { AddedInput, OptionsFor } from "../server/define/server.ts";
import { reportOnly } from "../server/answer/answer_stop.ts";
import {
  createEngine,
  type EngineOptions,
  hasRouteFor,
  isOurs,
  logError,
  readEngineOptions,
} from "../server/engine.ts";
import { refuse, toHead } from "../server/http/answer.ts";
import type { RouteQuestion } from "../server/http/route_table.ts";
import { frameNative, isSendable } from "../server/http/native_answer.ts";
import { locatePath } from "../server/http/exchange.ts";
import { MessageExchange } from "./node_exchange.ts";
import { send } from "./send.ts";
import { mayLeave, sendOnSocket, UpgradeExchange } from "./upgrade.ts";
import type { ContextInput } from "../server/define/call.ts";

/** A request of `node:http`, `node:https` or `node:http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** A response of these. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** The options of {@linkcode createNodeHandler}. */
export type NodeOptions = EngineOptions;

/** A request to a Node server, and its response. */
export interface NodeExchange<Req extends NodeRequest = IncomingMessage> {
  /** The request, with what middleware has added, such as `user`. */
  readonly req: Req;
  /** The response. A handler's result is written to it later. For the event `upgrade` it is the socket instead. */
  readonly res: NodeResponse;
}

/** The options of {@linkcode createNodeHandler} for a server whose functions need more than the request. */
export interface NodeHandlerOptions<Req extends NodeRequest, Added extends object> extends NodeOptions {
  /**
   * Returns the second argument of verifiers, guards and the context factory, from the request and the response of Node.
   * A context factory also finds the result's own enumerable properties in its first argument. They never replace
   * `request`, `signal`, `route` and `caller`.
   *
   * It runs once per request: before verifiers and guards, or on a route without them, when the context is created.
   */
  readonly contextInput: (exchange: NodeExchange<Req>) => Awaitable<Added>;
}

/**
 * A function that `http.createServer()`, `https.createServer()`, `http2.createServer()` and frameworks call. With `next`,
 * it passes on what no route answers. It throws only what `next` throws.
 */
export interface NodeHandler<Req extends NodeRequest = NodeRequest> {
  (req: Req, res: NodeResponse, next?: (error?: unknown) => void): void;
  /**
   * Returns whether the handler answers a request by one of its routes. `next` is called for all others. It reads
   * `originalUrl` of Express. An object with `method`, `url` and perhaps `headers` is enough.
   *
   * @throws {TypeError} If it has no method or no URL.
   */
  readonly has: (req: Req | RouteQuestion) => boolean;
  /**
   * The listener to the event `upgrade` of a server, which opens WebSockets: `server.on("upgrade", handler.upgrade)`. It
   * answers requests for another protocol as if they asked for none, except those with a body, which it refuses with 400.
   * A request that no route answers is left to the server's other listeners. Without any, it receives a 404.
   */
  readonly upgrade: (req: IncomingMessage, socket: Duplex, head: Uint8Array) => void;
}

/**
 * The request of a handler whose `contextInput` does not annotate it, or that has none.
 *
 * @internal
 */
export type RequestFor<Needs extends object> = [ContextInput] extends [Needs] ? NodeRequest : IncomingMessage;

/**
 * Creates a handler of an implementation for Node's servers, Express, Connect, NestJS and Fastify. It matches the path
 * that the client has sent: if a framework mounts it below a path, the contract has that path in its `basePath`.
 *
 * @example A server
 * ```ts
 * import { createServer } from "node:http";
 * import { defineContract, response, route } from "@scope/api";
 * import { createNodeHandler } from "@scope/api/node";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
 * const implementation = defineServer(contract).implement({ health: ({ response }) => response(200, "ok") });
 *
 * const server = createServer(createNodeHandler(implementation)).listen(0, "127.0.0.1");
 * await new Promise((resolve) => server.once("listening", resolve));
 *
 * const { port } = server.address() as { port: number };
 * const answer = await fetch(`http://127.0.0.1:${port}/health`);
 * assertEquals(await answer.text(), "ok");
 * server.close();
 * ```
 *
 * @throws {TypeError} If an option is invalid.
 */
export function createNodeHandler(implementation: Implementation<ContextInput>): NodeHandler;
/** Creates a handler of an implementation, with options. */
export function createNodeHandler<Needs extends object, Req extends NodeRequest = RequestFor<Needs>>(
  implementation: Implementation<Needs>,
  options: OptionsFor<Needs, NodeOptions, NodeHandlerOptions<Req, AddedInput<Needs>>>,
): NodeHandler<Req>;
export function createNodeHandler(implementation: unknown, options: AnyOptions = {}): NodeHandler {
  const where = "createNodeHandler()";
  const { contextInput, ...shared } = readEngineOptions(options, where, {}, "contextInput");
  const engine = createEngine<MessageExchange>(implementation, {
    ...shared,
    contextInput: contextInput && (({ req, res }) => contextInput({ req, res })),
  }, where);
  const handle = (req: NodeRequest, res: NodeResponse, next?: () => void): void => {
    const exchange = new MessageExchange(req as IncomingMessage, res as ServerResponse); // those of HTTP/2 have its methods
    if (next && !(isPlain(exchange) && isOurs(engine, exchange))) return next();
    exchange.closeOnReset();
    const sent = engine.answer(exchange);
    if (sent instanceof Promise) void sent.then((sent) => send(sent, exchange, engine.onError));
    else send(sent, exchange, engine.onError);
  };
  const has = (req: NodeRequest | RouteQuestion): boolean => {
    if (!isObject(req) || !("rawHeaders" in req)) return hasRouteFor(engine, req as RouteQuestion);
    const asked = new MessageExchange(req as unknown as IncomingMessage, none); // as above
    return isPlain(asked) && isOurs(engine, asked);
  };
  const upgrade = (req: IncomingMessage, socket: Duplex, head: Uint8Array): void => {
    const exchange = new UpgradeExchange(req, socket, head);
    if (!isOurs(engine, exchange) && mayLeave(req)) return;
    socket.on("error", ignore); // Node has removed its own listener
    const sent = exchange.body ? refuse("invalid-body").answer : engine.answer(exchange); // nothing parses a body any more
    void sendOnSocket(sent, exchange);
  };
  return Object.assign(handle, { has, upgrade });
}

/** The response of a request that is not answered: nothing reads it. */
const none = undefined as never;

function ignore(): void {}

/**
 * Returns whether a target is a path. Frameworks find the path of a whole URL by other rules than `URL`, so that
 * middleware for a path would not see the one of `http://host;x/path`.
 */
function isPlain({ pathStart }: Pick<MessageExchange, "pathStart">): boolean {
  return pathStart === 0;
}

type AnyOptions = NodeOptions & {
  readonly contextInput?: ((exchange: NodeExchange<NodeRequest>) => Awaitable<object>) | undefined;
};

/**
 * Turns a function from a Web `Request` to a Web `Response`, such as that of `serveDocs()`, into a handler for Node's
 * servers. If it returns `undefined`, the handler calls `next`, or answers 404. With `next`, a path that a `URL` would
 * change goes on, too. If the function or `next` throws, or the result is no unread response, the error is logged, and
 * the answer is a 500.
 *
 * @example A page beside an API
 * ```ts
 * import { createServer } from "node:http";
 * import { toNodeHandler } from "@scope/api/node";
 * import { assertEquals } from "@std/assert";
 *
 * const page = toNodeHandler(({ url }) => url.endsWith("/page") ? new Response("A page") : undefined);
 * const server = createServer((req, res) => page(req, res, () => res.end("The API"))).listen(0, "127.0.0.1");
 * await new Promise((resolve) => server.once("listening", resolve));
 *
 * const { port } = server.address() as { port: number };
 * assertEquals(await (await fetch(`http://127.0.0.1:${port}/page`)).text(), "A page");
 * assertEquals(await (await fetch(`http://127.0.0.1:${port}/users`)).text(), "The API");
 * server.close();
 * ```
 *
 * @throws {TypeError} If it is not a function.
 */
export function toNodeHandler(
  handler: (request: Request) => Awaitable<Response | undefined>,
): (req: NodeRequest, res: NodeResponse, next?: (error?: unknown) => void) => void {
  checkRule(handler, "the handler", aFunction, "toNodeHandler()");
  return (req, res, next) => {
    const exchange = new MessageExchange(req as IncomingMessage, res as ServerResponse); // as above
    const { target, pathStart } = exchange;
    if (next && (!isPlain(exchange) || !locatePath(target, 0).isNormal)) return next(); // a `URL` would change it
    if (pathStart === undefined) return send(refuse("invalid-path").answer, exchange, logError);
    const answer = (response: Response | undefined): void => {
      if (response === undefined) return next ? next() : send(refuse("not-found").answer, exchange, logError);
      if (!isResponse(response) || response.status < 200 || !isSendable(response)) {
        throw new TypeError("toNodeHandler(): the handler must return a Response that nothing has read, or undefined");
      }
      const isHead = req.method === "HEAD";
      const report = (error: unknown): void =>
        reportOnly(logError, { error, phase: "stream" }, exchange, () => response);
      const sent = frameNative(response, { name: "the response", isHead, report });
      send(isHead ? toHead(sent) : sent, exchange, logError);
    };
    const fail = (error: unknown): void => {
      const { answer } = refuse("internal-error");
      reportOnly(logError, { error, phase: "handler" }, exchange, answer);
      send(answer, exchange, logError);
    };
    attempt(() => handler(exchange.request), fail, (response) => attempt(() => answer(response), fail));
  };
}
