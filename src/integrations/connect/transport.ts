/** One WebSocket, from its handshake to its end, without the differences between runtimes. */
import type { Frame } from "../../representation/socket.ts";
import { longestTimeout } from "../../awaitable.ts";

/** The members of a WebSocket that {@linkcode connect} uses: any `WebSocket` of a platform, or of the package `ws`. */
export interface WebSocketLike {
  /** The number of bytes that were sent and have not left yet. */
  readonly bufferedAmount: number;
  /** The state of the connection. 1 means open. */
  readonly readyState: number;
  /** How binary messages are received. Set to `"arraybuffer"`. */
  binaryType: string;
  /** Sends a message. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Closes the connection. */
  close(code?: number, reason?: string): void;
  /** Listens to messages: text, or an `ArrayBuffer`. */
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  /** Listens to the end. */
  addEventListener(type: "close", listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  /** Listens to the beginning, or to a failure. */
  addEventListener(type: "open" | "error", listener: () => void): void;
}

/** How a connection ended. */
export interface ConnectionEnding {
  /** The close code (RFC 6455, section 7.4). */
  readonly code: number;
  /** The reason that the server gave, or an empty text. */
  readonly reason: string;
}

/** What a transport does with events. */
interface TransportEvents {
  /** Called when the connection is open, before its first message. */
  readonly onOpen: () => void;
  /** Called with the data of each message. */
  readonly onMessage: (data: unknown) => void;
  /** The most milliseconds without a message. The connection ends after that. */
  readonly silence: number;
}

/** The code of a connection that ended without a close frame. */
export const abnormal = 1006;

/** The longest wait for the close frame of the server, in milliseconds. */
const patience = 3000;

/** A WebSocket that ends exactly once. */
export class Transport {
  /** Resolves when the connection has ended. */
  readonly ended: Promise<ConnectionEnding>;
  readonly #socket: WebSocketLike;
  readonly #silence: number;
  #setEnded!: (ending: ConnectionEnding) => void;
  /** Whether nothing is received any more: either side has closed it. */
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: WebSocketLike, { onOpen, onMessage, silence }: TransportEvents) {
    this.#socket = socket;
    this.#silence = silence;
    this.ended = new Promise((resolve) => this.#setEnded = resolve);
    this.#expectMessage();
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      if (this.#isOver) closeQuietly(socket); // it was left during the handshake
      else onOpen();
    });
    socket.addEventListener("message", ({ data }) => {
      if (this.#isOver) return;
      this.#expectMessage();
      onMessage(data);
    });
    // Deno reports 0 for a failed handshake
    socket.addEventListener("close", ({ code, reason }) => this.#end({ code: code || abnormal, reason }));
    socket.addEventListener("error", () => {
      if (socket.readyState !== 1) this.#end({ code: abnormal, reason: "" }); // Node reports nothing else if no server answers
    });
  }

  /** Returns whether a message can be written now: the connection is open, and at most `maxBytes` have yet to leave. */
  isWritable(maxBytes: number): boolean {
    return !this.#isOver && this.#socket.readyState === 1 && !(this.#socket.bufferedAmount > maxBytes);
  }

  /** Writes a message. The connection must be writable. */
  write(frame: Frame): void {
    this.#socket.send(frame);
  }

  /** Closes the connection with a close frame, and waits 3 seconds for that of the server. */
  close(code: number, reason: string): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.leave(), patience);
    this.#socket.close(code, reason);
  }

  /** Ends the connection at once, and closes it in the background. */
  leave(): void {
    closeQuietly(this.#socket);
    this.#end({ code: abnormal, reason: "" });
  }

  #expectMessage(): void {
    if (this.#silence > longestTimeout) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.leave(), this.#silence);
  }

  #end(ending: ConnectionEnding): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#setEnded(ending);
  }
}

function closeQuietly(socket: WebSocketLike): void {
  try {
    socket.close(1000);
  } catch {
    // it never opened
  }
}
