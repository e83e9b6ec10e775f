/** Connections by a `WebSocket`, as Deno and Workers have them. */
import type { Connection } from "./connection.ts";

/** Passes the events of a socket on to its connection. It is one object that listens to all of them. */
export class WebSocketEvents implements EventListenerObject {
  readonly #socket: WebSocket;
  readonly #connection: Connection;

  constructor(socket: WebSocket, connection: Connection) {
    this.#socket = socket;
    this.#connection = connection;
    socket.binaryType = "arraybuffer";
    for (const type of ["open", "message", "close", "error"]) socket.addEventListener(type, this);
  }

  handleEvent(event: Event): void {
    if (event.type === "open") return this.#connection.opened(this.#socket);
    if (event.type === "message") {
      const { data } = event as MessageEvent<string | ArrayBuffer>;
      return this.#connection.received(typeof data === "string" ? data : new Uint8Array(data));
    }
    const { code, reason = "" } = event as Partial<CloseEvent>; // an error has neither
    const isBroken = !code || code === 1006; // Deno has 0
    if (event.type === "close") this.#answer(isBroken || code === 1005 ? 1000 : code);
    this.#connection.closed(isBroken ? 1006 : code, isBroken ? "" : reason); // Workers have a sentence for it
  }

  /** Answers the close of a client, which Workers do not do by themselves. */
  #answer(code: number): void {
    try {
      this.#socket.close(code, "");
    } catch { // it is closed
    }
  }
}
