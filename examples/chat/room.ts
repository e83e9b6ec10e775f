/**
 * A room, wherever it keeps its messages: in the memory of one process (memory_room.ts), or in Valkey for several
 * (valkey_room.ts). It knows nothing of HTTP.
 *
 * @module
 */
import { type SentEvent } from "@scope/api";
import { type RoomEvent } from "./contract.ts";

/** What a listener reads. A message has an id, by which a listener that comes back says what it has seen. */
export type RoomItem = SentEvent<RoomEvent>;

export interface Room {
  /** Adds a message, unless it has one with that key. Returns whether it has it now; if not, a caller may try again. */
  say(author: string, text: string, key?: string): boolean | Promise<boolean>;
  /** The messages after an id, or all that are kept, then what happens. Whoever cancels the stream leaves the room. */
  listen(name: string, afterId?: string): ReadableStream<RoomItem>;
  /** Tells the others that someone is typing. */
  type(name: string): void;
  /** Called with the name of whoever is typing. */
  onTyping: (name: string) => void;
  /** Ends all streams of `listen()`, later ones at once, so that listeners go to another process. */
  close(): void | Promise<void>;
}

export interface RoomLimits {
  /** How many messages are kept for those who come, or come back. */
  readonly history: number;
  /** How many events a listener may leave unread; a slower one is let go, and may come back. */
  readonly queue: number;
}

export const usualLimits: RoomLimits = { history: 200, queue: 400 };
