import { type Awaitable, isPromise } from "../awaitable.ts";
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
export function pullStream(
  producer: Producer,
  { encode, signal, explain, onEnd }: PullSettings,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let controller!: ReadableStreamDefaultController;
  let isOpen = true;
  let isWaiting = false; // for the producer
  let hasItem = false; // whose fault a failure is
  const finish = (): void => {
    isOpen = false;
    signal?.removeEventListener("abort", abort);
    onEnd?.();
  };
  const abort = (): void => {
    finish();
    closeProducer(producer, signal?.reason);
    queueMicrotask(() => controller.error(explain(signal?.reason))); // Deno, which prints errors, cancels in the meantime
  };
  const fail = (cause: unknown): void => {
    if (!isOpen) return;
    finish();
    if (hasItem) closeProducer(producer, cause);
    controller.error(explain(cause));
  };
  const enqueue = (bytes: Uint8Array): void => {
    if (isOpen) controller.enqueue(bytes);
  };
  const take = (step: Step): Awaitable<void> => {
    isWaiting = false;
    if (!isOpen) return;
    try {
      if (step.done) {
        finish();
        return controller.close();
      }
      const item = step.value;
      hasItem = true;
      const bytes = encode(item);
      return bytes instanceof Uint8Array ? enqueue(bytes) : bytes.then(enqueue, fail);
    } catch (cause) {
      fail(cause);
    }
  };
  const stream = new ReadableStream({
    start(given): void {
      controller = given;
    },
    pull(): Awaitable<void> {
      hasItem = false;
      isWaiting = true;
      try {
        const step = producer.next();
        // a generator's step says whether it is done, a promise never does: 15 ns less than to look for its `then`
        const isPending = (step as Step).done === undefined && isPromise(step);
        return isPending ? Promise.resolve(step).then(take, fail) : take(step as Step);
      } catch (cause) {
        fail(cause);
      }
    },
    cancel(reason): Promise<void> | undefined {
      if (!isOpen) return undefined;
      finish();
      const closed = closeProducer(producer, reason);
      return isWaiting ? undefined : closed; // a generator closes when its pending item is there, which may be never
    },
  } as UnderlyingDefaultSource, { highWaterMark: 0 });
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return stream;
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
