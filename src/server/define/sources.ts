/**
 * The streams of results: those that middleware receives, of which at most one is sent and the others are closed, and
 * events with comments in between.
 */
import { attempt, longestTimeout, type Ready, whenReady } from "../../awaitable.ts";
import type { Responses } from "../../contract/response.ts";
import { describeConfidential } from "../../messages.ts";
import { isResponse } from "../../native_response.ts";
import type { ItemSource } from "../../representation/stream.ts";
import type { Result } from "./result.ts";
import type { SentComment } from "../../representation/sse.ts";
import {
  checkChunk,
  closeProducer,
  closeSource,
  openProducer,
  type Producer,
  type ProducerStep,
  type PullSettings,
  pullStream,
} from "../../wire/producer.ts";
import { aDuration, checkRule, failAt } from "../../options.ts";

/** Whether the body of a result with this status is a stream or a native response. */
export type CarriesSource = (status: number) => boolean;

/**
 * Returns which statuses of a route have a stream as their body, including undeclared ones. `undefined` if no body is a
 * stream.
 */
export function planSources(responses: Responses): CarriesSource | undefined {
  const declared = Object.entries(responses);
  const whole = declared.filter(([, { representation }]) => !representation.readLater).map(([status]) =>
    Number(status)
  );
  return whole.length < declared.length ? (status) => !whole.includes(status) : undefined;
}

/** A source that was passed to middleware. */
interface PassedSource {
  readonly source: object;
  /** The object that the middleware receives. */
  readonly view: object;
  /** Middleware closes a source that it has begun to read, and the response closes the one that it sends. */
  state: "unread" | "read" | "sent" | "closed";
}

/**
 * The sources of one call. It closes those that are neither sent nor read by middleware, each once. It does so when the
 * sent stream has ended, because that may read from them later. If no stream is sent, it closes them at once.
 */
export class Sources {
  readonly #carriesSource: CarriesSource;
  readonly #passed: PassedSource[] = [];
  #pending = 0; // results of `next()` that have not arrived
  #isOver = false;

  constructor(carriesSource: CarriesSource) {
    this.#carriesSource = carriesSource;
  }

  /** Returns the result that `next()` resolves to. One that arrives too late is closed. */
  pass(result: Ready<Result>): Ready<Result> {
    this.#pending++;
    const arrived = attempt(() => result, (error) => {
      this.#pending--;
      throw error;
    });
    return whenReady(arrived, (result) => {
      this.#pending--;
      return this.#passNow(result);
    });
  }

