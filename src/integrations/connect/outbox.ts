/** The messages that wait to be written. Each is written to at most one connection. */
import { attempt, type Awaitable, isPromise } from "../../awaitable.ts";
import type { Frame } from "../../representation/socket.ts";
import type { Transport } from "./transport.ts";

/** A message that waits. */
interface Waiting {
  /** `undefined` until it is encoded. */
  frame: Frame | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The bytes that may wait in the platform's buffer, beyond which no message is written. */
const maxBufferedBytes = 1_048_576;

/** The milliseconds between two looks at the platform's buffer, which has no event. */
const interval = 20;

/** Writes messages in the order of their calls, also if their encoding is asynchronous. */
export class ClientOutbox {
  readonly #waiting: Waiting[] = [];
  #transport: Transport | undefined;
  #whenEmpty: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Adds a message. Resolves when it is written. Rejects if more than `limit` messages would wait, with the error that
   * `toError` returns.
   */
  add(frame: Awaitable<Frame>, limit: number, toError: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = { frame: isPromise(frame) ? undefined : frame, resolve, reject };
      this.#waiting.push(entry);
      if (isPromise(frame)) this.#awaitFrame(entry, frame);
      else this.#write();
      if (this.#waiting.length <= limit) return;
      this.#waiting.pop();
      reject(toError());
    });
  }

  /** Writes to this transport from now on. `undefined` if there is none. */
  attach(transport: Transport | undefined): void {
    this.#transport = transport;
    this.#write();
  }

  /** Calls a function once no message waits. From now on messages are written however many bytes are buffered. */
  finish(whenEmpty: () => void): void {
    this.#whenEmpty = whenEmpty;
    this.#write();
  }

  /** Rejects all messages that wait. */
  end(error: unknown): void {
    this.#transport = undefined;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #write(): void {
    clearTimeout(this.#timer);
    for (let transport = this.#transport; transport; transport = this.#transport) {
      const [first] = this.#waiting;
      if (!first) return this.#finish();
      if (first.frame === undefined) return;
      if (!transport.isWritable(this.#whenEmpty ? Infinity : maxBufferedBytes)) {
        this.#timer = setTimeout(() => this.#write(), interval);
        return;
      }
      this.#waiting.shift();
      const { frame } = first;
      attempt(() => transport.write(frame), first.reject, first.resolve);
    }
  }

  #finish(): void {
    const whenEmpty = this.#whenEmpty;
    this.#whenEmpty = undefined;
    whenEmpty?.();
  }

  #awaitFrame(entry: Waiting, frame: PromiseLike<Frame>): void {
    frame.then((frame) => {
      entry.frame = frame;
      this.#write();
    }, (error) => {
      const index = this.#waiting.indexOf(entry);
      if (index >= 0) this.#waiting.splice(index, 1); // it may have ended before
      entry.reject(error);
      this.#write();
    });
  }
}
