/** The response 101: a connection on which both sides send messages. */
import type { Awaitable } from "../awaitable.ts";
import { describeValue } from "../messages.ts";
import { isMarked, markAs, type Marked } from "../mark.ts";
import type { WholeBody } from "../representation/representation.ts";
import type { CustomRepresentation } from "../representation/whole_body.ts";
import { type MessageFormat, type MessageKind, socketRepresentation } from "../representation/socket.ts";
import { isSchema, type OutputOf, type Schema } from "../schema.ts";
import { isToken } from "../wire/headers.ts";
import {
  aPositiveCount,
  checkObject,
  checkOptions,
  checkRules,
  checkSchema,
  describeDeclared,
  failAt,
} from "../options.ts";
import type { IsCodec, RequestFitsJson, ResponseFitsJson, SentOf } from "./infer.ts";
import type { CheckedItem, RequestBody, RequestContent } from "./request.ts";
import type { ResponseContent, ResponseDeclaration } from "./response.ts";

/**
 * What can declare the messages of clients: a schema means JSON.
 *
 * @internal
 */
export type ClientMessages = Schema | RequestBody<RequestContent, MessageKind>;

/**
 * What can declare the messages of the server: a schema means JSON.
 *
 * @internal
 */
export type ServerMessages = Schema | ResponseDeclaration<ResponseContent, MessageKind>;

/**
 * Descriptions of close codes, by code.
 *
 * @internal
 */
export type CloseCodes = Readonly<Record<number, string>>;

/** The options of {@linkcode response}`.socket`. */
export interface SocketOptions<
  FromClient extends ClientMessages = ClientMessages,
  FromServer extends ServerMessages = ServerMessages,
  Closes extends CloseCodes = CloseCodes,
> {
  /**
   * The messages of the client, which the server validates: a schema means JSON in text frames. `request.text()` declares
   * plain text, `request.bytes()` and `request.as(…)` binary frames.
   */
  readonly fromClient: FromClient & FitsClientMessages<FromClient>;
  /**
   * The messages of the server, which it validates before it sends them: a schema means JSON in text frames.
   * `response.text()` declares plain text, `response.bytes()` and `response.as(…)` binary frames.
   */
  readonly fromServer: FromServer & FitsServerMessages<FromServer>;
  /**
   * The application's close codes, from 4000 to 4999 (RFC 6455, section 7.4.2), each with a description. Both sides can
   * close with them. Default: none.
   */
  readonly closes?: Closes;
  /**
   * The subprotocols (RFC 6455, section 1.9). The server selects the first one that the client offers, and none if it
   * offers no declared one. Default: `["json"]`.
   */
  readonly protocols?: readonly string[];
  /**
   * The maximum size of a client's message in bytes: an integer, 1 or more. The server closes with 1009 after a longer one.
   * Default: that of the option `sockets` of the adapter.
   */
  readonly maxMessageBytes?: number;
  /** A description of the response for the OpenAPI document. Default: none. */
  readonly description?: string;
}

/**
 * `unknown` if the schema of a client's messages fits JSON. Otherwise an error message as a type.
 *
 * @internal
 */
type FitsClientMessages<Declared> = [Declared] extends [Schema] ? RequestFitsJson<Declared> : unknown;

/**
 * `unknown` if the schema of the server's messages fits JSON. Otherwise an error message as a type.
 *
 * @internal
 */
type FitsServerMessages<Declared> = [Declared] extends [Schema] ? ResponseFitsJson<Declared> : unknown;

/** The types of one direction: what is sent, and what is received. */
interface MessageTypes<Sent, Received, Codec = false> {
  readonly sent: Sent;
  readonly received: Received;
  readonly isCodec: Codec;
}

/**
 * The types of declared messages.
 *
 * @internal
 */
type MessageTypesOf<Declared> = Declared extends
  { readonly types?: infer Content extends RequestContent | ResponseContent }
  ? MessageTypes<Content["sent"], Content["received"], Content["isCodec"] extends true ? true : false>
  : Declared extends Schema ? MessageTypes<SentOf<Declared>, OutputOf<Declared>, IsCodec<Declared>>
  : never;

/**
 * An open connection, as the function that a handler returns for the status 101 receives it. Its loop yields the valid
 * messages of the client, one after the other, and ends when the connection does. An invalid message closes it with 1007.
 */
export interface ServerSocket<Received, Sent, Code extends number = never> extends AsyncIterable<Received, undefined> {
  /**
   * Returns the same messages with the invalid ones and their issues, for a function that answers these itself. They do
   * not close the connection then.
   */
  checked(): AsyncIterableIterator<CheckedItem<Received>, undefined, unknown>;
  /**
   * Sends a message. Resolves when it was written, which waits for a client that reads slowly. Rejects if the message does
   * not fit its schema, which closes the connection with 1011, or if the connection has ended. A rejection that nothing
   * handles is not an unhandled rejection.
   */
  send(message: Sent): Promise<void>;
  /**
   * Closes the connection, after the messages that `send()` has accepted. The loop ends at once: messages of the client
   * that it has not reached are dropped.
   *
   * @param code 1000, or a code that the contract declares. Default: 1000.
   * @param reason At most 123 bytes of UTF-8. Default: none.
   * @throws {TypeError} If the code is not declared, or the reason is too long.
   */
  close(code?: 1000 | Code, reason?: string): void;
  /** Aborts when the connection has ended: by either side, or because it broke. */
  readonly signal: AbortSignal;
  /** The selected subprotocol. `undefined` if there is none. */
  readonly protocol: string | undefined;
}

/**
 * The function that runs while a connection is open. When it returns, the connection closes with 1000. If it throws, with
 * 1011, and `onError` is called (phase `socket`).
 */
