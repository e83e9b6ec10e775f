/**
 * A room in the memory of one process.
 *
 * @module
 */
import { Audience } from "./audience.ts";
import { type Room, type RoomItem, type RoomLimits, usualLimits } from "./room.ts";

export class MemoryRoom implements Room {
  readonly #limits: RoomLimits;
  readonly #audience: Audience;
  readonly #keys: string[] = []; // the keys of the last messages
  #lastId = Date.now(); // so that ids still increase after a restart
  onTyping: (name: string) => void = () => {};

  constructor(limits: RoomLimits = usualLimits) {
    this.#limits = limits;
    this.#audience = new Audience(limits, () => this.#showPeople());
  }

  say(author: string, text: string, key: string = crypto.randomUUID()): boolean {
    if (this.#keys.includes(key)) return true;
    this.#keys.push(key);
    if (this.#keys.length > this.#limits.history) this.#keys.shift();
    this.#audience.broadcast({ id: `${++this.#lastId}-0`, data: { type: "message", author, text, at: new Date() } });
    return true;
  }

  listen(name: string, afterId?: string): ReadableStream<RoomItem> {
    return this.#audience.join(name, afterId);
  }

  type(name: string): void {
    this.onTyping(name);
  }

  close(): void {
    this.#audience.close();
  }

  #showPeople(): void {
    this.#audience.broadcast({ data: { type: "people", names: this.#audience.names.sort() } });
  }
}
