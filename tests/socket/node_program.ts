/**
 * The API of sockets on Node's server, with `ws`. Prints the ports of it and of two others: one whose second listener
 * answers what the API leaves, and one with the same listener twice.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createNodeHandler } from "@scope/api/node";
import { nodeSockets } from "@scope/api/socket";
// @ts-types="@types/ws"
import { WebSocketServer } from "ws";
import { createApi } from "./api.ts";

const { implementation, onError, onClose } = createApi(() => sockets.size);
const idleTimeout = Number(process.argv[2]);
const sockets = nodeSockets(new WebSocketServer({ noServer: true, maxPayload: 1_000_000 }), { idleTimeout, onClose });
const handler = createNodeHandler(implementation, { sockets, onError });
const server = createServer(handler);
const shared = createServer(handler);
const doubled = createServer(handler);
for (const each of [server, shared, doubled, doubled]) each.on("upgrade", handler.upgrade);
shared.on("upgrade", (req, socket) => {
  if (req.url === "/other") socket.end("HTTP/1.1 299 Other\r\n\r\n");
});
const servers = [server, shared, doubled];
await Promise.all(servers.map((each) => new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve))));
console.log(`ports ${servers.map((each) => (each.address() as AddressInfo).port).join(" ")}`);
process.on("SIGTERM", async () => {
  await sockets.shutDown();
  for (const each of servers) {
    each.close();
    each.closeAllConnections();
  }
});
