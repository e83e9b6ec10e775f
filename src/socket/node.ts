/** Connections of Node's servers, by the package `ws` of the application. */
import { describeValue } from "../messages.ts";
import type { Frame } from "../representation/socket.ts";
import { ResultError } from "../server/define/result.ts";
import type { NodeUpgrade, Sockets } from "../server/http/sockets.ts";
import type { Connection } from "./connection.ts";
import type { Link } from "./outbox.ts";
import { createSockets, readSettings, type SocketsOptions } from "./pool.ts";

/** A `WebSocketServer` of the package `ws`, made with `{ noServer: true }`. */
export interface NodeSocketServer {
  /** Answers a handshake. */
  handleUpgrade(request: never, socket: never, head: never, opened: (socket: object, request: object) => void): void;
}

/** The members of a server of `ws` that this module uses. */
interface UpgradeServer {
  readonly options?: { readonly noServer?: boolean; maxPayload?: number };
  handleUpgrade(request: unknown, socket: unknown, head: unknown, opened: (socket: NodeSocket) => void): void;
}

/** The members of a socket of `ws` that this module uses. */
interface NodeSocket {
  readonly bufferedAmount: number;
  on(event: "message", listener: (data: Uint8Array, isBinary: boolean) => void): void;
  on(event: "close", listener: (code: number, reason: Uint8Array) => void): void;
  on(event: "pong", listener: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  send(data: Frame): void;
  close(code: number, reason: string): void;
  ping(): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}

/** What this module uses of a request. */
interface UpgradeRequest {
  readonly headers: Record<string, string | undefined>;
}

/**
 * Opens connections of Node, by a server of the package [`ws`](https://www.npmjs.com/package/ws), for the option `sockets`
 * of `createNodeHandler()`. The handler has the listener to the server's event `upgrade`.
 *
 * @example A server
 * ```ts ignore
 * import { createServer } from "node:http";
 * import { createNodeHandler } from "@scope/api/node";
 * import { nodeSockets } from "@scope/api/socket";
 * import { WebSocketServer } from "ws";
 * import { implementation } from "./app.ts";
 *
 * const sockets = nodeSockets(new WebSocketServer({ noServer: true }));
 * const handler = createNodeHandler(implementation, { sockets });
 * const server = createServer(handler);
 * server.on("upgrade", handler.upgrade);
 * server.listen(8000, "127.0.0.1");
 * ```
 *
 * @throws {TypeError} If the first argument is not a server of `ws` with `noServer: true`, or an option is invalid.
 */
export function nodeSockets(server: NodeSocketServer, options: SocketsOptions = {}): Sockets {
  const wss = checkServer(server);
  const { options: limits = {} } = wss;
  return createSockets(readSettings(options, "nodeSockets()"), {
    needsPings: true,
    upgrade(exchange, connection, { maxMessageBytes }): void {
      const { req, socket, head } = exchange as Partial<NodeUpgrade>; // of the event `upgrade` alone
      if (socket === undefined) {
        throw new ResultError(
          'Cannot open a connection: nodeSockets() needs createNodeHandler(), and server.on("upgrade", handler.upgrade)',
        );
      }
      const { protocol } = connection;
      const { headers } = req as UpgradeRequest;
      headers.upgrade = "websocket"; // `ws` refuses an offer of several protocols
      if (protocol === undefined) delete headers["sec-websocket-protocol"];
      else headers["sec-websocket-protocol"] = protocol; // `ws` would select the first one that is offered
      const { maxPayload } = limits;
      limits.maxPayload = maxMessageBytes; // `ws` reads it when it opens a connection
      try {
        wss.handleUpgrade(req, socket, head, (ws) => connection.opened(new NodeLink(ws, connection)));
      } finally {
        if (maxPayload !== undefined) limits.maxPayload = maxPayload;
      }
    },
  });
}

function checkServer(server: unknown): UpgradeServer {
  const { handleUpgrade, options } = Object(server) as Partial<UpgradeServer>;
  if (typeof handleUpgrade !== "function") {
    throw new TypeError(
      `nodeSockets(): the first argument must be a WebSocketServer of the package ws, got ${describeValue(server)}`,
    );
  }
  if (options && options.noServer !== true) {
    throw new TypeError(
      `nodeSockets(): the WebSocketServer must be made with { noServer: true }, got ${describeValue(options.noServer)}`,
    );
  }
  return server as UpgradeServer; // it has the method
}

/** A connection of `ws`. */
class NodeLink implements Link {
  readonly #ws: NodeSocket;
  /** Whether the client has given a sign since the last question. */
  #isAlive = true;
  /** The code with which `ws` itself has refused what the client sent. It tells 1006. */
  #refused: number | undefined;
  /** Breaks off a connection whose client does not answer a close. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ws: NodeSocket, connection: Connection) {
    this.#ws = ws;
    ws.on("message", (data, isBinary) => {
      this.#isAlive = true;
      connection.received(isBinary ? new Uint8Array(data) : String(data)); // a `Buffer` is one of its pool
    });
    ws.on("pong", () => this.#isAlive = true);
    ws.on("error", (error) => this.#refused = codeOf(error)); // it is followed by a close
    ws.on("close", (code, reason) => {
      clearTimeout(this.#timer);
      connection.closed(this.#refused ?? code, String(reason));
    });
  }

  get bufferedAmount(): number {
    return this.#ws.bufferedAmount;
  }

  send(frame: Frame): void {
    this.#ws.send(frame);
  }

  close(code: number, reason: string): void {
    this.#ws.resume(); // a paused socket does not see the client's close
    this.#ws.close(code, reason);
    this.#timer = setTimeout(() => this.#ws.terminate(), longestClose);
  }

  stopReading(): void {
    this.#ws.pause();
  }

  readOn(): void {
    this.#ws.resume();
  }

  ask(): void {
    if (!this.#isAlive) return this.#ws.terminate();
    this.#isAlive = false;
    this.#ws.ping();
  }
}

/** Returns the code of the close that `ws` sends for an error: 1002 for what breaks the protocol. */
function codeOf(error: unknown): number | undefined {
  const { code }: { readonly code?: unknown } = Object(error);
  if (typeof code !== "string" || !code.startsWith("WS_ERR_")) return undefined;
  return code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH" ? 1009 : code === "WS_ERR_INVALID_UTF8" ? 1007 : 1002;
}

/** How long a close waits for that of the client, in milliseconds. `ws` alone waits 30 seconds. */
const longestClose = 5_000;
