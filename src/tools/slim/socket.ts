import type { Codec } from "../../contract/codec.ts";
import type { CustomRepresentation } from "../../representation/custom.ts";
import type { ResponseRepresentation } from "../../representation/representation.ts";
import { type MessageFormat, type MessageKind, socketRepresentation } from "../../representation/socket.ts";

/**
 * What a client needs of the messages of one direction. Without members they are JSON.
 *
 * @internal
 */
export interface SlimMessages {
  /** Their format. Default: `"json"`. */
  readonly kind?: MessageKind;
  /** Their codec. */
  readonly codec?: Codec;
  /** The representation of messages by `as()`. */
  readonly custom?: CustomRepresentation;
}

/**
 * What a client needs of the connections of a route.
 *
 * @internal
 */
export interface SlimSocket {
  /** The messages of the client. */
  readonly fromClient?: SlimMessages;
  /** The messages of the server. */
  readonly fromServer?: SlimMessages;
  /** The application's close codes. */
  readonly closes?: readonly number[];
  /** The subprotocols. */
  readonly protocols?: readonly string[];
}

/**
 * Declares in a slim contract the connections of a route, as `response.socket()` does in a whole one.
 *
 * @example A route whose messages are JSON
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { slimContract, socket } from "@scope/api/slim";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const numbers = response.socket({ fromClient: type("number"), fromServer: type("number"), closes: { 4001: "Over" } });
 * const whole = defineContract({ routes: { feed: route.get("/feed", { responses: { 101: numbers } }) } });
 *
 * const contract = slimContract<typeof whole>({ feed: ["GET", "/feed", {}, { 101: socket({ closes: [4001] }) }] });
 * const client = createClient(contract, { baseUrl: "https://api.example.com" }); // for connect(client.feed)
 * assertEquals(client.feed.url(), "https://api.example.com/feed");
 * ```
 */
export function socket(
  { fromClient, fromServer, closes = [], protocols }: SlimSocket = {},
): ResponseRepresentation<"socket"> {
  return socketRepresentation({
    fromClient: toFormat(fromClient),
    fromServer: toFormat(fromServer),
    closes: Object.fromEntries(closes.map((code) => [code, ""])),
    protocols,
    maxMessageBytes: undefined,
  });
}

function toFormat({ kind = "json", codec, custom }: SlimMessages = {}): MessageFormat {
  return { kind, schema: codec, custom };
}
