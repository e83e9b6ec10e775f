/** The messages of the server on their way to the connection, in the order in which they were sent. */
import { type Awaitable, ignore, isPromise } from "../awaitable.ts";
import type { Frame } from "../representation/socket.ts";

/**
 * The runtime's end of a connection, which is its own object if that has these members. Its methods may throw once the
 * client has left: the event of the end is on its way then.
 */
export interface Link {
  /** Sends a frame, after those before it. */
  send(frame: Frame): unknown;
  /** Closes the connection, after what was sent. */
  close(code: number, reason: string): unknown;
  /** The number of bytes that were sent and that the connection has not taken yet. Absent if the runtime does not tell. */
  readonly bufferedAmount?: number;
  /** The same on Bun. */
  getBufferedAmount?(): number;
  /** Stops reading, so that the client has to wait. Of Node alone, as the next two: `pause` of Bun is another. */
  stopReading?(): void;
  /** Reads again. */
  readOn?(): void;
  /** Asks whether the client is still there, or breaks the connection off if the last question has no answer. */
  ask?(): void;
}

/** Writes frames to a link, in order, also if some of them are still being encoded. */
export class Outbox {
  readonly link: Link;
  /** Above this number of bytes, a sender waits. */
  readonly #maxReady: number;
  /** Settles when the frames before are written. `undefined` if there are none. */
  #tail: Promise<void> | undefined;
  /** Resolves when the connection can take more. `undefined` if no sender waits for it. */
  #room: Promise<void> | undefined;
  #rejectWaiting: (error: Error) => void = ignore;
  /** The number of messages since a sender has waited. */
  #burst = 0;
  #poll: ReturnType<typeof setTimeout> | undefined;
  /** Ends the wait for frames that are still being encoded at the end. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The error of those who send after the end. */
  #end: Error | undefined;
  /** The number of messages that are still being encoded, or wait for one. */
  pending = 0;
  /** The number of messages that were written. */
  written = 0;

  constructor(link: Link, maxReady: number) {
    this.link = link;
    this.#maxReady = maxReady;
  }

  /** The number of bytes that the connection has not taken yet. 0 if the runtime does not tell. */
  get buffered(): number {
    return this.link.bufferedAmount ?? this.link.getBufferedAmount?.() ?? 0;
  }

  /** Writes a frame. Resolves when the connection can take more, at times only in the next turn of the event loop. */
  write(frame: Awaitable<Frame>): Promise<void> {
    if (this.#tail === undefined && !isPromise(frame)) return this.#writeNow(frame);
    this.pending++;
    const encoded = Promise.resolve(frame);
    encoded.catch(ignore); // it is awaited when the frames before are written
    const before = this.#tail ?? ready;
    const sent = before.then(() => encoded).then((frame) => ({ written: this.#writeNow(frame) })); // in an object, not to wait for it
    const tail = this.#tail = sent.then(ignore, ignore).then(() => {
      this.pending--;
      if (this.#tail === tail) this.#tail = undefined;
    });
    return sent.then(({ written }) => written);
  }

  /** Closes the link when all frames before are written, or after a time, because a codec may never settle. */
  async closeLink(code: number, reason: string): Promise<void> {
    if (this.#tail !== undefined) {
      const late = new Promise<void>((resolve) => this.#timer = setTimeout(resolve, longestWait));
      await Promise.race([this.#tail, late]);
      clearTimeout(this.#timer);
    }
    try {
      this.link.close(code, reason);
    } catch { // it is closed
    }
  }

  /** Sends a frame that waits for nothing. */
  transmit(frame: Frame): void {
    try {
      this.link.send(frame);
    } catch { // the client has left
    }
  }

  /** Ends the waits of all senders with an error. No frame is written any more. */
  end(error: Error): void {
    this.#end = error;
    this.rejectWaiting(error);
  }

  /** The same, for a connection that is gone: nothing waits for what is still being encoded. */
  leave(error: Error): void {
    clearTimeout(this.#timer);
    this.end(error);
  }

  /** Ends the waits of all senders with an error. Frames that are being encoded are still written. */
  rejectWaiting(error: Error): void {
    clearTimeout(this.#poll);
    this.#room = undefined;
    this.#rejectWaiting(error);
  }

  #writeNow(frame: Frame): Promise<void> {
    if (this.#end) throw this.#end;
    this.transmit(frame);
    this.written++;
    if (++this.#burst < longestBurst && this.buffered <= this.#maxReady) return ready;
    return this.#room ??= this.#waitForRoom();
  }

  /** Looks again and again whether the connection can take more. Most runtimes have no event for it. */
  #waitForRoom(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#rejectWaiting = reject;
      const look = (): void => {
        if (this.buffered > this.#maxReady) return void (this.#poll = setTimeout(look, pollInterval));
        this.#room = undefined;
        this.#burst = 0;
        resolve();
      };
      this.#poll = setTimeout(look, this.buffered > this.#maxReady ? pollInterval : 0);
    });
  }
}

/** How long the end of a connection waits for messages that are still being encoded, in milliseconds. */
const longestWait = 5_000;

/**
 * After how many messages a sender waits for the next turn of the event loop, also if the connection can take more. Else
 * one that awaits each message would leave no turn to others: while its client reads fast, or on Node for ever, once the
 * client has left, since the event that says so would never come.
 */
const longestBurst = 256;

/** How often a connection that is full is looked at, in milliseconds. */
const pollInterval = 5;

/** The promise of a message that was written, and does not have to wait. */
export const ready: Promise<void> = /* @__PURE__ */ Promise.resolve();
