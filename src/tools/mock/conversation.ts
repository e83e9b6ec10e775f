/** Generates the messages of the server's side of a connection. */
import { type Awaitable, wait, whenReady } from "../../awaitable.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { Conversation } from "../../contract/socket.ts";
import type { Schema } from "../../schema.ts";
import type { Choices } from "../json_schema/choices.ts";
import { type DrawSettings, planSlotValue } from "./draw_slot.ts";

/** How many messages are sent before any of the client. */
const openingLength = 3;

/** Generates the conversation of a connection. The messages depend on the question. */
export type DrawConversation = (question: string) => Awaitable<Conversation<unknown, unknown>>;

/** What the server sends on connections. */
interface ServerMessages {
  readonly route: RouteNode;
  readonly schema: Schema | undefined;
  /** Generates the wire value of messages that JSON Schema does not describe. */
  readonly drawWire: ((choices: Choices) => unknown) | undefined;
}

/**
 * Plans the conversations of a route: three messages, and one more for each valid message of the client. They are drawn
 * before the connection opens, as far as that is possible, so that a route without a possible value is refused.
 *
 * @throws {TypeError} If the schema does not convert to JSON Schema, or the option `sample` returns an invalid value.
 */
export function planConversation(
  messages: ServerMessages,
  settings: DrawSettings & { readonly delay: number },
): DrawConversation {
  const draw = planSlotValue({ ...messages, slot: "101.fromServer" }, settings);
  return (question) => {
    const drawAt = (index: number) => draw({ seed: `${question} ${index}`, echoes: {}, path: [index] });
    const opening = Array.from({ length: openingLength }, (_, index) => drawAt(index));
    return whenReady(Promise.all(opening), (drawn): Conversation<unknown, unknown> => async (socket) => {
      for (const [index, message] of drawn.entries()) {
        if (index > 0 && settings.delay > 0) await wait(settings.delay, socket.signal);
        await socket.send(message);
      }
      let index = openingLength;
      for await (const _ of socket) await socket.send(await drawAt(index++));
    });
  };
}
