import { attempt, type Awaitable, type Ready, whenReady } from "../awaitable.ts";
import { closeProducer, type Producer, type Step } from "../producer.ts";

/** How a producer's items become a stream. */
export interface PullSettings {
  /** The bytes of an item; throws or rejects for one that cannot be sent. */
  readonly encode: (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>>;
  /** Ends the stream when it aborts. */
  readonly signal: AbortSignal | undefined;
  /** What the reader is told of a failure, or of an abort. */
  readonly explain: (cause: unknown) => unknown;
  /** Runs once when the stream has ended, failed or was left. */
  readonly onEnd?: (() => void) | undefined;
}

/**
 * A stream that asks its producer for an item when its reader asks for one, and never before. The producer is closed once, where
 * it has not ended or failed by itself. A synchronous item costs no promise.
 */
export function pullStream(producer: Producer, settings: PullSettings): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(new Pulling(producer, settings), { highWaterMark: 0 });
}

/** What a stream is pulled from. */
class Pulling implements UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> {
  readonly #producer: Producer;
  readonly #settings: PullSettings;
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>; // from the start on
  #isOpen = true;
  #isWaiting = false; // for the producer
  #hasItem = false; // whose fault a failure is

  constructor(producer: Producer, settings: PullSettings) {
    this.#producer = producer;
    this.#settings = settings;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void {
    this.#controller = controller;
    const { signal } = this.#settings;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener("abort", this.#abort, { once: true });
  }

  pull(): Ready<void> {
    this.#hasItem = false;
    this.#isWaiting = true;
    return attempt(this.#next, this.#fail);
  }

  cancel(reason: unknown): Ready<void> {
    if (!this.#isOpen) return;
    this.#finish();
    const closed = closeProducer(this.#producer, reason);
    return this.#isWaiting ? undefined : closed; // a generator closes when its pending item is there, which may be never
  }

  readonly #next = (): Ready<void> => {
    const step = this.#producer.next();
    // a generator's step says whether it is done, a promise never does: to look for its `then` takes 35 ns of 800
    return (step as Step).done === undefined ? whenReady(step, this.#take) : this.#take(step as Step);
  };

  readonly #take = (step: Step): Ready<void> => {
    this.#isWaiting = false;
    if (!this.#isOpen) return;
    if (step.done) {
      this.#finish();
      return this.#controller.close();
    }
    const item = step.value;
    this.#hasItem = true;
    const bytes = this.#settings.encode(item);
    return bytes instanceof Uint8Array ? this.#enqueue(bytes) : whenReady(bytes, this.#enqueue); // as above
  };

  readonly #enqueue = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (this.#isOpen) this.#controller.enqueue(bytes);
  };

  readonly #fail = (cause: unknown): void => {
    if (!this.#isOpen) return;
    this.#finish();
    if (this.#hasItem) closeProducer(this.#producer, cause);
    this.#controller.error(this.#settings.explain(cause));
  };

  readonly #abort = (): void => {
    const { signal, explain } = this.#settings;
    this.#finish();
    closeProducer(this.#producer, signal?.reason);
    queueMicrotask(() => this.#controller.error(explain(signal?.reason))); // Deno, which prints errors, cancels in the meantime
  };

  #finish(): void {
    this.#isOpen = false;
    this.#settings.signal?.removeEventListener("abort", this.#abort);
    this.#settings.onEnd?.();
  }
}

/**
 * A chunk that arrived, copied where it is a small part of its buffer: on Deno a chunk of one byte is a view on 64 KiB, and whoever
 * keeps the chunk keeps all of it.
 */
export function takeChunk(item: unknown): Uint8Array<ArrayBuffer> {
  const chunk = checkChunk(item);
  return 2 * chunk.byteLength < chunk.buffer.byteLength ? new Uint8Array(chunk) : chunk; // slice() of a Buffer copies nothing
}

/** The item of a stream of bytes, as it is. */
export function checkChunk(item: unknown): Uint8Array<ArrayBuffer> {
  if (item instanceof Uint8Array) return item as Uint8Array<ArrayBuffer>; // the runtime refuses a view on shared memory
  throw new TypeError(`A stream of bytes has an item of type ${typeof item}; yield a Uint8Array`);
}
