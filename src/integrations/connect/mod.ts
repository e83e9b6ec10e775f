/**
 * Connections of clients, on which both sides send messages: WebSockets that reconnect.
 *
 * @module
 */
export { type Closed, connect, type Connection, type ConnectionOf, type ConnectionState } from "./connect.ts";
export { openInMemory } from "./memory.ts";
export type { Connected, ConnectOptions, Disconnected, OpenWebSocket } from "./options.ts";
export type { WebSocketLike } from "./transport.ts";
