/** Connections of Deno's servers. */
import { ResultError } from "../server/define/result.ts";
import type { Sockets } from "../server/http/sockets.ts";
import { createSockets, readSettings, type SocketsOptions } from "./pool.ts";
import { WebSocketEvents } from "./web_socket.ts";

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
    upgrade({ request }, connection, { idleTimeout }): Response {
      if (typeof Deno === "undefined") {
        throw new ResultError("Cannot open a connection: denoSockets() needs Deno; use the function of this runtime");
      }
      const { protocol } = connection;
      const { socket, response } = Deno.upgradeWebSocket(request, {
        ...(protocol !== undefined && { protocol }),
        idleTimeout: idleTimeout === Infinity ? 0 : Math.ceil(idleTimeout / 1000), // 0 never asks
      });
      new WebSocketEvents(socket, connection);
      return response;
    },
  });
}
