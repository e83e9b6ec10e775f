/** Connections of Cloudflare Workers. */
import { describeValue } from "../messages.ts";
import type { Frame } from "../representation/socket.ts";
import { ResultError } from "../server/define/result.ts";
import type { Sockets } from "../server/http/sockets.ts";
import type { Connection } from "./connection.ts";
import type { Link } from "./link.ts";
import { createSockets, readSettings, type SocketsOptions } from "./pool.ts";

/** The class of Workers that creates both ends of a connection. It is absent elsewhere. */
declare const WebSocketPair: undefined | (new () => { readonly 0: WorkerSocket; readonly 1: WorkerSocket });

/** An end of a connection of Workers. */
interface WorkerSocket extends WebSocket {
  accept(): void;
}

/** The options of {@linkcode workersSockets}. Workers have no timers or pings that outlive a request. */
export interface WorkersSocketsOptions extends Omit<SocketsOptions, "idleTimeout" | "keepAlive"> {}

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
  for (const name of ["idleTimeout", "keepAlive"] as const) {
    const { [name]: value } = options as SocketsOptions; // the types leave them out
    if (value === undefined) continue;
    throw new TypeError(
      `${where}: "${name}" must be omitted, because Workers have no timers outside of a request, got ${
        describeValue(value)
      }`,
    );
  }
  return createSockets(readSettings(options, where), {
    showsHandshake: false,
    needsPings: false,
    upgrade(_exchange, connection, { protocol }): Response {
      if (typeof WebSocketPair === "undefined") {
        throw new ResultError(
          "Cannot open a connection: workersSockets() needs Workers; use the function of this runtime",
        );
      }
      const { 0: client, 1: server } = new WebSocketPair();
      const headers = new Headers();
      if (protocol !== undefined) headers.set("sec-websocket-protocol", protocol);
      const response = new Response(null, { status: 101, webSocket: client, headers } as ResponseInit); // of Workers
      server.accept();
      const link = new WorkerLink(server, connection);
      queueMicrotask(() => connection.opened(link)); // when the response is on its way
      return response;
    },
  });
}

/** A connection of Workers. It is one object that listens to all events. */
class WorkerLink implements Link {
  readonly #socket: WorkerSocket;
  /** Workers do not tell. */
  readonly buffered = 0;

  constructor(socket: WorkerSocket, connection: Connection) {
    this.#socket = socket;
    socket.addEventListener(
      "message",
      ({ data }: MessageEvent<string | ArrayBuffer>) =>
        connection.received(typeof data === "string" ? data : new Uint8Array(data)),
    );
    socket.addEventListener("close", ({ code, reason }) => {
      this.close(code === 1005 || code === 1006 ? 1000 : code, ""); // Workers do not answer a close by themselves
      connection.closed(code, code === 1006 ? "" : reason); // Workers have a sentence for a connection that broke
    });
    socket.addEventListener("error", () => connection.closed(1006, ""));
  }

  send(frame: Frame): void {
    try {
      this.#socket.send(frame);
    } catch { // the client has left, and its event is on its way
    }
  }

  close(code: number, reason: string): void {
    try {
      this.#socket.close(code, reason);
    } catch { // it is closed
    }
  }
}
