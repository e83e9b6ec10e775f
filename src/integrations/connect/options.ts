/** The options of `connect()`. */
import { isPromise } from "../../awaitable.ts";
import type { ClientError } from "../../client/error.ts";
import { isObject } from "../../mark.ts";
import { describeConfidential } from "../../messages.ts";
import type { WebSocketLike } from "./transport.ts";
import {
  aBoolean,
  aCount,
  aDurationAboveZero,
  aFunction,
  aPositiveCount,
  aSignal,
  failAt,
  readPlainOptions,
  type ValueRule,
} from "../../options.ts";

/** A WebSocket that has opened. */
export interface Connected {
  /** Whether another one was open before. Messages in between may be missing. */
  readonly reconnected: boolean;
}

/** A WebSocket that has ended or could not be opened, and is followed by another one. */
export interface Disconnected {
  /** The milliseconds until the next one. `Infinity` as long as the page is left. */
  readonly wait: number;
  /** The close code. 1006 if there was none. */
  readonly code: number;
  /** Why no WebSocket opened. `undefined` if one was open. */
  readonly error?: ClientError | undefined;
}

/**
 * Opens WebSockets: a class like the platform's, or a function. `options` has the headers of the call, which a browser's
 * `WebSocket` cannot send.
 */
export type OpenWebSocket =
  | ((url: string, protocols: string[], options: OpenOptions) => WebSocketLike)
  | (new (url: string, protocols: string[], options: OpenOptions) => WebSocketLike);

/**
 * What a handshake can send besides its URL and its subprotocols.
 *
 * @internal
 */
export interface OpenOptions {
  /** The header fields of the call, by name. */
  readonly headers: Record<string, string>;
}

/** The options of `connect()`. `Received` is the type of the messages of the server. */
export interface ConnectOptions<Received = unknown> {
  /** Ends the connection when it aborts. Loop, `send()` and `closed` then reject with its reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Opens WebSockets. Pass the class of the package `ws` on a runtime without `WebSocket`, or to send headers. Default:
   * the global `WebSocket`, without headers.
   */
  readonly open?: OpenWebSocket | undefined;
  /**
   * Whether a message may be the `last` one for the function that returns the input. Pass it if some messages have no id:
   * `remember: ({ type }) => type === "said"`. Errors thrown by it are ignored. Default: every message is.
   */
  readonly remember?: ((message: Received) => boolean) | undefined;
  /** Whether it reconnects. Default: `true`. */
  readonly reconnect?: boolean | undefined;
  /** The most messages that wait to be sent: an integer, 0 or more. `send()` rejects one more. Default: 100. */
  readonly maxQueued?: number | undefined;
  /**
   * The most messages that have arrived and have not been read: an integer, 1 or more. With one more, the connection
   * fails with code `unexpected-close`. Default: 1,024.
   */
  readonly maxBufferedMessages?: number | undefined;
  /**
   * The most milliseconds without a message, also while a WebSocket opens: above 0, at most 2,147,483,647, or `Infinity`.
   * It then opens the next one. Set it if the server sends messages regularly, or has the option `keepAlive`: browsers
   * do not notice that a network has gone. Default: `Infinity`.
   */
  readonly silence?: number | undefined;
  /** Called when a WebSocket is open, before its first message. Errors thrown by it are ignored. */
  readonly onConnect?: ((connected: Connected) => unknown) | undefined;
  /**
   * Called when a WebSocket has ended or could not be opened, before the wait for the next one. Errors thrown by it are
   * ignored.
   */
  readonly onDisconnect?: ((disconnected: Disconnected) => unknown) | undefined;
}

/** The options with their defaults. */
export interface CheckedOptions extends ConnectOptions {
  readonly open: OpenWebSocket;
  /** Whether WebSockets can send headers. */
  readonly sendsHeaders: boolean;
  readonly reconnect: boolean;
  readonly maxQueued: number;
  readonly maxBufferedMessages: number;
  readonly silence: number;
}

const rules = {
  signal: aSignal,
  open: aFunction,
  remember: aFunction,
  reconnect: aBoolean,
  maxQueued: aCount,
  maxBufferedMessages: aPositiveCount,
  silence: aDurationAboveZero,
  onConnect: aFunction,
  onDisconnect: aFunction,
} satisfies Readonly<Record<keyof ConnectOptions, ValueRule>>;

/** Checks the options. Throws a `TypeError` if one is invalid. */
export function checkConnectOptions(given: unknown): CheckedOptions {
  const options: ConnectOptions = readPlainOptions(given, rules, connectName);
  const { open, reconnect = true, maxQueued = 100, maxBufferedMessages = 1024, silence = Infinity } = options;
  return {
    ...options,
    open: open ?? findPlatform(),
    sendsHeaders: open !== undefined,
    reconnect,
    maxQueued,
    maxBufferedMessages,
    silence,
  };
}

/**
 * Opens a WebSocket. A class has a prototype, and so has a function, which returns the same with `new`. Throws a
 * `TypeError` if it is none.
 */
export function openSocket(open: OpenWebSocket, ...[url, protocols, options]: OpenArguments): WebSocketLike {
  const socket = isConstructor(open) ? new open(url, protocols, options) : open(url, protocols, options);
  if (isObject(socket) && "addEventListener" in socket) return socket;
  const found: unknown = socket;
  if (isPromise(found)) found.then(undefined, () => {}); // the error below is that of the connection
  throw new TypeError(
    `"open" must return a WebSocket, got ${isPromise(found) ? "a promise" : describeConfidential(found)}`,
  );
}

type OpenArguments = [url: string, protocols: string[], options: OpenOptions];

function isConstructor(open: OpenWebSocket): open is new (...given: OpenArguments) => WebSocketLike {
  return open.prototype !== undefined;
}

/** Returns a function that opens WebSockets of the platform. */
function findPlatform(): OpenWebSocket {
  if (typeof WebSocket === "undefined") {
    failAt(connectName, 'this runtime has no WebSocket; pass "open", for example with the package ws');
  }
  return (url, protocols) => new WebSocket(url, protocols);
}

/** The platform's class, declared here because not every runtime has its types. */
declare const WebSocket: (new (url: string, protocols: string[]) => WebSocketLike) | undefined;

/** The name of `connect()` in messages. */
export const connectName = "connect()";
