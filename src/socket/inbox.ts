/** The messages of a client that have arrived, until something reads them. */
import type { Frame } from "../representation/socket.ts";

/** Someone who waits for the next message. */
export interface Reader {
  /** Whether it also wants invalid messages. */
  readonly isChecked: boolean;
  /** Passes it the message, or the end. */
  readonly resolve: (step: Promise<MessageStep> | MessageStep) => void;
}

/** A message for a loop, or its end. */
export type MessageStep = IteratorResult<unknown, undefined>;

/** A queue of frames, or of those who wait for one. */
export class Inbox {
  readonly #frames: Frame[] = [];
  #readers: Reader[] | undefined;
  /** The size of the frames, in bytes or characters. */
  size = 0;

  /** The number of frames. */
  get length(): number {
    return this.#frames.length;
  }

  /** Adds a frame. */
  add(frame: Frame): void {
    this.#frames.push(frame);
    this.size += frame.length;
  }

  /** Returns the next frame. `undefined` if there is none. */
  take(): Frame | undefined {
    const frame = this.#frames.shift();
    if (frame !== undefined) this.size -= frame.length;
    return frame;
  }

  /** Adds someone who waits. */
  wait(reader: Reader): void {
    if (this.#readers) this.#readers.push(reader);
    else this.#readers = [reader];
  }

  /** Returns the first who waits. */
  takeReader(): Reader | undefined {
    return this.#readers?.shift();
  }

  /** Forgets the messages that nothing has read. */
  clear(): void {
    this.#frames.length = 0;
    this.size = 0;
  }
}
