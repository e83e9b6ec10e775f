/** What `connect()` knows of its connections before the first one. */
import { type Awaitable, whenReady } from "../../awaitable.ts";
import type { AnyOutcome } from "../../client/settings.ts";
import { type CalledRoute, ClientError, type ClientErrorCode, type ClientErrorDetails } from "../../client/error.ts";
import { type Coder, coderOf, type RouteCall } from "../../contract/call.ts";
import { routeLabel, toOneLine } from "../../messages.ts";
import { decodeMessage, encodeMessage, type Frame, isTextual, type SocketFacts } from "../../representation/socket.ts";
import { readJson } from "../../wire/json.ts";
import type { CheckedOptions } from "./options.ts";

/** A call of any route, without the types of that route. */
export interface SocketCall {
  (...args: readonly unknown[]): Promise<AnyOutcome>;
  request(...args: readonly unknown[]): Promise<Request>;
}

/** Everything that stays the same from one connection to the next. */
export interface ConnectPlan {
  readonly call: SocketCall;
  readonly declared: RouteCall;
  readonly route: CalledRoute;
  readonly facts: SocketFacts;
  readonly options: CheckedOptions;
  /** Returns the input of the next connection. */
  readonly toInput: (last: unknown) => Awaitable<unknown>;
  /** Encodes a message. Throws if it cannot be sent. */
  readonly encode: (message: unknown) => Awaitable<Frame>;
  /** Decodes a message. Throws if it is invalid. */
  readonly decode: (data: unknown) => Awaitable<unknown>;
}

/** Returns the function that encodes the messages of the client. */
export function planEncoding({ fromClient }: SocketFacts): ConnectPlan["encode"] {
  const { encode } = coderOf(fromClient.schema);
  return (message) =>
    whenReady(encode ? encode(message, "the message") : message, (value) => encodeMessage(value, fromClient));
}

/**
 * Returns the function that decodes the messages of the server.
 *
 * @param decode Decodes values. Default: that of the codec, which a slim contract does not name elsewhere.
 */
export function planDecoding(
  { fromServer }: SocketFacts,
  decode: Coder["decode"] = coderOf(fromServer.schema).decode,
): ConnectPlan["decode"] {
  const textual = isTextual(fromServer);
  return (data) => {
    if ((typeof data === "string") !== textual) {
      throw new TypeError(textual ? "it is binary, not text" : "it is text, not binary");
    }
    const frame = typeof data === "string" ? data : new Uint8Array(data as ArrayBuffer); // as binaryType asks
    const value = decodeMessage(frame, fromServer, readJson);
    return decode ? whenReady(value, decode) : value;
  };
}

/** Creates an error of the connections of a route. */
export function toError(
  route: CalledRoute,
  code: ClientErrorCode,
  state: string,
  details: ClientErrorDetails = {},
): ClientError {
  return new ClientError(code, `Cannot use the connection of ${routeLabel(route)}: ${toOneLine(state)}`, {
    ...details,
    route,
  });
}
