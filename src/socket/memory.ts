/** Connections in memory, for tests without a network. */
import type { Frame } from "../representation/socket.ts";
import type { Sockets } from "../server/http/sockets.ts";
import type { Connection } from "./connection.ts";
import type { Link } from "./outbox.ts";
import { createSockets, describeUpgrade, readSettings, type SocketsOptions } from "./pool.ts";

/** The response to a handshake in memory, with the client's end of the connection, as Workers have it. */
export interface MemoryUpgrade extends Response {
  /** The client's end. */
  readonly webSocket: MemorySocket;
}

/**
 * Opens connections in memory, for tests without a network. The handler answers a handshake, which is an ordinary request
 * with the fields of one, with a response that has the client's end: `webSocket`.
 *
 * @example An echo, without a network
 * ```ts
 * import { defineContract, request, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { memorySockets, type MemoryUpgrade } from "@scope/api/socket";
 * import { assertEquals } from "@std/assert";
 *
 * const texts = response.socket({ fromClient: request.text(), fromServer: response.text() });
 * const contract = defineContract({ routes: { echo: route.get("/echo", { responses: { 101: texts } }) } });
 * const implementation = defineServer(contract).implement({
 *   echo: ({ response }) =>
 *     response(101, async (socket) => {
 *       for await (const text of socket) await socket.send(text);
 *     }),
 * });
 * const handler = createFetchHandler(implementation, { sockets: memorySockets() });
 *
 * const handshake = new Request("http://localhost/echo", {
 *   headers: {
 *     upgrade: "websocket",
 *     connection: "Upgrade",
 *     "sec-websocket-version": "13",
 *     "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
 *   },
 * });
 * const { webSocket } = await handler(handshake) as MemoryUpgrade;
 * const heard = new Promise((resolve) => webSocket.onmessage = ({ data }) => resolve(data));
 * webSocket.accept();
 * webSocket.send("Hello");
 * assertEquals(await heard, "Hello");
 * webSocket.close(1000);
 * ```
 *
 * @throws {TypeError} If an option is invalid.
 */
export function memorySockets(options: SocketsOptions = {}): Sockets {
  return createSockets(readSettings(options, "memorySockets()"), {
    upgrade: (_exchange, connection) =>
      Object.assign(describeUpgrade(connection.protocol), { webSocket: new MemorySocket(connection) }),
  });
}

/**
 * The client's end of a connection in memory: the members of a `WebSocket` that clients use. It is open, and delivers
 * nothing before `accept()`.
 */
export class MemorySocket extends EventTarget {
  /** The selected subprotocol. Empty if there is none. */
  readonly protocol: string;
  /** 1 while it is open, 2 after a close of this side, 3 after the end. */
  readyState = 1;
  /** The type of binary data. It has no other. */
  readonly binaryType = "arraybuffer";
  /** Called with each message: a string, or an `ArrayBuffer`. */
  onmessage: ((event: MessageEvent) => void) | null = null;
  /** Called at the end, once. */
  onclose: ((event: MemoryCloseEvent) => void) | null = null;
  /** Never called: nothing fails in memory. */
  onerror: ((event: Event) => void) | null = null;
  readonly #server: Connection;
  /** What the server has sent, and at the end the close. */
  readonly #arrived: (() => void)[] = [];
  /** The bytes that the server has sent and this side has not received. */
  #unread = 0;
  /** The bytes that this side has sent and the server has not received. */
  #unsent = 0;
  #isAccepted = false;

  /** @internal */
  constructor(server: Connection) {
    super();
    this.#server = server;
    this.protocol = server.protocol ?? "";
    const link: Link = {
      getBufferedAmount: () => this.#unread,
      send: (frame) => this.#push(frame.length, () => this.#receive(frame)),
      close: (code, reason) => this.#push(0, () => this.#finish(code, reason, true)),
    };
    queueMicrotask(() => server.opened(link));
  }

  /** The number of bytes that the server has not received yet. */
  get bufferedAmount(): number {
    return this.#unsent;
  }

  /** Begins to deliver messages, and those that have arrived first. */
  accept(): void {
    if (this.#isAccepted) return;
    this.#isAccepted = true;
    for (let count = this.#arrived.length; count > 0; count--) queueMicrotask(() => this.#arrived.shift()?.());
  }

  /** Sends a message. After a close it is dropped, as by a `WebSocket`. */
  send(data: string | ArrayBuffer | Uint8Array<ArrayBuffer>): void {
    if (this.readyState !== 1) return;
    const frame: Frame = typeof data === "string" ? data : new Uint8Array(data).slice();
    this.#unsent += frame.length;
    queueMicrotask(() => {
      this.#unsent -= frame.length;
      this.#server.received(frame);
    });
  }

  /** Closes the connection. Without a code, the server sees 1005. */
  close(code = 1005, reason = ""): void {
    if (this.readyState === 1) this.#leave(code, reason, true);
  }

  /** Breaks the connection off, as a network does: both sides see 1006. */
  terminate(): void {
    if (this.readyState !== 3) this.#leave(1006, "", false);
  }

  #leave(code: number, reason: string, wasClean: boolean): void {
    this.readyState = 2;
    queueMicrotask(() => this.#server.closed(code, reason));
    queueMicrotask(() => this.#finish(code, reason, wasClean));
  }

  /** Delivers something in a turn of its own, or keeps it until `accept()`. */
  #push(size: number, deliver: () => void): void {
    if (this.readyState === 3) return;
    this.#unread += size;
    this.#arrived.push(() => {
      this.#unread -= size;
      deliver();
    });
    if (this.#isAccepted) queueMicrotask(() => this.#arrived.shift()?.());
  }

  #receive(frame: Frame): void {
    if (this.readyState === 3) return;
    const event = new MessageEvent("message", { data: typeof frame === "string" ? frame : frame.slice().buffer });
    this.onmessage?.(event);
    this.dispatchEvent(event);
  }

  #finish(code: number, reason: string, wasClean: boolean): void {
    if (this.readyState === 3) return;
    const isFirst = this.readyState === 1;
    this.readyState = 3;
    if (isFirst) queueMicrotask(() => this.#server.closed(code, reason));
    const event = Object.assign(new Event("close"), { code, reason, wasClean });
    this.onclose?.(event);
    this.dispatchEvent(event);
  }
}

/** The end of a connection in memory, with the members of a `CloseEvent`, which Node 20 does not have. */
export interface MemoryCloseEvent extends Event {
  /** The code of the side that closed first. 1006 if the connection broke. */
  readonly code: number;
  /** The reason of that side. Empty if there is none. */
  readonly reason: string;
  /** Whether it ended by a close. */
  readonly wasClean: boolean;
}
