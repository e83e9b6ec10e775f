/** WebSockets to a handler in the same process, for tests without a network. */
import { attempt, type Awaitable, ignore } from "../../awaitable.ts";
import { aFunction, checkRule } from "../../options.ts";
import type { OpenWebSocket } from "./options.ts";
import { abnormal, type ConnectionEnding, type WebSocketLike } from "./transport.ts";

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
 *
 * @throws {TypeError} If the handler is not a function.
 */
export function openInMemory(handler: (request: Request) => Awaitable<Response>): OpenWebSocket {
  checkRule(handler, "the handler", aFunction, "openInMemory()");
  return (url, protocols, { headers }) => {
    const socket: object = new MemoryWebSocket(handler, toHandshakeRequest(url, protocols, headers));
    return socket as WebSocketLike; // #dispatch() adds the members of events that listeners read
  };
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
class MemoryWebSocket extends EventTarget implements Omit<WebSocketLike, "addEventListener"> {
  binaryType = "arraybuffer";
  #accepted: AcceptedSocket | undefined;
  #isClosed = false;

  constructor(handler: (request: Request) => Awaitable<Response>, request: Request) {
    super();
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

  async #open(handler: (request: Request) => Awaitable<Response>, request: Request): Promise<void> {
    const response = await attempt(() => handler(request), ignore);
    const { webSocket, body } = (response ?? {}) as Partial<Response> & { readonly webSocket?: AcceptedSocket };
    if (!webSocket) {
      body?.cancel();
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

  #end({ code, reason }: ConnectionEnding): void {
    this.#isClosed = true;
    this.#dispatch("close", { code, reason });
  }

  #dispatch(type: string, members: object): void {
    this.dispatchEvent(Object.assign(new Event(type), members));
  }
}
