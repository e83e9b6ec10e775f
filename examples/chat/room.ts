/**
 * A room, without any HTTP. It stores its messages in the memory of one process (memory_room.ts), or in Valkey for several
 * processes (valkey_room.ts).
 *
 * @module
 */
import type { SentEvent } from "@scope/api";
import type { RoomEvent } from "./contract.ts";

/** An item that a listener reads. A listener that reconnects sends the id of its last message. */
export type RoomItem = SentEvent<RoomEvent>;

export interface Room {
  /** Adds a message, unless there is one with that key. Returns whether the room has it now; if not, the caller may retry. */
  say(author: string, text: string, key?: string): boolean | Promise<boolean>;
  /** Returns the messages after an id, or all that are kept, and then new events. Cancelling the stream leaves the room. */
  listen(name: string, afterId?: string): ReadableStream<RoomItem>;
  /** Notifies the others that a person is typing. */
  type(name: string): void;
  /** Called with the name of a person who is typing. */
  onTyping: (name: string) => void;
  /** Ends all streams of `listen()`, and later ones immediately, so that listeners connect to another process. */
  close(): void | Promise<void>;
}

export interface RoomLimits {
  /** How many messages are kept for listeners that join or reconnect. */
  readonly history: number;
  /** How many unread events a listener may have. A slower one is disconnected, and may reconnect. */
  readonly queue: number;
}

export const usualLimits: RoomLimits = { history: 200, queue: 400 };