  /** Returns the result to send, from the return value of the outermost middleware. */
  send(result: Result): Result {
    const isSent = this.#hasSource(result);
    const passed = isSent ? this.#find(result.body) : undefined;
    const sent = passed && passed.view === result.body ? withBody(result, passed.source) : result;
    if (passed) passed.state = "sent";
    if (this.#pending === 0 && !this.#passed.some(isUnread)) return sent;
    const end = (): void => this.end();
    if (isSent) return withBody(sent, withEnd(sent.body, end));
    end();
    return sent;
  }

  /** Closes the sources that were not sent, and those that arrive from now on. */
  end(): void {
    this.#isOver = true;
    for (const passed of this.#passed) close(passed);
  }

  #passNow(result: Result): Result {
    if (!this.#hasSource(result) || this.#find(result.body)) return result;
    const passed = toPassedSource(result.body);
    this.#passed.push(passed);
    if (this.#isOver) close(passed);
    return passed.view === result.body ? result : withBody(result, passed.view);
  }

  #hasSource(result: Result): result is Result & { readonly body: object } {
    return this.#carriesSource(result.status) && isSource(result.body);
  }

  /** Returns the passed source of a body, or of a native response whose content has been moved to another one. */
  #find(body: unknown): PassedSource | undefined {
    return this.#passed.find(({ view }) => view === body) ??
      this.#passed.find(({ view }) => contentOf(view) === contentOf(body));
  }
}

function withBody(result: Result, body: unknown): Result {
  const { status, headers } = result; // they may be inherited
  return { ...result, status, body, headers };
}

/** Returns whether a body may have to be closed. An array never does. */
function isSource(body: unknown): boolean {
  if (typeof body !== "object" || body === null || Array.isArray(body) || ArrayBuffer.isView(body)) return false;
  return isResponse(body) || Symbol.asyncIterator in body || Symbol.iterator in body;
}

function contentOf(body: unknown): unknown {
  return isResponse(body) ? body.body : body;
}

/** Returns a stream shows by its lock that it is being read. Any other iterable is wrapped to record it. */
function toPassedSource(source: object): PassedSource {
  if (source instanceof ReadableStream || isResponse(source)) return { source, view: source, state: "unread" };
  const view: { [method: symbol]: () => unknown } = {};
  const passed: PassedSource = { source, view, state: "unread" };
  for (const [method, iterateNothing] of iterators) {
    const iterate: unknown = Reflect.get(source, method);
    if (typeof iterate !== "function") continue;
    view[method] = () => {
      if (passed.state === "closed") return iterateNothing();
      passed.state = "read";
      return iterate.call(source);
    };
  }
  return passed;
}

/** The two iteration methods, and what they return for a closed source. */
const iterators = [
  [Symbol.asyncIterator, async function* (): AsyncGenerator {}],
  [Symbol.iterator, function* (): Generator {}],
] as const;

function isUnread({ state }: PassedSource): boolean {
  return state === "unread";
}

function close(passed: PassedSource): void {
  if (!isUnread(passed)) return;
  passed.state = "closed";
  closeSource(passed.source);
}

/** Returns the same source, which calls `end` when it has ended, failed or been closed. */
function withEnd(source: unknown, end: () => void): unknown {
  const isRead = isResponse(source) && source.bodyUsed;
  const producer = isRead ? undefined : openProducer(contentOf(source));
  if (!producer) {
    end();
    return source;
  }
  const watched = watchEnd(producer, end);
  return isResponse(source)
    ? new Response(pullStream(watched, plain), source)
    : { [Symbol.asyncIterator]: () => watched };
}

/** The settings of a stream of bytes. */
const plain: PullSettings = { encode: checkChunk, signal: undefined, explain: (cause) => cause };

function watchEnd(producer: Producer, end: () => void): Producer {
  return {
    async next(): Promise<ProducerStep> {
      try {
        const step = await producer.next();
        if (step.done) end();
        return step;
      } catch (error) {
        end();
        throw error;
      }
    },
    return(reason): unknown {
      end();
      return producer.return?.(reason);
    },
  };
}

/**
 * Adds an empty comment to events whenever none has been sent for `interval` milliseconds. Proxies then keep
 * the connection open, and a client that sets `silence` knows that it is alive.
 *
 * @example Events that are rare
 * ```ts
 * import { keepAlive } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * async function* findEvents() {
 *   await new Promise((resolve) => setTimeout(resolve, 50));
 *   yield { id: "1", data: "rare" };
 * }
 *
 * const sent = await Array.fromAsync(keepAlive(findEvents(), 20));
 * assertEquals(sent[0], { comment: "" });
 * assertEquals(sent.at(-1), { id: "1", data: "rare" });
 * ```
 *
 * @param interval The most milliseconds without an event or a comment. Default: 15,000.
 * @throws {TypeError} If an argument is invalid.
 */
export function keepAlive<Item>(
  events: ItemSource<Item>,
  interval = 15_000,
): AsyncIterableIterator<Item | SentComment, undefined> {
  checkRule(interval, '"interval"', aDuration, "keepAlive()", describeConfidential);
  const producer = openProducer(events) ?? failAt("keepAlive()", "the events must be a stream or an iterable");
  let pending: Promise<ProducerStep> | undefined; // still waits for its event after a comment
  let hasArrived = false;
  let wake: () => void = () => {};
  const start = (): Promise<ProducerStep> => {
    const step = Promise.resolve(producer.next());
    const arrive = (): void => {
      hasArrived = true;
      wake();
    };
    step.then(arrive, arrive); // once for each event: reactions stay until it arrives, so one for each comment is a leak
    return step;
  };
  return {
    async next(): Promise<IteratorResult<Item | SentComment, undefined>> {
      pending ??= start();
      if (!hasArrived) await untilWoken(interval, (resolve) => wake = resolve);
      if (!hasArrived) return { done: false, value: { comment: "" } };
      const step = pending;
      pending = undefined;
      hasArrived = false;
      return await step as IteratorResult<Item, undefined>; // the source types its items
    },
    async return(): Promise<IteratorReturnResult<undefined>> {
      wake(); // a pending next() keeps its timer otherwise
      await closeProducer(producer);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator](): typeof this {
      return this;
    },
  };
}

/** Resolves when the time is over, or earlier if the function that `pass` receives is called. */
function untilWoken(milliseconds: number, pass: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(milliseconds, longestTimeout));
    pass(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
