/** The messages of the server on their way to the connection, in the order in which they were sent. */
import { type Awaitable, ignore, isPromise } from "../awaitable.ts";
import type { Frame } from "../representation/socket.ts";
import type { Link } from "./link.ts";

/** Writes frames to a link, in order, also if some of them are still being encoded. */
export class Outbox {
  readonly #link: Link;
  /** Above this number of bytes, a sender waits. */
  readonly #maxReady: number;
  /** Settles when the frames before are written. `undefined` if there are none. */
  #tail: Promise<void> | undefined;
  #waiting: Waiter[] | undefined;
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
    this.#link = link;
    this.#maxReady = maxReady;
  }

  /** Writes a frame. Resolves when the connection can take more. */
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

  /** Calls a function when all frames before are written, or after a time, because a codec may never settle. */
  whenWritten(next: () => void): void {
    if (this.#tail === undefined) return next();
    const late = new Promise<void>((resolve) => this.#timer = setTimeout(resolve, longestWait));
    void Promise.race([this.#tail, late]).then(() => {
      clearTimeout(this.#timer);
      next();
    });
  }

  /** Ends the waits of all senders with an error. No frame is written any more. */
  close(error: Error): void {
    this.#end = error;
    this.rejectWaiting(error);
  }

  /** The same, for a connection that is gone: nothing waits for what is still being encoded. */
  leave(error: Error): void {
    clearTimeout(this.#timer);
    this.close(error);
  }

  /** Ends the waits of all senders with an error. Frames that are being encoded are still written. */
  rejectWaiting(error: Error): void {
    clearTimeout(this.#poll);
    for (const { reject } of this.#waiting?.splice(0) ?? []) reject(error);
  }

  #writeNow(frame: Frame): Promise<void> {
    if (this.#end) throw this.#end;
    this.#link.send(frame);
    this.written++;
    if (this.#link.buffered <= this.#maxReady) return ready;
    return new Promise((resolve, reject) => {
      if (!this.#waiting?.length) this.#lookSoon();
      (this.#waiting ??= []).push({ resolve, reject });
    });
  }

  #lookSoon(): void {
    this.#poll = setTimeout(() => this.#look(), pollInterval);
  }

  /** Looks whether the connection can take more. Most runtimes have no event for it. */
  #look(): void {
    if (!this.#waiting?.length) return;
    if (this.#link.buffered > this.#maxReady) this.#lookSoon();
    else for (const { resolve } of this.#waiting.splice(0)) resolve();
  }
}

/** A sender that waits. */
interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** How long the end of a connection waits for messages that are still being encoded, in milliseconds. */
const longestWait = 5_000;

/** How often a connection that is full is looked at, in milliseconds. */
const pollInterval = 5;

/** The promise of a message that was written, and does not have to wait. */
export const ready: Promise<void> = /* @__PURE__ */ Promise.resolve();
