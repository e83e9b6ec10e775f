/**
 * The listeners of this process. Each has a queue of limited length. The last messages are kept for listeners that join or
 * reconnect.
 *
 * @module
 */
import type { RoomItem, RoomLimits } from "./room.ts";

type Queue = ReadableStreamDefaultController<RoomItem>;

interface Listener {
  readonly name: string;
  /** The id of the last message that it has received. This process may be behind the one that sent the message. */
  readonly afterId: string;
}

export class Audience {
  readonly #limits: RoomLimits;
  readonly #onChange: () => void;
  readonly #listeners = new Map<Queue, Listener>();
  readonly #said: RoomItem[] = [];
  #isClosed = false;

  /** @param onChange Called when a listener joins or leaves. */
  constructor(limits: RoomLimits, onChange: () => void) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /** The names of the listeners. */
  get names(): string[] {
    return [...new Set(Array.from(this.#listeners.values(), ({ name }) => name))];
  }

  join(name: string, afterId = "0-0"): ReadableStream<RoomItem> {
    let queue: Queue;
    return new ReadableStream<RoomItem>({
      start: (controller) => {
        queue = controller;
        if (this.#isClosed) return queue.close();
        for (const item of this.#said) if (isNew(item, afterId)) queue.enqueue(item);
        this.#listeners.set(queue, { name, afterId });
        this.#onChange();
      },
      cancel: () => {
        if (this.#listeners.delete(queue)) this.#onChange();
      },
    }, new CountQueuingStrategy({ highWaterMark: this.#limits.queue }));
  }

  /** Sends an item to all listeners, and keeps it if it is a message. */
  broadcast(item: RoomItem): void {
    if (item.id !== undefined) this.#keep(item);
    const { size } = this.#listeners;
    for (const [queue, { afterId }] of this.#listeners) {
      if (!isNew(item, afterId)) continue;
      if (queue.desiredSize! > 0) queue.enqueue(item);
      else this.#letGo(queue);
    }
    if (this.#listeners.size < size) this.#onChange();
  }

  close(): void {
    this.#isClosed = true;
    for (const queue of this.#listeners.keys()) this.#letGo(queue);
  }

  #keep(message: RoomItem): void {
    this.#said.push(message);
    if (this.#said.length > this.#limits.history) this.#said.shift();
  }

  /** The listener still reads its queue, then its stream ends, and its client reconnects for the rest. */
  #letGo(queue: Queue): void {
    this.#listeners.delete(queue);
    queue.close();
  }
}

/** Whether an item is newer than a message. Ids are a time and a number, like those of Valkey's streams. */
function isNew({ id }: RoomItem, afterId: string): boolean {
  if (id === undefined) return true;
  const [time = 0, number = 0] = id.split("-").map(Number);
  const [afterTime = 0, afterNumber = 0] = afterId.split("-").map(Number);
  return time === afterTime ? number > afterNumber : time > afterTime;
}
