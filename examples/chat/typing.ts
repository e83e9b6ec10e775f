/**
 * Who is writing just now, over WebSockets: whatever a socket sends means that its owner does, and the others are sent the name.
 *
 * @module
 */
import { type Room } from "./room.ts";

const maxUnsentBytes = 1024; // a name that comes late is of no use

export class Typing {
  readonly #room: Room;
  readonly #sockets = new Map<WebSocket, string>();

  constructor(room: Room) {
    this.#room = room;
    room.onTyping = (name) => this.#tellOthers(name);
  }

  /** The native response that makes a request a WebSocket, or `undefined` for a request that asks for none. */
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
