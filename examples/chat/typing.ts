/**
 * Who is writing just now, over WebSockets: whatever a socket sends means that its owner does, and the others are sent the name.
 *
 * @module
 */

const maxUnsentBytes = 1024; // a name that comes late is of no use

export class Typing {
  readonly #sockets = new Set<WebSocket>();

  /** The native response that makes a request a WebSocket, or `undefined` for a request that asks for none. */
  join(request: Request, name: string): Response | undefined {
    const upgrade = tryUpgrade(request);
    if (!upgrade) return undefined;
    const { socket, response } = upgrade;
    socket.onopen = () => this.#sockets.add(socket);
    socket.onclose = () => this.#sockets.delete(socket);
    socket.onmessage = () => this.#tellOthers(socket, name);
    return response;
  }

  #tellOthers(typing: WebSocket, name: string): void {
    for (const socket of this.#sockets) {
      if (socket === typing || socket.readyState !== WebSocket.OPEN) continue;
      if (socket.bufferedAmount < maxUnsentBytes) socket.send(name);
    }
  }
}

function tryUpgrade(request: Request): Deno.WebSocketUpgrade | undefined {
  try {
    return Deno.upgradeWebSocket(request);
  } catch {
    return undefined;
  }
}
