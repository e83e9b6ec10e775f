/** The row of a response by `response.socket()`: what a client needs of its messages. */
import type { CustomRepresentation } from "../../representation/whole_body.ts";
import {
  type MessageFormat,
  type MessageKind,
  type SocketRepresentation,
  socketRepresentation,
} from "../../representation/socket.ts";
import type { Schema } from "../../schema.ts";

/** What a client needs of the messages of one direction. Empty for JSON without a codec. */
export interface MessageRow {
  /** How they are written. Default: JSON. */
  readonly kind?: MessageKind;
  /** The codec of a message. */
  readonly codec?: Schema;
  /** The representation of a message. */
  readonly custom?: CustomRepresentation;
}

/**
 * What a client needs of a connection. What is left out has its default.
 *
 * @internal
 */
export interface SocketRow {
  readonly fromClient?: MessageRow;
  readonly fromServer?: MessageRow;
  /** The close codes of the application. */
  readonly closes?: readonly number[];
  /** The subprotocols. */
  readonly protocols?: readonly string[];
}

/** Returns the representation of a response by `response.socket()`, without schemas. */
export function socket({ fromClient, fromServer, closes = [], protocols }: SocketRow = {}): SocketRepresentation {
  return socketRepresentation({
    fromClient: toFormat(fromClient),
    fromServer: toFormat(fromServer),
    closes: Object.fromEntries(closes.map((code) => [code, ""])), // clients do not describe them
    protocols,
    maxMessageBytes: undefined, // which servers check
  });
}

function toFormat({ kind = "json", codec, custom }: MessageRow = {}): MessageFormat {
  return { kind, schema: codec, custom };
}
