/**
 * The listeners of this process. Each has a queue of limited length, and the last messages are kept for those who come, or
 * come back.
 *
 * @module
 */
import { type RoomItem, type RoomLimits } from "./room.ts";

type Queue = ReadableStreamDefaultController<RoomItem>;

interface Listener {
  readonly name: string;
  /** The last message that it has seen. This process may be behind the one that sent it. */
  readonly afterId: string;
}

export class Audience {
  readonly #limits: RoomLimits;
  readonly #onChange: () => void;
  readonly #listeners = new Map<Queue, Listener>();
  readonly #said: RoomItem[] = [];
  #isClosed = false;

  /** @param onChange Called when someone has joined or left. */
  constructor(limits: RoomLimits, onChange: () => void) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /** Who is here. */
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

  /** Sends an item to everyone, and keeps it if it is a message. */
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

  /** It still reads what is in its queue, and then the end, at which its client comes back for the rest. */
  #letGo(queue: Queue): void {
    this.#listeners.delete(queue);
    queue.close();
  }
}

/** Whether an item comes after a message. Ids are a time and a number, as those of Valkey's streams. */
function isNew({ id }: RoomItem, afterId: string): boolean {
  if (id === undefined) return true;
  const [time = 0, number = 0] = id.split("-").map(Number);
  const [afterTime = 0, afterNumber = 0] = afterId.split("-").map(Number);
  return time === afterTime ? number > afterNumber : time > afterTime;
}
