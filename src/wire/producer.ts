/** Producers of items, which streams are made of and opened as. */
import { attempt, type Awaitable, ignore, type Ready, whenReady } from "../awaitable.ts";
import { isObject } from "../mark.ts";
import { isResponse } from "../native_response.ts";

/** One step of a producer: an item, or the end. */
export interface ProducerStep {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/** Produces items one by one: an iterator, or the reader of a stream. */
export interface Producer {
  /** Returns the next item. It is called when the previous one has arrived. */
  readonly next: () => Awaitable<ProducerStep>;
  /** Called if no more items are needed, with the reason, as in the Streams Standard. */
  readonly return?: (reason?: unknown) => unknown;
}

/** Opens a stream, an asynchronous or a synchronous iterable. `undefined` for any other value, including a string. */
export function openProducer(source: unknown): Producer | undefined {
  if (!isObject(source)) return undefined;
  if (source instanceof ReadableStream) return openStream(source);
  const { [Symbol.asyncIterator]: iterateAsync, [Symbol.iterator]: iterate, destroy }: Iterables = source;
  const producer = (iterateAsync ?? iterate)?.call(source);
  if (!producer || typeof destroy !== "function") return producer;
  return { next: () => producer.next(), return: () => destroy.call(source) }; // Node's iterator keeps a stream open that was not read yet
}

/** Returns the chunks of a stream, which it locks. */
export function openStream(stream: ReadableStream): Producer {
  const reader = stream.getReader();
  return { next: () => reader.read(), return: (reason) => reader.cancel(reason) };
}

interface Iterables {
  readonly [Symbol.asyncIterator]?: () => Producer;
  readonly [Symbol.iterator]?: () => Producer;
  /** Closes a stream of Node. */
  readonly destroy?: () => unknown;
}

/** Closes a producer. Its errors are ignored. */
export function closeProducer(producer: Producer | undefined, reason?: unknown): Ready<void> {
  return attempt(() => producer?.return?.(reason), ignore, ignore);
}

/** Closes the source of a stream, or a native response, that will not be read. */
export function closeSource(source: unknown): void {
  try {
    closeProducer(openProducer(isResponse(source) ? source.body : source));
  } catch {
    // another reader owns the stream and closes it
  }
}

/** The settings of a stream of a producer's items. */
export interface PullSettings {
  /** Encodes an item. Throws or rejects if it cannot be sent. */
  readonly encode: (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>>;
  /** Ends the stream when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Returns the error that the reader receives for a failure or an abort. */
  readonly explain: (cause: unknown) => unknown;
  /** Called once, when the stream has ended, failed or been cancelled. */
  readonly onEnd?: (() => void) | undefined;
}

/**
 * Creates a stream that asks its producer for an item only when its reader asks for one. The producer is closed once,
 * unless it has ended or failed. A synchronous item costs no promise.
 */
export function pullStream(
  producer: Producer,
  { encode, signal, explain, onEnd }: PullSettings,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>; // set by start()
  let isOpen = true;
  let isWaiting = false; // for the producer
  let hasItem = false; // who caused a failure
  const finish = (): void => {
    isOpen = false;
    signal?.removeEventListener("abort", abort);
    onEnd?.();
  };
  const abort = (): void => {
    const reason = signal?.reason;
    finish();
    closeProducer(producer, reason);
    queueMicrotask(() => controller.error(explain(reason))); // Deno, which prints errors, cancels in the meantime
  };
  const fail = (cause: unknown): void => {
    if (!isOpen) return;
    finish();
    if (hasItem) closeProducer(producer, cause);
    controller.error(explain(cause));
  };
  const enqueue = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (isOpen) controller.enqueue(bytes);
  };
  const take = (step: ProducerStep): Ready<void> => {
    isWaiting = false;
    if (!isOpen) return;
    if (step.done) {
      finish();
      return controller.close();
    }
    hasItem = true;
    const bytes = encode(step.value);
    return bytes instanceof Uint8Array ? enqueue(bytes) : whenReady(bytes, enqueue); // as below
  };
  return new ReadableStream({
    start(given): void {
      controller = given;
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    },
    pull(): Ready<void> {
      hasItem = false;
      isWaiting = true;
      try {
        const step = producer.next();
        // a generator's step has `done`, and a promise never does; looking for its `then` takes longer
        const taken = (step as ProducerStep).done === undefined
          ? Promise.resolve(step).then(take)
          : take(step as ProducerStep);
        return taken?.catch(fail);
      } catch (cause) {
        fail(cause);
      }
    },
    cancel(reason): Ready<void> {
      if (!isOpen) return;
      finish();
      const closed = closeProducer(producer, reason);
      return isWaiting ? undefined : closed; // a generator closes only when its pending item arrives, which may be never
    },
  }, { highWaterMark: 0 });
}

/**
 * Returns a received chunk, copied if it is a small part of its buffer. On Deno a chunk of one byte is a view of 64
 * KiB, all of which stays in memory with the chunk.
 */
export function takeChunk(item: unknown): Uint8Array<ArrayBuffer> {
  const chunk = checkChunk(item);
  return 2 * chunk.byteLength < chunk.buffer.byteLength ? new Uint8Array(chunk) : chunk; // slice() of a Buffer copies nothing
}

/** Checks an item of a stream of bytes, and returns it. */
export function checkChunk(item: unknown): Uint8Array<ArrayBuffer> {
  if (item instanceof Uint8Array) return item as Uint8Array<ArrayBuffer>; // the runtime rejects a view of shared memory
  throw new TypeError(`A stream of bytes must yield Uint8Array, got ${typeof item}`);
}
