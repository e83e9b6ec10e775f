/** Connections of Deno's servers. */
import { ResultError } from "../server/define/result.ts";
import type { Sockets } from "../server/http/sockets.ts";
import type { Frame } from "../representation/socket.ts";
import type { Link, LinkEvents } from "./link.ts";
import { createSockets, readSettings, type SocketsOptions } from "./pool.ts";

/** The part of Deno that this module uses, so that other runtimes can type-check it. It is absent there. */
declare const Deno: undefined | {
  upgradeWebSocket(
    request: Request,
    options: { readonly protocol?: string; readonly idleTimeout: number },
  ): { readonly socket: WebSocket; readonly response: Response };
};

/**
 * Opens connections of Deno, for the option `sockets` of `createFetchHandler()`.
 *
 * @example A server with a room
 * ```ts
 * import { defineContract, request, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { denoSockets } from "@scope/api/socket";
 * import { assertEquals } from "@std/assert";
 *
 * const texts = response.socket({ fromClient: request.text(), fromServer: response.text() });
 * const contract = defineContract({ routes: { room: route.get("/room", { responses: { 101: texts } }) } });
 *
 * const members = new Set<(text: string) => void>();
 * const implementation = defineServer(contract).implement({
 *   room: ({ response }) =>
 *     response(101, async (socket) => {
 *       const hear = (text: string) => void socket.send(text);
 *       members.add(hear);
 *       try {
 *         for await (const text of socket) members.forEach((each) => each(text));
 *       } finally {
 *         members.delete(hear);
 *       }
 *     }),
 * });
 *
 * const sockets = denoSockets({ maxMessageBytes: 1_000 });
 * const handler = createFetchHandler(implementation, { sockets });
 * const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
 *
 * const client = new WebSocket(`ws://127.0.0.1:${server.addr.port}/room`);
 * client.onopen = () => client.send("Hello");
 * const heard = await new Promise((resolve) => client.onmessage = ({ data }) => resolve(data));
 * assertEquals([heard, sockets.size], ["Hello", 1]);
 *
 * const closed = new Promise<CloseEvent>((resolve) => client.onclose = resolve);
 * await sockets.shutDown();
 * assertEquals((await closed).code, 1001);
 * await server.shutdown();
 * ```
 *
 * @throws {TypeError} If an option is invalid.
 */
export function denoSockets(options: SocketsOptions = {}): Sockets {
  return createSockets(readSettings(options, "denoSockets()"), {
    showsHandshake: true,
    needsPings: false,
    upgrade({ request }, connection, { protocol, idleTimeout }): Response {
      if (typeof Deno === "undefined") {
        throw new ResultError("Cannot open a connection: denoSockets() needs Deno; use the function of this runtime");
      }
      const seconds = idleTimeout === Infinity ? 0 : Math.ceil(idleTimeout / 1000); // 0 never asks
      const { socket, response } = Deno.upgradeWebSocket(request, {
        ...(protocol !== undefined && { protocol }),
        idleTimeout: seconds,
      });
      new DenoLink(socket, connection);
      return response;
    },
  });
}

/** A connection of Deno. It is one object that listens to all events. */
class DenoLink implements Link, EventListenerObject {
  readonly #socket: WebSocket;
  readonly #events: LinkEvents;

  constructor(socket: WebSocket, events: LinkEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.binaryType = "arraybuffer";
    for (const type of ["open", "message", "close"]) socket.addEventListener(type, this);
  }

  handleEvent(event: Event): void {
    if (event.type === "message") {
      const { data } = event as MessageEvent<string | ArrayBuffer>;
      this.#events.received(typeof data === "string" ? data : new Uint8Array(data));
    } else if (event.type === "open") this.#events.opened(this);
    else if (event.type === "close") {
      const { code, reason } = event as CloseEvent;
      this.#events.closed(code || 1006, reason); // Deno has 0 for a connection that broke
    }
  }

  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  send(frame: Frame): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(frame);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}
