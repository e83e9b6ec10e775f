/** WebSockets to a handler in the same process, for tests without a network. */
import type { Awaitable } from "../../awaitable.ts";
import type { OpenWebSocket } from "./options.ts";
import { abnormal, type Ending, type WebSocketLike } from "./transport.ts";

/** One end of a connection that a handler with `memorySockets()` accepted, as its response carries it. */
interface AcceptedSocket extends WebSocketLike {
  /** Begins to deliver messages. */
  accept(): void;
}

/**
 * Opens WebSockets to a fetch handler in this process: the option `open` of {@linkcode connect}. The handler needs
 * `memorySockets()` of `@scope/api/socket`.
 *
 * @example A test without a network
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { connect, openInMemory } from "@scope/api/connect";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { memorySockets } from "@scope/api/socket";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     echo: route.get("/echo", {
 *       responses: { 101: response.socket({ fromClient: type("string"), fromServer: type("string") }) },
 *     }),
 *   },
 * });
 * const server = defineServer(contract);
 * const implementation = server.implement({
 *   echo: ({ response }) =>
 *     response(101, async (socket) => {
 *       for await (const message of socket) await socket.send(message.toUpperCase());
 *     }),
 * });
 * const handler = createFetchHandler(implementation, { sockets: memorySockets() });
 * const client = createClient(contract, { baseUrl: "https://api.example.com", fetch: handler });
 *
 * const echo = connect(client.echo, {}, { open: openInMemory(handler) });
 * echo.send("hello");
 * assertEquals(await echo.next(), { done: false, value: "HELLO" });
 * echo.close();
 * await echo.closed;
 * ```
 */
export function openInMemory(handler: (request: Request) => Awaitable<Response>): OpenWebSocket {
  return (url, protocols, { headers }) => new MemoryWebSocket(handler, toHandshakeRequest(url, protocols, headers));
}

/** Returns the request of a handshake (RFC 6455, section 4.1). */
function toHandshakeRequest(url: string, protocols: readonly string[], headers: Record<string, string>): Request {
  const fields = {
    ...headers,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))),
    ...(protocols.length > 0 && { "sec-websocket-protocol": protocols.join(", ") }),
  };
  return new Request(url.replace(/^ws/, "http"), { headers: fields });
}

/** A `WebSocket` whose other end is a handler. */
class MemoryWebSocket implements WebSocketLike {
  binaryType = "arraybuffer";
  readonly #events = new EventTarget();
  #accepted: AcceptedSocket | undefined;
  #isClosed = false;

  constructor(handler: (request: Request) => Awaitable<Response>, request: Request) {
    this.#open(handler, request);
  }

  get bufferedAmount(): number {
    return this.#accepted?.bufferedAmount ?? 0;
  }

  get readyState(): number {
    return this.#isClosed ? 3 : this.#accepted?.readyState ?? 0;
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#accepted?.send(data);
  }

  close(code?: number, reason?: string): void {
    if (this.#accepted) this.#accepted.close(code, reason);
    else this.#fail();
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#events.addEventListener(type, listener as EventListener); // #dispatch() adds the members that it reads
  }

  async #open(handler: (request: Request) => Awaitable<Response>, request: Request): Promise<void> {
    let response: Response & { readonly webSocket?: AcceptedSocket };
    try {
      response = await handler(request);
    } catch {
      return this.#fail();
    }
    const { webSocket } = response;
    if (!webSocket) {
      response.body?.cancel();
      return this.#fail();
    }
    webSocket.addEventListener("message", ({ data }) => this.#dispatch("message", { data }));
    webSocket.addEventListener("close", (ending) => this.#end(ending));
    webSocket.accept();
    if (this.#isClosed) return webSocket.close(1000); // it was left during the handshake
    this.#accepted = webSocket;
    this.#dispatch("open", {});
  }

  #fail(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#dispatch("error", {});
    this.#end({ code: abnormal, reason: "" });
  }

  #end({ code, reason }: Ending): void {
    this.#isClosed = true;
    this.#dispatch("close", { code, reason });
  }

  #dispatch(type: string, members: object): void {
    this.#events.dispatchEvent(Object.assign(new Event(type), members));
  }
}
