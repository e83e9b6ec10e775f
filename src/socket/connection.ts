/** One connection: the socket that the application's function receives, and what the runtime tells about it. */
import { attempt, ignore, isPromise, type Ready } from "../awaitable.ts";
import type { Conversation, ServerSocket } from "../contract/socket.ts";
import type { CheckedItem } from "../contract/request.ts";
import { describeValue } from "../messages.ts";
import type { Frame } from "../representation/socket.ts";
import { type Checked, formatIssues } from "../schema.ts";
import type { RouteInfo } from "../server/define/call.ts";
import { byteLength } from "../wire/read_bytes.ts";
import type { Messages } from "./messages.ts";
import { type Link, Outbox, ready } from "./outbox.ts";

/** What the connections of a route share. */
export interface ConnectionPlan extends ConnectionLimits {
  readonly route: RouteInfo;
  /** The route's name in messages. */
  readonly name: string;
  readonly messages: Messages;
  /** The declared close codes. */
  readonly closes: Readonly<Record<number, string>>;
  /** The declared subprotocols. */
  readonly protocols: readonly string[];
  /** Called before its function runs. Returns whether it may: not if the server shuts down. */
  readonly admit: (connection: Connection) => boolean;
  /** Called when its function has returned. */
  readonly release: (connection: Connection) => void;
  /** Reports an error of the application. */
  readonly report: (error: unknown, opening: Opening) => void;
  readonly onClose: OnClose | undefined;
}

/** Called when a connection has ended and its function has returned. Errors that it throws are ignored. */
export type OnClose = (report: CloseReport) => unknown;

/** The limits of a connection. */
export interface ConnectionLimits {
  readonly maxMessageBytes: number;
  readonly maxBufferedMessages: number;
  readonly maxBufferedBytes: number;
  /** In milliseconds. */
  readonly idleTimeout: number;
}

/** What a connection keeps of its request. */
export interface Opening {
  readonly target: string;
  readonly caller: object | undefined;
  readonly protocol: string | undefined;
}

/** The argument of the hook `onClose`. */
export interface CloseReport {
  /** The route. */
  readonly route: RouteInfo;
  /** The code of the side that closed first. 1005 if the client sent none, and 1006 if the connection broke. */
  readonly code: number;
  /** The reason of that side. Empty if there is none. */
  readonly reason: string;
  /** The milliseconds from its opening until it has ended and its function has returned. */
  readonly duration: number;
  /** The number of messages of the client that have arrived. */
  readonly received: number;
  /** The number of messages of the server that were sent. */
  readonly sent: number;
}

/** Someone who waits for the next message. */
interface Reader {
  /** Whether it also wants invalid messages. */
  readonly isChecked: boolean;
  /** Passes it the message, or the end. */
  readonly resolve: (step: Ready<MessageStep>) => void;
}

/** A message for a loop, or its end. */
type MessageStep = IteratorResult<unknown, undefined>;

/** Before it is open, while it is, while the server's close is on its way, and after the end. */
type State = "opening" | "open" | "closing" | "closed";

/** A connection. It keeps neither the request nor its response, because a process has many connections that are idle. */
export class Connection implements ServerSocket<unknown, unknown, number> {
  readonly #plan: ConnectionPlan;
  readonly #opening: Opening;
  readonly #converse: AnyConversation;
  /** The messages that nothing has read, and their size in bytes or characters. */
  readonly #frames: Frame[] = [];
  #size = 0;
  /** Those who wait for the next message. */
  #readers: Reader[] | undefined;
  #outbox: Outbox | undefined;
  #state: State = "opening";
  #controller: AbortController | undefined;
  #opened = 0;
  #code = 1006;
  #reason = "";
  #received = 0;
  /** When reading was paused. 0 if it is not. */
  #paused = 0;

  constructor(plan: ConnectionPlan, opening: Opening, converse: AnyConversation) {
    this.#plan = plan;
    this.#opening = opening;
    this.#converse = converse;
  }

