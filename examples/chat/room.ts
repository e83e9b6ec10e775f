/**
 * The room: who is there, what was said last, and for each listener a queue that cannot grow without end. It knows nothing
 * of HTTP.
 *
 * @module
 */
import { type SentEvent } from "@scope/api";
import { type RoomEvent } from "./contract.ts";

/** What a listener reads: messages have an id, by which a listener that comes back says what it has seen. */
export type RoomItem = SentEvent<RoomEvent>;

type Listener = ReadableStreamDefaultController<RoomItem>;

export interface RoomLimits {
  /** How many messages are kept for those who come, or come back. */
  readonly history: number;
  /** How many events a listener may leave unread; a slower one is let go, and may come back. */
  readonly queue: number;
}

export class Room {
  readonly #limits: RoomLimits;
  readonly #listeners = new Map<Listener, string>();
  readonly #said: RoomItem[] = [];
  #lastId = Date.now(); // so that ids go on growing when the server is started again

  constructor(limits: RoomLimits = { history: 200, queue: 400 }) {
    this.#limits = limits;
  }

  say(author: string, text: string): void {
    const item = { id: String(++this.#lastId), data: { type: "message", author, text, at: new Date() } } as const;
    this.#said.push(item);
    if (this.#said.length > this.#limits.history) this.#said.shift();
    this.#broadcast(item);
  }

  /** What was said after a message, or all that is kept, and then what happens. Whoever cancels the stream leaves the room. */
  listen(name: string, afterId = 0): ReadableStream<RoomItem> {
    let listener: Listener;
    return new ReadableStream<RoomItem>({
      start: (controller) => {
        listener = controller;
        for (const item of this.#said) if (Number(item.id) > afterId) listener.enqueue(item);
        this.#listeners.set(listener, name);
        this.#tellWhoIsThere();
      },
      cancel: () => {
        if (this.#listeners.delete(listener)) this.#tellWhoIsThere();
      },
    }, new CountQueuingStrategy({ highWaterMark: this.#limits.queue }));
  }

  #tellWhoIsThere(): void {
    const names = [...new Set(this.#listeners.values())].sort();
    this.#broadcast({ data: { type: "people", names } });
  }

  #broadcast(item: RoomItem): void {
    const { size } = this.#listeners;
    for (const listener of this.#listeners.keys()) {
      if (listener.desiredSize! > 0) listener.enqueue(item);
      else this.#letGo(listener);
    }
    if (this.#listeners.size < size) this.#tellWhoIsThere();
  }

  /** It still reads what is in its queue, and then the end, at which its client comes back for the rest. */
  #letGo(listener: Listener): void {
    this.#listeners.delete(listener);
    listener.close();
  }
}
