/** Connections of Bun's servers. */
import { ResultError } from "../server/define/result.ts";
import type { Sockets } from "../server/http/sockets.ts";
import type { Connection } from "./connection.ts";
import type { Link } from "./outbox.ts";
import { createSockets, readSettings, type SocketsOptions } from "./pool.ts";

/** The option `sockets` of Bun, with the handlers of its server. */
export interface BunSockets extends Sockets {
  /** The option `websocket` of `Bun.serve()`. */
  readonly websocket: BunHandlers;
}

/** The handlers that Bun calls for all connections of a server, and its settings. */
export interface BunHandlers {
  /** Called when a connection is open. */
  open(socket: never): void;
  /** Called with each message. */
  message(socket: never, message: string | Uint8Array): void;
  /** Called at the end of a connection. */
  close(socket: never, code: number, reason: string): void;
  /** The most bytes of a message. Longer ones break the connection off, so that it is above `maxMessageBytes`. */
  readonly maxPayloadLength: number;
  /** The seconds without a sign of a client. */
  readonly idleTimeout: number;
  /** Whether Bun asks silent clients for a sign. */
  readonly sendPings: true;
  /** The most bytes that wait in a connection. */
  readonly backpressureLimit: number;
}

/** The members of a connection of Bun that this module uses. */
interface BunSocket extends Link {
  readonly data: { readonly connection: Connection };
}

/** The members of a server of Bun that this module uses. */
interface BunServer {
  upgrade(request: Request, options: { readonly data: BunSocket["data"]; readonly headers: Headers }): boolean;
}

/**
 * Opens connections of Bun, for the option `sockets` of `createFetchHandler()`. The server needs its handlers, too.
 *
 * @example A server
 * ```ts ignore
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { bunSockets } from "@scope/api/socket";
 * import { implementation } from "./app.ts";
 *
 * const sockets = bunSockets();
 * const handler = createFetchHandler(implementation, { sockets });
 * Bun.serve({ hostname: "127.0.0.1", port: 8000, fetch: handler, websocket: sockets.websocket });
 * ```
 *
 * @throws {TypeError} If an option is invalid.
 */
export function bunSockets(options: SocketsOptions = {}): BunSockets {
  const settings = readSettings(options, "bunSockets()");
  const websocket = {
    open: (socket: BunSocket) => socket.data.connection.opened(socket),
    message: (socket: BunSocket, message: string | Uint8Array) =>
      socket.data.connection.received(typeof message === "string" ? message : new Uint8Array(message)), // a `Buffer`
    close: ({ data }: BunSocket, code: number, reason: string) => data.connection.closed(code, reason),
    maxPayloadLength: Math.max(largestPayload, settings.maxMessageBytes + 1),
    idleTimeout: toSeconds(settings.idleTimeout),
    sendPings: true,
    backpressureLimit: settings.maxBufferedBytes * 2 + largestPayload, // Bun drops messages above it
  } as const;
  return createSockets(settings, {
    upgrade(exchange, connection): void {
      const { runtime: [server] = [] } = exchange as { readonly runtime?: readonly unknown[] }; // of the fetch adapter
      if (typeof (server as Partial<BunServer> | undefined)?.upgrade !== "function") {
        throw new ResultError(
          "Cannot open a connection: bunSockets() needs the second argument of Bun; pass the handler of " +
            "createFetchHandler() to Bun.serve({ fetch: handler, websocket: sockets.websocket })",
        );
      }
      const headers = new Headers({ "sec-websocket-protocol": connection.protocol ?? "" }); // Bun would send the first offered one
      const data = { connection };
      if (!(server as BunServer).upgrade(exchange.request, { data, headers })) throw new TypeError("Bun refuses it");
    },
  }, { websocket });
}

/** The largest message that Bun passes on, in bytes: the server closes with 1009 after smaller ones. */
const largestPayload = 1_048_576;

/** Returns the seconds of Bun's timeout: 0 for none, or 8 to 960. */
function toSeconds(milliseconds: number): number {
  return milliseconds === Infinity ? 0 : Math.min(Math.max(Math.ceil(milliseconds / 1000), 8), 960);
}
