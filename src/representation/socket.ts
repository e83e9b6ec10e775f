/** Connections on which both sides send messages (WebSocket, RFC 6455), as the representation of the status 101. */
import { type Awaitable, whenReady } from "../awaitable.ts";
import { encodeStrictJson, parseJson } from "../wire/json.ts";
import { type CustomRepresentation, encodeBytes, encodeText, raw } from "./whole_body.ts";
import type { Representation, ResponsePlace, ResponseRepresentation, WholeContent } from "./representation.ts";

/** The formats that messages can have. */
export type MessageKind = "json" | "text" | "bytes" | "as";

/**
 * How the messages of one direction are written: JSON and text in text frames, the others in binary frames.
 *
 * @internal
 */
export interface MessageFormat {
  readonly kind: MessageKind;
  /** The Standard Schema of a message, which runs on the server. A codec runs on both sides. */
  readonly schema?: unknown;
  /** The representation of a message by `as()`. */
  readonly custom?: CustomRepresentation | undefined;
}

/**
 * What a contract declares of the connections of a route.
 *
 * @internal
 */
export interface SocketFacts {
  readonly fromClient: MessageFormat;
  readonly fromServer: MessageFormat;
  /** What the application's close codes mean, by code. */
  readonly closes: Readonly<Record<number, string>>;
  /** The subprotocols that the server selects from, instead of `json`. */
  readonly protocols?: readonly string[] | undefined;
  /** The maximum size of a client's message in bytes. `undefined` if that of the adapter applies. */
  readonly maxMessageBytes?: number | undefined;
}

/**
 * The representation of a response by `response.socket()`.
 *
 * @internal
 */
export interface SocketRepresentation extends ResponseRepresentation<"socket"> {
  readonly socket: SocketFacts;
}

/**
 * Creates the representation that declarations of sockets carry, and rows of slim contracts, whose schemas are codecs. A
 * client's call receives the native response.
 */
export function socketRepresentation(socket: SocketFacts): SocketRepresentation {
  return Object.freeze({ ...raw, kind: "socket", checkPlace, socket });
}

/** Returns what a representation declares of connections. `undefined` if it is another one. */
export function socketFactsOf(representation: Representation): SocketFacts | undefined {
  return (representation as Partial<SocketRepresentation>).socket; // no other has the member
}

/** Returns why it cannot be there: it is the response 101 of a GET, whose headers browsers do not let pages set. */
function checkPlace(status: string, { method = "GET", headers }: ResponsePlace): string | undefined {
  if (status !== "101") return `response ${status} must not be response.socket(); declare it as the response 101`;
  if (method !== "GET") {
    return `response 101 of ${method} must not be response.socket(), because a handshake is a GET; use route.get()`;
  }
  if (headers) {
    return 'response 101 cannot be response.socket() beside "headers", because browsers send none; use "query"';
  }
}

/** A message as it is sent: text, or binary data. */
export type Frame = string | Uint8Array<ArrayBuffer>;

/** How the messages of a kind are written. */
interface MessageRules {
  /** Whether their frames are text. */
  readonly isTextual: boolean;
  /** Whether no message is an empty text, so that one can have another meaning. */
  readonly isNeverEmpty?: true;
  /** Encodes a message. Throws a `TypeError` if it cannot. */
  readonly encode: (message: unknown, custom: CustomRepresentation | undefined) => Awaitable<WholeContent>;
  /** Decodes a frame of the same kind. Throws if it is malformed. */
  readonly decode: (
    frame: Frame,
    custom: CustomRepresentation | undefined,
    parse: typeof parseJson,
  ) => Awaitable<unknown>;
}

const rules: Readonly<Record<MessageKind, MessageRules>> = {
  json: {
    isTextual: true,
    isNeverEmpty: true,
    encode: (message) => encodeStrictJson(message),
    decode: (frame, _custom, parse) => parse(String(frame)),
  },
  text: { isTextual: true, encode: encodeText, decode: (frame) => frame },
  bytes: { isTextual: false, encode: encodeBytes, decode: (frame) => frame },
  as: {
    isTextual: false,
    encode: (message, custom) => custom!.encode(message) as Awaitable<WholeContent>, // toBytes() checks it
    decode: (frame, custom) => custom!.decode(frame as Uint8Array<ArrayBuffer>), // its frames are binary
  },
};

/** Whether messages are sent as text. */
export function isTextual({ kind }: MessageFormat): boolean {
  return rules[kind].isTextual;
}

/** Whether no message is an empty text: a server may send one to show that a connection is alive. */
export function isNeverEmpty({ kind }: MessageFormat): boolean {
  return rules[kind].isNeverEmpty === true;
}

/** Encodes a message that its schema has accepted. Throws a `TypeError` if the format cannot carry it. */
export function encodeMessage(message: unknown, { kind, custom }: MessageFormat): Awaitable<Frame> {
  const { encode, isTextual } = rules[kind];
  const content = encode(message, custom);
  return isTextual ? content as string : whenReady<WholeContent, Awaitable<Frame>>(content, toBytes);
}

function toBytes(content: WholeContent): Awaitable<Uint8Array<ArrayBuffer>> {
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content instanceof Blob) return content.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  if (ArrayBuffer.isView(content)) return content;
  throw new TypeError("a message must be encoded as text, bytes or a Blob");
}

/**
 * Decodes a message, which no schema has accepted yet. Throws if it is malformed. The frame has the kind that
 * {@linkcode isTextual} tells.
 *
 * @param parse Parses JSON.
 */
export function decodeMessage(frame: Frame, { kind, custom }: MessageFormat, parse = parseJson): Awaitable<unknown> {
  return rules[kind].decode(frame, custom, parse);
}
