/** The body of a request to a Node server: who has read it, and how it is read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { BodyReader, Content } from "../server/http/exchange.ts";
import { collectBytes } from "../wire/read_bytes.ts";

/** A request with its response. Those of HTTP/2 have the same methods, and a stream. */
export interface Message {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly stream: ServerHttp2Stream | undefined;
}

/** What one read of a body returns. */
type Read = Awaited<ReturnType<BodyReader["read"]>>;

/** The body of one message. It is read once. */
export class MessageBody {
  readonly #message: Message;
  /** The stated length. `NaN` if there is none. */
  readonly length: number;
  /** Whether the client waits to be told to send it. */
  readonly #isAsked: boolean;
  /** Whether this server reads it. */
  isOpen = false;
  #received = 0;
  #isDiscarded = false;

  constructor(message: Message, length: number, isAsked: boolean) {
    this.#message = message;
    this.length = length;
    this.#isAsked = isAsked;
  }

  /**
   * Whether it has been read, by this server or by other code, in whole or in part, or other code has decided how: by
   * `setEncoding()`, or by listening to `readable`, after which no other listener receives bytes.
   */
  get isUsed(): boolean {
    const { req } = this.#message;
    const isRead = this.isOpen || req.readableDidRead || req.readableEnded;
    return isRead || Boolean(req.readableEncoding) || req.listenerCount("readable") > 0;
  }

  /** The number of bytes that have not arrived. `Infinity` if it is not known. */
  get unread(): number {
    if (this.#message.req.complete) return 0;
    return Number.isNaN(this.length) ? Infinity : this.length - this.#received;
  }

  /**
   * What a parser has made of the body, which it has read to its end. `undefined` if there is none. Parsers make `{}` of
   * an empty body.
   */
  get parsed(): unknown {
    const { req } = this.#message;
    if (this.isOpen || !req.readableEnded) return undefined;
    return req.readableDidRead ? (req as { readonly body?: unknown }).body : new Uint8Array(0);
  }

  /** Reads it to its end. `undefined` if it is longer than the maximum. */
  read(maxBytes: number, asText: boolean): Promise<Content | undefined> {
    return new Promise((resolve, reject) => {
      const { add, join } = collectBytes(asText); // the buffer of a chunk contains other messages
      let isOver = false;
      this.#open((chunk) => {
        if (isOver) return;
        if (this.#received > maxBytes) {
          isOver = true;
          this.#message.req.pause();
          resolve(undefined);
        } else {
          add(chunk);
        }
      }, (isWhole) => {
        if (isOver) return;
        isOver = true;
        if (!isWhole) return reject(cutOff());
        try {
          resolve(asText ? decoder.decode(join()) : join());
        } catch (error) { // longer than the platform's longest text or buffer: in a listener, it would end the process
          reject(error);
        }
      });
    });
  }

  /** Opens it for reading it as it arrives. At most one chunk waits for its reader. */
  open(): BodyReader {
    const { req } = this.#message;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let take: ((read: Read | Promise<never>) => void) | undefined;
    let end: Promise<Read> | undefined;
    const settle = (last: Promise<Read>): void => {
      end ??= last;
      take?.(end as Promise<never>);
      take = undefined;
    };
    this.#open((chunk) => {
      if (end) return;
      const value = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length); // no handler receives a `Buffer`
      if (!take) {
        chunks.push(value);
        return req.pause();
      }
      take({ done: false, value });
      take = undefined;
    }, (isWhole) => end || settle(isWhole ? Promise.resolve({ done: true }) : rejected()));
    return {
      read: (): Promise<Read> => {
        const value = chunks.shift();
        if (value) return Promise.resolve({ done: false, value });
        if (end) return end;
        if (req.isPaused()) req.resume();
        return new Promise((resolve) => take = resolve);
      },
      cancel: async (): Promise<void> => {
        chunks.length = 0;
        settle(Promise.resolve({ done: true }));
        req.pause();
        await end;
      },
    };
  }

  /**
   * Tells a client that waits for it to send the body. Node tells it by itself, unless the server listens to
   * `checkContinue`. After the head of the response it is too late.
   */
  ask(): void {
    const { res, stream } = this.#message;
    if (!this.#isAsked || this.isOpen || res.headersSent) return;
    const isTold = stream ? stream.sentInfoHeaders?.length : (res as { readonly _sent100?: boolean })._sent100;
    if (!isTold) res.writeContinue();
  }

  /** Lets the rest arrive, which nothing reads. Node itself discards only a body that nothing has begun to read. */
  discard(): void {
    this.#isDiscarded = true;
    this.#message.req.resume();
  }

  /**
   * Asks the client for the body and passes its chunks on, and at the end whether it was whole, perhaps several times. The
   * listeners stay, because removing one makes an emitter slow.
   */
  #open(onChunk: (chunk: Uint8Array<ArrayBuffer>) => void, onEnd: (isWhole: boolean) => void): void {
    const { req, stream } = this.#message;
    const isGone = req.aborted || req.destroyed;
    if (!isGone) this.ask();
    this.isOpen = true;
    if (isGone) return onEnd(false);
    req.on("data", (chunk: Uint8Array<ArrayBuffer>) => {
      this.#received += chunk.length;
      if (this.#isDiscarded) return;
      onChunk(chunk);
      if (this.#received === this.length) onEnd(true); // 'end' is an event later
    });
    if (!(this.length >= 0) || stream) req.on("end", () => onEnd(!req.aborted && !stream?.closed));
    req.on("close", () => onEnd(false));
    if (req.isPaused()) req.resume();
  }
}

function cutOff(): Error {
  return new Error("The client has disconnected before the end of the body");
}

function rejected(): Promise<never> {
  const end = Promise.reject<never>(cutOff());
  end.catch(() => {}); // nothing may read again
  return end;
}

const decoder = /* @__PURE__ */ new TextDecoder();
