/** The messages that arrived and have not been read, for one reader. */
import { attempt, type Awaitable, isPromise, whenReady } from "../../awaitable.ts";
import type { CalledRoute, ClientError } from "../../client/error.ts";
import { isInstance } from "../../mark.ts";
import { messageOf } from "../../messages.ts";
import type { RefusedValue } from "../../schema.ts";
import { type ConnectPlan, toError } from "./plan.ts";

/** A read that waits for a message. */
interface WaitingRead {
  readonly resolve: (result: IteratorResult<unknown, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Decodes messages, and keeps them in their order until they are read. */
export class Inbox {
  /** The last message that arrived, was decoded and is to be remembered. */
  last: unknown;
  readonly #plan: ConnectPlan;
  readonly #fail: (error: ClientError) => void;
  readonly #messages: unknown[] = [];
  readonly #reads: WaitingRead[] = [];
  #decoding = 0;
  /** Resolves when the message before is decoded. `undefined` if it is. */
  #decoded: PromiseLike<void> | undefined;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;

  /** `fail` is called if a message is invalid, and if too many have not been read. */
  constructor(plan: ConnectPlan, fail: (error: ClientError) => void) {
    this.#plan = plan;
    this.#fail = fail;
  }

  /** Takes the data of a message. It becomes readable after those that arrived before. */
  receive(data: unknown): void {
    if (this.#isOver) return;
    const { decode, route, options: { maxBufferedMessages } } = this.#plan;
    if (this.#messages.length + this.#decoding >= maxBufferedMessages) {
      return this.#fail(toError(route, "unexpected-close", `${maxBufferedMessages} messages have not been read`));
    }
    this.#decoding++;
    const decoded = whenReady(this.#decoded, () =>
      attempt(
        () => decode(data),
        (cause) => this.#isOver ? undefined : this.#fail(toInvalid(route, cause, data)),
        (message) => this.#put(message),
      ));
    this.#decoded = isPromise(decoded) ? decoded : undefined;
  }

  /** Resolves when all messages that arrived are readable. */
  decoded(): Awaitable<void> {
    return this.#decoded;
  }

  /** Resolves to the next message, or to the end. Rejects once if there was a failure. */
  next(): Promise<IteratorResult<unknown, undefined>> {
    if (this.#messages.length > 0) return Promise.resolve({ done: false, value: this.#messages.shift() });
    if (!this.#isOver) return new Promise((resolve, reject) => this.#reads.push({ resolve, reject }));
    const failure = this.#failure;
    this.#failure = undefined;
    return failure ? Promise.reject(failure.error) : Promise.resolve(done);
  }

  /** Ends it. Messages that are decoded remain readable, and then the failure, if there is one. */
  end(failure: { readonly error: unknown } | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    for (const [index, { resolve, reject }] of this.#reads.splice(0).entries()) {
      if (index === 0 && failure) reject(failure.error);
      else resolve(done);
      this.#failure = undefined; // a read has received it
    }
  }

  /** Drops what has not been read. */
  discard(): void {
    this.#messages.length = 0;
    this.#failure = undefined;
  }

  #put(message: unknown): void {
    this.#decoding--;
    if (this.#isOver) return;
    if (attempt(() => this.#plan.options.remember?.(message) ?? true, () => false)) this.last = message;
    const read = this.#reads.shift();
    if (read) read.resolve({ done: false, value: message });
    else this.#messages.push(message);
  }
}

function toInvalid(route: CalledRoute, cause: unknown, data: unknown): ClientError {
  return toError(route, "invalid-body", `a message cannot be decoded: ${messageOf(cause)}`, {
    text: typeof data === "string" ? data.slice(0, 8192) : undefined,
    issues: isInstance(cause, TypeError) ? (cause as Partial<RefusedValue>).issues : undefined,
    cause,
  });
}