  get protocol(): string | undefined {
    return this.#opening.protocol;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#state !== "open") this.#controller.abort(this.#endError());
    }
    return this.#controller.signal;
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown, undefined> {
    return iterate(() => this.#next(false));
  }

  checked(): AsyncIterableIterator<CheckedItem<unknown>, undefined> {
    return iterate(() => this.#next(true)) as AsyncIterableIterator<CheckedItem<unknown>, undefined>; // #next() returns them
  }

  send(message: unknown): Promise<void> {
    const sent = this.#send(message);
    if (sent !== ready) sent.catch(ignore); // a rejection that nothing handles is not an unhandled one
    return sent;
  }

  close(code = 1000, reason = ""): void {
    const { name, closes } = this.#plan;
    const fail = (state: string): never => {
      throw new TypeError(`Cannot close a connection of ${name}: ${state}`);
    };
    if (code !== 1000 && (typeof code !== "number" || !Object.hasOwn(closes, code))) {
      fail(`the code must be ${["1000", ...Object.keys(closes)].join(" or ")}, got ${describeValue(code)}`);
    }
    if (typeof reason !== "string") fail(`the reason must be a string, got ${describeValue(reason)}`);
    if (byteLength(reason) > maxReasonBytes) {
      fail(`the reason must have at most ${maxReasonBytes} bytes, got ${byteLength(reason)}`);
    }
    this.#stop(code, reason);
  }

  /** Called when it is open. */
  opened(link: Link): void {
    const outbox = new Outbox(link, this.#plan.maxBufferedBytes / 2);
    if (this.#state !== "opening" || !this.#plan.admit(this)) {
      this.#state = "closed";
      return void outbox.closeLink(1001, "");
    }
    this.#outbox = outbox;
    this.#state = "open";
    this.#opened = performance.now();
    void this.#run();
  }

  /** Called with each message. */
  received(frame: Frame): void {
    if (this.#state !== "open") return;
    const { maxMessageBytes, maxBufferedBytes, maxBufferedMessages, messages: { isTextual } } = this.#plan;
    this.#received++;
    if ((typeof frame === "string") !== isTextual) {
      return this.#end(1003, `messages must be ${isTextual ? "text" : "binary"}`);
    }
    if (isLonger(frame, maxMessageBytes)) return this.#end(1009, `a message has more than ${maxMessageBytes} bytes`);
    const reader = this.#readers?.shift();
    if (reader) return reader.resolve(this.#read(frame, reader.isChecked));
    const isFull = this.#frames.length >= maxBufferedMessages || this.#size >= maxBufferedBytes;
    const { link } = this.#outbox!; // it is open
    if (isFull && !link.stopReading) return this.#end(1008, tooMany);
    this.#frames.push(frame);
    this.#size += frame.length;
    if (isFull && this.#paused === 0) {
      this.#paused = performance.now();
      link.stopReading!(); // it has the method
    }
  }

  /** Called when it has ended, or was never opened. */
  closed(code: number, reason: string): void {
    if (this.#state === "open") this.#conclude("closed", code, reason);
    this.#state = "closed";
    this.#outbox?.leave(this.#endError());
  }

  /** Closes it because the server shuts down. */
  shutDown(): void {
    this.#stop(1001, "");
  }

  /** Closes it if its messages have not been read for longer than a time, or else asks whether the client is there. */
  check(idleTimeout: number): void {
    if (this.#state !== "open") return;
    if (this.#paused === 0) this.#outbox!.link.ask?.(); // it is open
    else if (performance.now() - this.#paused > idleTimeout) this.#end(1008, tooMany);
  }

  /** Sends a frame that JSON never is, by which a client notices that the connection is alive. */
  keepAlive(): void {
    if (this.#state === "open" && this.#plan.messages.isNeverEmpty) this.#outbox!.transmit(""); // it is open
  }

  async #run(): Promise<void> {
    try {
      await this.#converse(this);
      this.#stop(1000, "");
    } catch (error) {
      this.#fail(error);
    }
    const { release, onClose, route } = this.#plan;
    release(this);
    if (!onClose) return;
    const report: CloseReport = {
      route,
      code: this.#code,
      reason: this.#reason,
      duration: performance.now() - this.#opened,
      received: this.#received,
      sent: this.#outbox!.written, // it was open
    };
    attempt(() => onClose(report), ignore); // errors of the hook are ignored
  }

  /** Returns the next message, now or when it arrives. */
  #next(isChecked: boolean): Promise<MessageStep> {
    const frame = this.#frames.shift();
    this.#size -= frame?.length ?? 0;
    if (this.#paused > 0) this.#resume();
    if (frame !== undefined) return Promise.resolve(this.#read(frame, isChecked));
    if (this.#state !== "open") return Promise.resolve(over);
    return new Promise((resolve) => (this.#readers ??= []).push({ isChecked, resolve }));
  }

  /**
   * Returns the step of a message, now if its schema is synchronous: each turn that it takes longer, more messages of a
   * busy client wait on a runtime that cannot pause.
   */
  #read(frame: Frame, isChecked: boolean): Ready<MessageStep> {
    try {
      const checked = this.#plan.messages.read(frame);
      return isPromise(checked)
        ? Promise.resolve(checked).then((checked) => this.#toStep(checked, isChecked))
        : this.#toStep(checked, isChecked);
    } catch (error) {
      return Promise.reject(error); // of a schema
    }
  }

  #toStep(checked: Checked, isChecked: boolean): MessageStep {
    const { issues } = checked;
    if (!issues) return { done: false, value: isChecked ? { value: checked.value } : checked.value };
    if (isChecked) return { done: false, value: { issues } };
    this.#stop(1007, cutReason(formatIssues(issues)));
    return over;
  }

  /** Reads again when half of the messages are read. */
  #resume(): void {
    const { maxBufferedBytes, maxBufferedMessages } = this.#plan;
    if (this.#frames.length > maxBufferedMessages / 2 || this.#size > maxBufferedBytes / 2) return;
    this.#paused = 0;
    this.#outbox?.link.readOn?.();
  }

  #send(message: unknown): Promise<void> {
    const { maxBufferedBytes, maxBufferedMessages, messages } = this.#plan;
    if (this.#state !== "open") return Promise.reject(this.#endError());
    const outbox = this.#outbox!; // it is open
    if (outbox.buffered > maxBufferedBytes || outbox.pending > maxBufferedMessages) {
      this.#end(1013, "the client reads too slowly");
      outbox.end(this.#endError());
      return Promise.reject(this.#endError());
    }
    try {
      const frame = messages.encode(message);
      return outbox.write(isPromise(frame) ? frame.then(undefined, (error) => this.#refuse(error)) : frame);
    } catch (error) {
      return Promise.reject(this.#fail(error));
    }
  }

  /** Throws the error of a message that cannot be sent. */
  #refuse(error: unknown): never {
    throw this.#fail(error);
  }

  /** Ends the connection because of an error of the application. One that follows from the end is not reported. */
  #fail(error: unknown): unknown {
    if (this.#state !== "open") return error;
    this.#stop(1011, "internal error");
    this.#plan.report(error, this.#opening);
    return error;
  }

  /** Ends the connection, and forgets the messages that nothing has read. */
  #stop(code: number, reason: string): void {
    this.#frames.length = 0;
    this.#size = 0;
    this.#end(code, reason);
  }

  /** Ends the connection by a close of the server, after the messages that were sent. */
  #end(code: number, reason: string): void {
    if (this.#state !== "open") return;
    this.#conclude("closing", code, reason);
    this.#outbox!.rejectWaiting(this.#endError()); // it was open
    void this.#outbox!.closeLink(code, reason);
  }

  #conclude(state: State, code: number, reason: string): void {
    this.#state = state;
    this.#code = code;
    this.#reason = reason;
    for (const { resolve } of this.#readers?.splice(0) ?? []) resolve(over);
    this.#controller?.abort(this.#endError());
  }

  #endError(): Error {
    return new DOMException(`The connection of ${this.#plan.name} has ended with ${this.#code}`, "AbortError");
  }
}

/** The function of a connection, with any messages. */
export type AnyConversation = Conversation<unknown, unknown, number>;

/** Returns the messages of a connection, for one loop. Leaving the loop leaves the connection open. */
function iterate(next: () => Promise<MessageStep>): AsyncIterableIterator<unknown, undefined> {
  let isLeft = false;
  return {
    next: () => isLeft ? Promise.resolve(over) : next(),
    return(): Promise<MessageStep> {
      isLeft = true;
      return Promise.resolve(over);
    },
    [Symbol.asyncIterator](): AsyncIterableIterator<unknown, undefined> {
      return this;
    },
  };
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

const tooMany = "too many messages are unread";

/** The most bytes of a reason (RFC 6455, section 5.5.1). */
const maxReasonBytes = 123;

/** Returns the beginning of a text that a close frame can carry. */
function cutReason(text: string): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxReasonBytes)).read);
}

/** Returns whether a frame has more bytes than the maximum. A character of UTF-16 is one to three bytes of UTF-8. */
function isLonger(frame: Frame, maxBytes: number): boolean {
  if (frame.length > maxBytes) return true;
  return typeof frame === "string" && frame.length * 3 > maxBytes && byteLength(frame) > maxBytes;
}
