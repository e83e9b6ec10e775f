/**
 * Who is typing, over WebSockets. Any message of a socket means that its owner is typing, and the others receive the name.
 *
 * @module
 */
import type { Room } from "./room.ts";

const maxUnsentBytes = 1024; // a late name is useless

export class Typing {
  readonly #room: Room;
  readonly #sockets = new Map<WebSocket, string>();

  constructor(room: Room) {
    this.#room = room;
    room.onTyping = (name) => this.#tellOthers(name);
  }

  /** Returns the native response that upgrades a request to a WebSocket, or `undefined` if the request is not an upgrade. */
  join(request: Request, name: string): Response | undefined {
    const upgrade = tryUpgrade(request);
    if (!upgrade) return undefined;
    const { socket, response } = upgrade;
    socket.onopen = () => this.#sockets.set(socket, name);
    socket.onclose = () => this.#sockets.delete(socket);
    socket.onmessage = () => this.#room.type(name);
    return response;
  }

  #tellOthers(typing: string): void {
    for (const [socket, name] of this.#sockets) {
      if (name === typing || socket.readyState !== WebSocket.OPEN) continue;
      if (socket.bufferedAmount < maxUnsentBytes) socket.send(typing);
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
