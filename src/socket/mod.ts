/**
 * Opens WebSockets for the routes that declare them: the option `sockets` of the adapters, for each runtime.
 *
 * @module
 */
export { denoSockets } from "./deno.ts";
export { nodeSockets, type NodeSocketServer } from "./node.ts";
export { type BunHandlers, type BunSockets, bunSockets } from "./bun.ts";
export { workersSockets, type WorkersSocketsOptions } from "./workers.ts";
export { type MemoryCloseEvent, type MemorySocket, memorySockets, type MemoryUpgrade } from "./memory.ts";
export type { CloseReport, OnClose } from "./connection.ts";
export type { SocketsOptions } from "./pool.ts";
export type { Sockets } from "../server/http/sockets.ts";
export type { RouteInfo } from "../server/define/call.ts";
export type { CheckedItem } from "../contract/request.ts";
export type { Conversation, ServerSocket } from "../contract/socket.ts";
export type { Issue } from "../schema.ts";
