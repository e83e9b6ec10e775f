/** Connections of Cloudflare Workers. */
import { ResultError } from "../server/define/result.ts";
import type { Sockets } from "../server/http/sockets.ts";
import { createSockets, readSettings, type SocketsOptions } from "./pool.ts";
import { WebSocketEvents } from "./web_socket.ts";
import { checkRules, type ValueRule } from "../options.ts";

/** The class of Workers that creates both ends of a connection. It is absent elsewhere. */
declare const WebSocketPair: undefined | (new () => { readonly 0: WorkerSocket; readonly 1: WorkerSocket });

/** An end of a connection of Workers. */
interface WorkerSocket extends WebSocket {
  accept(): void;
}

/** The options of {@linkcode workersSockets}. Workers have no timers or pings that outlive a request. */
export interface WorkersSocketsOptions extends Omit<SocketsOptions, "idleTimeout" | "keepAlive"> {}

const omitted: ValueRule = ["omitted, because Workers have no timers outside of a request", () => false];

/**
 * Opens connections of Cloudflare Workers, for the option `sockets` of `createFetchHandler()`. What several connections
 * share belongs into a Durable Object: the I/O of one request is closed to others.
 *
 * @example A Worker
 * ```ts ignore
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { workersSockets } from "@scope/api/socket";
 * import { implementation } from "./app.ts";
 *
 * export default { fetch: createFetchHandler(implementation, { sockets: workersSockets() }) };
 * ```
 *
 * @throws {TypeError} If an option is invalid.
 */
export function workersSockets(options: WorkersSocketsOptions = {}): Sockets {
  const where = "workersSockets()";
  checkRules(Object(options), { idleTimeout: omitted, keepAlive: omitted }, where); // the types leave them out
  return createSockets(readSettings(options, where), {
    hidesHandshake: true,
    upgrade(_exchange, connection): Response {
      if (typeof WebSocketPair === "undefined") {
        throw new ResultError(
          "Cannot open a connection: workersSockets() needs Workers; use the function of this runtime",
        );
      }
      const { 0: client, 1: server } = new WebSocketPair();
      const { protocol } = connection;
      const headers: HeadersInit = protocol === undefined ? {} : { "sec-websocket-protocol": protocol };
      const response = new Response(null, { status: 101, webSocket: client, headers } as ResponseInit); // of Workers
      server.accept();
      new WebSocketEvents(server, connection);
      queueMicrotask(() => connection.opened(server)); // when the response is on its way
      return response;
    },
  });
}
