/** How documents describe connections: the member `x-websocket` of the response 101, which OpenAPI has no keyword for. */
import type { ResponseDeclaration } from "../../contract/response.ts";
import { type MessageFormat, type MessageKind, type SocketFacts, socketFactsOf } from "../../representation/socket.ts";
import type { Schema } from "../../schema.ts";
import type { JsonSchemaObject } from "../json_schema/json.ts";
import type { OpenApiMessages, OpenApiSocket } from "./types.ts";

/** The directions of a connection, in the words of `response.socket()`. */
export const socketSides = ["fromClient", "fromServer"] as const;

/**
 * The slots of a connection's messages.
 *
 * @internal
 */
export type SocketSlot = `101.${(typeof socketSides)[number]}`;

/** Returns what a response declares of connections. `undefined` if it is another one. */
export function socketOf(declared: ResponseDeclaration | undefined): SocketFacts | undefined {
  return declared && socketFactsOf(declared.representation);
}

export function listMessages(
  declared: ResponseDeclaration,
): { readonly slot: SocketSlot; readonly schema: Schema; readonly direction: "input" | "output" }[] {
  const facts = socketOf(declared);
  if (!facts) return [];
  return socketSides.flatMap((side) => {
    const { schema } = facts[side];
    if (schema === undefined || isOpaque(facts[side])) return [];
    const direction = side === "fromClient" ? "input" : "output";
    return [{ slot: `101.${side}` as const, schema: schema as Schema, direction }]; // a contract has checked it
  });
}

/** Whether JSON Schema cannot describe messages: bytes, and formats without the structure of JSON. */
function isOpaque({ kind, custom }: MessageFormat): boolean {
  return custom ? custom.structure !== "json" : mediaTypes[kind] === mediaTypes.bytes;
}

const mediaTypes: Readonly<Record<MessageKind, string>> = {
  json: "application/json",
  text: "text/plain",
  bytes: "application/octet-stream",
  as: "application/octet-stream",
};

export function messageType({ kind, custom }: MessageFormat): string {
  return custom?.contentType ?? mediaTypes[kind];
}

/**
 * Describes the connections of a route.
 *
 * @param schemaOf Returns the JSON Schema of messages; `undefined` if there is none.
 */
export function describeSocket(
  { fromClient, fromServer, closes, protocols, maxMessageBytes }: SocketFacts,
  schemaOf: (slot: SocketSlot) => JsonSchemaObject | undefined,
): OpenApiSocket {
  return {
    fromClient: describeMessages(fromClient, schemaOf("101.fromClient")),
    fromServer: describeMessages(fromServer, schemaOf("101.fromServer")),
    ...(Object.keys(closes).length > 0 && { closes }),
    ...(protocols && { protocols }),
    ...(maxMessageBytes !== undefined && { maxMessageBytes }),
  };
}

function describeMessages(format: MessageFormat, schema: JsonSchemaObject | undefined): OpenApiMessages {
  const type = messageType(format);
  const plain = { type: "string", ...(isOpaque(format) && { format: "binary" }) };
  return { content: { [type]: { schema: schema ?? (type === mediaTypes.json ? {} : plain) } } };
}
