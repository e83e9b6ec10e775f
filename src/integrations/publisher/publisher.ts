import { ignore } from "../../awaitable.ts";
import { isCount } from "../../mark.ts";
import { describeValue } from "../../messages.ts";
import { aPositiveCount, aSignal, type OptionRules, readPlainOptions } from "../../options.ts";

/** The options of {@linkcode createPublisher}. */
export interface PublisherOptions {
  /**
   * How many events are kept, those of all topics together, for subscribers that are behind or come back. An integer, 1
   * or more. Default: 1,000.
   */
  readonly keep?: number | undefined;
}

/** The options of a subscription. */
export interface SubscribeOptions {
  /**
   * The id of the last event that the subscriber has seen, such as `last-event-id` of a client that reconnects. The
   * subscription begins with the event after it. Default: none, or empty; it begins with the next event.
   */
  readonly after?: string | undefined;
  /** Ends the subscription when it aborts: the loop throws the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** An event of a topic. */
export interface PublishedEvent<Data = unknown> {
  /** The id, for {@linkcode SubscribeOptions.after}: letters, digits and a hyphen. */
  readonly id: string;
  /** What was published. */
  readonly data: Data;
}

/** The events of a topic, for one `for await`. Leaving the loop ends the subscription, as `return()` does. */
export interface Subscription<Data = unknown> extends AsyncIterableIterator<PublishedEvent<Data>, undefined, unknown> {
  /** Resolves to the next event. Rejects with a {@linkcode GapError} if events were lost. */
  next(): Promise<IteratorResult<PublishedEvent<Data>, undefined>>;
  /** Ends the subscription. A pending `next()` resolves as done. */
  return(): Promise<IteratorReturnResult<undefined>>;
  /** Returns the subscription itself. */
  [Symbol.asyncIterator](): Subscription<Data>;
}

/** Events by topic, from those who publish them to those who are subscribed. {@linkcode createPublisher} returns it. */
export interface Publisher<Events> {
  /**
   * The id of the last event so far, of any topic. A subscription after it begins at this moment: read it before the state
   * that a new subscriber receives first, and send it with that state.
   */
  readonly lastId: string;
  /** Publishes an event, and returns its id. Subscribers share the data, so do not change it. */
  publish<Topic extends keyof Events & string>(topic: Topic, data: Events[Topic]): string;
  /** Subscribes to a topic, from this moment or from the event after `after`. */
  subscribe<Topic extends keyof Events & string>(topic: Topic, options?: SubscribeOptions): Subscription<Events[Topic]>;
}

/**
 * Events between an id and the present are lost: they are no longer kept, or another run of the process had them. The
 * subscriber needs the state anew.
 */
export class GapError extends Error {
  /** Always `"GapError"`. */
  override readonly name = "GapError";
}

/**
 * Creates a publisher: events in the memory of one process, for any number of subscribers. Nothing is skipped silently. A
 * subscriber that is too slow, or comes back too late or to another process, receives a {@linkcode GapError}.
 *
 * The subscribers share what is kept, so a slow one costs no memory. To share events between processes, use a store such
 * as Redis Streams, whose ids work in the same way.
 *
 * @example A client that reconnects
 * ```ts
 * import { createPublisher } from "@scope/api/publisher";
 * import { assertEquals } from "@std/assert";
 *
 * const publisher = createPublisher<{ prices: number }>({ keep: 100 });
 * const first = publisher.publish("prices", 10);
 * publisher.publish("prices", 11);
 *
 * const later = publisher.subscribe("prices", { after: first });
 * assertEquals((await later.next()).value?.data, 11);
 * await later.return();
 * ```
 *
 * @typeParam Events The type of the data by topic: `{ prices: number; [room: `room:${string}`]: Message }`.
 * @throws {TypeError} If an option is invalid.
 */
export function createPublisher<Events extends object = Record<string, unknown>>(
  options: PublisherOptions = {},
): Publisher<Events> {
  const { keep = 1_000 }: PublisherOptions = readPlainOptions(
    options,
    { keep: aPositiveCount },
    "createPublisher()",
    describeValue,
  );
  const log = new EventLog(keep);
  return {
    get lastId(): string {
      return log.toId(log.last);
    },
    publish: (topic, data) => log.add(checkTopic(topic), data),
    subscribe: (topic, options) => new OpenSubscription(log, checkTopic(topic), options) as Subscription<never>, // log keeps what was published
  };
}

function checkTopic(topic: unknown): string {
  if (typeof topic === "string") return topic;
  throw new TypeError(`the topic must be a string, got ${describeValue(topic)}`);
}

const subscribeRules: OptionRules = { after: ["an id", (value) => typeof value === "string"], signal: aSignal };

/** An event that is kept. */
interface KeptEvent {
  readonly topic: string;
  /** Its number in this run, from 1. */
  readonly number: number;
  readonly data: unknown;
}

/** What is known about a topic that has kept events, or subscribers. */
interface Topic {
  /** Its events, the oldest first. Those before `start` are no longer kept. */
  readonly events: KeptEvent[];
  start: number;
  /** The number of the last event that is no longer kept. */
  lost: number;
  /** Those who wait for the next event. */
  readonly waiting: Set<() => void>;
  subscribers: number;
}

/** The kept events of all topics. */
class EventLog {
  /** Tells the ids of this run from those of others. Workers allow no random values while a module loads. */
  #run: string | undefined;
  readonly #kept: KeptEvent[];
  readonly #topics = new Map<string, Topic>();
  readonly #keep: number;
  #last = 0;
  /** The number of the last event that is no longer kept. */
  #lost = 0;

