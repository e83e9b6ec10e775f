/** The messages of a client that have arrived, until something reads them. */
import type { Frame } from "../representation/socket.ts";

/** A queue of frames, and of those who wait for one. */
export class Inbox {
  readonly #frames: Frame[] = [];
  #readers: ((frame: Frame | undefined) => void)[] = none;
  #isEnded = false;
  /** The size of the frames, in bytes or characters. */
  size = 0;

  /** The number of frames. */
  get length(): number {
    return this.#frames.length;
  }

  /** Adds a frame, or passes it to the first who waits. */
  add(frame: Frame): void {
    const reader = this.#readers.shift();
    if (reader) return reader(frame);
    this.#frames.push(frame);
    this.size += frame.length;
  }

  /** Returns the next frame, now or when it arrives. `undefined` after the end. */
  take(): Frame | undefined | Promise<Frame | undefined> {
    const frame = this.#frames.shift();
    if (frame !== undefined) {
      this.size -= frame.length;
      return frame;
    }
    if (this.#isEnded) return undefined;
    if (this.#readers === none) this.#readers = [];
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Ends the messages, after those that have arrived. */
  end(): void {
    this.#isEnded = true;
    for (const reader of this.#readers.splice(0)) reader(undefined);
  }

  /** Forgets the messages that nothing has read. */
  clear(): void {
    this.#frames.length = 0;
    this.size = 0;
  }
}

/** Most connections have at most one reader, and idle ones that never read have none. */
const none: ((frame: Frame | undefined) => void)[] = [];
