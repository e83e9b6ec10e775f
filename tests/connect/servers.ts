/** Servers of WebSockets, written by hand. */

/** The request of a handshake. */
export interface HandshakeRequest {
  readonly url: string;
  readonly headers: Headers;
}

/** What a server does with an open connection. */
export type Serve = (socket: WebSocket, request: HandshakeRequest) => void;

/** A server that can be stopped and started again on the same port. */
export interface SocketServer extends AsyncDisposable {
  readonly url: string;
  /** Stops it: open connections are cut off without a close frame. */
  readonly stop: () => Promise<void>;
  readonly start: () => void;
}

/**
 * Serves WebSockets on a free port. `serve` is called for each open one. What is no handshake receives 426.
 *
 * @param refuse Returns the response for a request that is refused.
 */
export function serveSockets(
  serve: Serve,
  refuse: (request: Request) => Response | undefined | Promise<Response | undefined> = () => undefined,
): SocketServer {
  let port = 0;
  let server: Deno.HttpServer<Deno.NetAddr>;
  let open = new Set<WebSocket>();
  const start = (): void => {
    server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, async (request) => {
      const refused = await refuse(request);
      if (refused) return refused;
      if (request.headers.get("upgrade") !== "websocket") return new Response(null, { status: 426 });
      const handshake = { url: request.url, headers: new Headers(request.headers) }; // they are gone once it is answered
      const [protocol] = request.headers.get("sec-websocket-protocol")?.split(",") ?? [];
      const { socket, response } = Deno.upgradeWebSocket(request, protocol === undefined ? {} : { protocol });
      open.add(socket);
      socket.addEventListener("open", () => serve(socket, handshake));
      socket.addEventListener("close", () => open.delete(socket));
      return response;
    });
    ({ port } = server.addr);
  };
  const stop = async (): Promise<void> => {
    const left = [...open];
    open = new Set();
    const closed = left.map((socket) =>
      new Promise((resolve) => {
        if (socket.readyState === WebSocket.CLOSED) resolve(undefined);
        else socket.addEventListener("close", resolve);
      })
    );
    for (const socket of left) socket.close(1001);
    await Promise.all(closed);
    await server.shutdown();
  };
  start();
  return { url: `http://127.0.0.1:${port}`, start, stop, [Symbol.asyncDispose]: stop };
}

/** Serves WebSockets over TCP: it completes each handshake, and then sends these bytes and ends the connection. */
export async function serveBytes(
  answers: readonly Uint8Array<ArrayBuffer>[],
  use: (url: string) => Promise<void>,
): Promise<void> {
  let answered = 0;
  await serveRaw(async (connection) => {
    await connection.write(answers[answered++] ?? new Uint8Array());
  }, use);
}

/** Serves WebSockets over TCP: it completes each handshake, and calls a function with the connection, which then ends. */
export async function serveRaw(
  serve: (connection: Deno.Conn) => Promise<void>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    for await (const connection of listener) {
      await completeHandshake(connection);
      await serve(connection);
      connection.close();
    }
  })();
  await use(`http://127.0.0.1:${listener.addr.port}`);
  listener.close();
  await serving;
}

async function completeHandshake(connection: Deno.Conn): Promise<void> {
  const head = new Uint8Array(4096);
  const length = await connection.read(head) ?? 0;
  const [, key] = /^sec-websocket-key: (.*)$/im.exec(new TextDecoder().decode(head.subarray(0, length))) ?? [];
  const digest = await crypto.subtle.digest(
    "SHA-1",
    new TextEncoder().encode(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`),
  );
  const fields = [
    "HTTP/1.1 101 Switching Protocols",
    "connection: upgrade",
    "upgrade: websocket",
    `sec-websocket-accept: ${new Uint8Array(digest).toBase64()}`,
  ];
  await connection.write(new TextEncoder().encode(`${fields.join("\r\n")}\r\n\r\n`));
}
