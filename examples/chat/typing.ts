/**
 * Who is typing, over WebSockets. A message of a socket means that its owner is typing, and the others receive the name.
 *
 * @module
 */
import type { ServerSocket } from "@scope/api";
import type { Room } from "./room.ts";

type TypingSocket = ServerSocket<{ readonly isTyping: true }, { readonly name: string }>;

export class Typing {
  readonly #room: Room;
  readonly #sockets = new Map<TypingSocket, string>();

  constructor(room: Room) {
    this.#room = room;
    room.onTyping = (name) => this.#tellOthers(name);
  }

  /** Runs while the connection of a person is open. */
  async join(name: string, socket: TypingSocket): Promise<void> {
    this.#sockets.set(socket, name);
    try {
      for await (const _ of socket) this.#room.type(name);
    } finally {
      this.#sockets.delete(socket);
    }
  }

  #tellOthers(typing: string): void {
    for (const [socket, name] of this.#sockets) if (name !== typing) void socket.send({ name: typing });
  }
}