  constructor(keep: number) {
    this.#keep = keep;
    this.#kept = [];
  }

  /** The number of the last event. */
  get last(): number {
    return this.#last;
  }

  add(topic: string, data: unknown): string {
    const number = ++this.#last;
    const event: KeptEvent = { topic, number, data };
    const found = this.#open(topic);
    found.events.push(event);
    const at = number % this.#keep;
    const oldest = this.#kept[at];
    this.#kept[at] = event;
    if (oldest) this.#forget(oldest);
    const waiting = [...found.waiting];
    found.waiting.clear();
    for (const wake of waiting) wake();
    return this.toId(number);
  }

  join(topic: string): Topic {
    const joined = this.#open(topic);
    joined.subscribers++;
    return joined;
  }

  leave(topic: string): void {
    const left = this.#topics.get(topic)!; // it has been joined
    left.subscribers--;
    this.#close(topic, left);
  }

  toId(number: number): string {
    this.#run ??= crypto.randomUUID().replaceAll("-", "");
    return `${this.#run}-${number}`;
  }

  /** Returns the number of an event by its id. `undefined` if this run has not published it. */
  find(id: string): number | undefined {
    const number = Number(id.slice(id.indexOf("-") + 1));
    return isCount(number) && number <= this.#last && id === this.toId(number) ? number : undefined;
  }

  #open(name: string): Topic {
    const known = this.#topics.get(name);
    if (known) return known;
    const topic: Topic = { events: [], start: 0, lost: this.#lost, waiting: new Set(), subscribers: 0 };
    this.#topics.set(name, topic);
    return topic;
  }

  /** Forgets the oldest event, which is also the oldest of its topic. */
  #forget({ topic, number }: KeptEvent): void {
    const found = this.#topics.get(topic)!; // a topic stays while one of its events is kept
    found.lost = this.#lost = number;
    if (++found.start > 32 && found.start * 2 > found.events.length) { // one by one would take long
      found.events.splice(0, found.start);
      found.start = 0;
    }
    this.#close(topic, found);
  }

  #close(name: string, { events, start, subscribers }: Topic): void {
    if (events.length === start && subscribers === 0) this.#topics.delete(name);
  }
}

/** A subscription to a topic. */
class OpenSubscription implements Subscription {
  readonly #log: EventLog;
  readonly #name: string;
  readonly #signal: AbortSignal | undefined;
  readonly #topic: Topic;
  /** The number of the last event that it has returned. `undefined` for an unknown one. */
  #seen: number | undefined;
  #isOpen = true;
  /** Whether the signal ended it, which the next call of `next()` tells. */
  #isAborted = false;
  /** The calls of `next()`, one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #wake: () => void = ignore;

  constructor(log: EventLog, name: string, options: SubscribeOptions = {}) {
    const { after = "", signal }: SubscribeOptions = readPlainOptions(
      options,
      subscribeRules,
      "subscribe()",
      describeValue,
    );
    this.#log = log;
    this.#name = name;
    this.#signal = signal;
    this.#topic = log.join(name);
    this.#seen = after === "" ? log.last : log.find(after);
    signal?.addEventListener("abort", this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
  }

  next(): Promise<IteratorResult<PublishedEvent, undefined>> {
    const step = this.#queue.then(() => this.#next());
    this.#queue = step.catch(ignore);
    return step;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#end();
    return Promise.resolve(done);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #next(): Promise<IteratorResult<PublishedEvent, undefined>> {
    while (this.#isOpen) {
      const { events, start, lost } = this.#topic;
      if (this.#seen === undefined || this.#seen < lost) {
        this.#end();
        throw new GapError(`Events of the topic ${describeValue(this.#name)} are lost; send its state anew`);
      }
      const event = events[findAfter(events, start, this.#seen)];
      if (event) {
        this.#seen = event.number;
        return { done: false, value: { id: this.#log.toId(event.number), data: event.data } };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#topic.waiting.add(resolve);
      });
    }
    if (!this.#isAborted) return done;
    this.#isAborted = false;
    throw this.#signal?.reason;
  }

  readonly #abort = (): void => {
    this.#isAborted = true;
    this.#end();
  };

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#topic.waiting.delete(this.#wake);
    this.#log.leave(this.#name);
    this.#wake();
  }
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Returns the index of the first event after a number, by halving. */
function findAfter(events: readonly KeptEvent[], start: number, number: number): number {
  let low = start;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events[middle]!.number > number) high = middle;
    else low = middle + 1;
  }
  return low;
}