export type Conversation<Received, Sent, Code extends number = never> = (
  socket: ServerSocket<Received, Sent, Code>,
) => Awaitable<void>;

/**
 * The native response of a handshake, with the types of the connection, which `connect()` infers. Other callers cannot use
 * it: no `fetch` of a browser receives a 101.
 */
export interface SocketResponse<Sent, Received, Code extends number = never> extends Response {
  /** The types of the connection, on the client's side. Never present at run time. */
  readonly "~socket"?: { readonly sent: Sent; readonly received: Received; readonly code: Code } | undefined;
}

/** No headers: the runtime decides those of a handshake. */
type NoHeaders = Schema<{ readonly [name: string]: never }> & unknown;

/**
 * The declaration of a connection.
 *
 * @internal
 */
type SocketDeclaration<
  FromClient extends MessageTypes<unknown, unknown, unknown>,
  FromServer extends MessageTypes<unknown, unknown, unknown>,
  Code extends number,
> =
  & ResponseDeclaration<
    {
      readonly sent: Conversation<FromClient["received"], FromServer["sent"], Code> | Response;
      readonly received: SocketResponse<FromClient["sent"], FromServer["received"], Code>;
      readonly headers: NoHeaders;
      readonly isCodec: true extends FromClient["isCodec"] | FromServer["isCodec"] ? true : false;
    },
    "socket"
  >
  & unknown;

/**
 * Declares a connection on which both sides send messages: a WebSocket (RFC 6455). It is the response 101 of a
 * `route.get`. The handler returns a function of the open connection: `response(101, async (socket) => { … })`. The
 * adapter needs the option `sockets`.
 */
export function socket<
  FromClient extends ClientMessages,
  FromServer extends ServerMessages,
  const Closes extends CloseCodes = Record<never, never>,
>(
  options: SocketOptions<FromClient, FromServer, Closes>,
): SocketDeclaration<MessageTypesOf<FromClient>, MessageTypesOf<FromServer>, keyof Closes & number> {
  const where = "response.socket()";
  checkOptions(options, optionNames, where);
  const { fromClient, fromServer, closes = {}, protocols, maxMessageBytes, description } = options;
  checkCloses(closes, where);
  checkProtocols(protocols, where);
  checkRules(options, { maxMessageBytes: aPositiveCount }, where);
  const received = toFormat(fromClient, "request", '"fromClient"', where);
  const sent = toFormat(fromServer, "response", '"fromServer"', where);
  const representation = socketRepresentation(Object.freeze({
    fromClient: received,
    fromServer: sent,
    closes: Object.freeze({ ...closes }),
    protocols: protocols && Object.freeze([...protocols]),
    maxMessageBytes,
  }));
  return markAs("response", {
    kind: "socket",
    representation,
    contentType: undefined,
    schema: sent.schema as Schema | undefined, // toFormat() has checked it
    headers: undefined,
    description,
  });
}

const optionNames = ["fromClient", "fromServer", "closes", "protocols", "maxMessageBytes", "description"] as const;

/** Returns the format of declared messages. Throws a `TypeError` if they are not a schema or such a declaration. */
function toFormat(declared: unknown, side: "request" | "response", what: string, where: string): MessageFormat {
  if (isSchema(declared)) {
    checkSchema(declared, what, where, side === "request" ? "body" : side);
    return Object.freeze({ kind: "json", schema: declared, custom: undefined });
  }
  const messages: AnyMessages = isMarked(declared, side) ? declared as Marked & AnyMessages : {}; // each has a kind
  const { kind, schema, representation, optional, maxBytes, headers } = messages;
  if (!kind || !representation?.encode || representation.describes) { // it is not a whole body
    const found = kind ? `${side}.${kind}()` : describeDeclared(declared);
    failAt(where, `${what} must be a schema, or ${side}.text(), ${side}.bytes() or ${side}.as(…), got ${found}`);
  }
  if (optional || maxBytes !== undefined || headers) {
    failAt(where, `${what} must not have "optional", "maxBytes" or "headers"; use "maxMessageBytes" for a limit`);
  }
  return Object.freeze({ kind, schema, custom: representation.custom });
}

/** The members of a declaration in either direction. */
interface AnyMessages {
  readonly kind?: MessageKind;
  readonly schema?: Schema;
  readonly representation?: Partial<WholeBody> & { readonly custom?: CustomRepresentation };
  readonly optional?: boolean;
  readonly maxBytes?: number;
  readonly headers?: Schema;
}

function checkCloses(closes: unknown, where: string): void {
  for (const [code, description] of Object.entries(checkObject(closes, where, '"closes"'))) {
    if (!/^4\d{3}$/.test(code)) {
      failAt(where, `"closes" must have codes from 4000 to 4999, got ${JSON.stringify(code)}`);
    }
    if (typeof description !== "string") {
      failAt(where, `"closes.${code}" must be a string that describes it, got ${describeValue(description)}`);
    }
  }
}

function checkProtocols(protocols: unknown, where: string): void {
  if (protocols === undefined) return;
  const isList = Array.isArray(protocols) && protocols.length > 0;
  if (!isList) {
    failAt(where, `"protocols" must be an array of subprotocols like ["json"], got ${describeValue(protocols)}`);
  }
  for (const name of protocols) {
    if (typeof name !== "string" || !isToken(name) || name.startsWith("bearer.")) {
      failAt(
        where,
        `"protocols" must contain tokens that do not begin with "bearer.", got ${describeValue(name)}`,
      );
    }
  }
  if (new Set(protocols).size < protocols.length) failAt(where, '"protocols" has a name twice; remove one');
}
