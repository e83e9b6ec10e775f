/**
 * Logs on Node's servers, with `ws`, and a client of others. Prints the ports, and then what the client saw of the servers
 * at the URLs of the arguments.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createNodeHandler } from "@scope/api/node";
import { nodeSockets } from "@scope/api/socket";
// @ts-types="@types/ws"
import { WebSocket, WebSocketServer } from "ws";
import { cases, readLog, serveLog } from "./log.ts";

const servers = cases.map(([schedule]) => {
  const createSockets = () => nodeSockets(new WebSocketServer({ noServer: true }));
  const { handler } = serveLog(schedule, createSockets, createNodeHandler);
  const server = createServer((request, response) => handler()(request, response));
  server.on("upgrade", (request, socket, head) => handler().upgrade(request, socket, head));
  return server.listen(0, "127.0.0.1");
});
await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
console.log(`ports ${servers.map((server) => (server.address() as AddressInfo).port).join(" ")}`);

const transcripts = await Promise.all(process.argv.slice(2).map((baseUrl) => readLog(baseUrl, undefined, WebSocket)));
console.log(`transcripts ${JSON.stringify(transcripts)}`);
process.on("SIGTERM", () => process.exit());
