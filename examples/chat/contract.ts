/**
 * The contract of the room: messages arrive as JSON and leave as server-sent events, and a WebSocket tells the others who is typing.
 * The page imports contract.slim.ts instead.
 *
 * @module
 */
import { defineContract, response, route } from "@scope/api";
import * as v from "valibot";
import { roomEvents } from "./codecs.ts";

export type { RoomEvent } from "./codecs.ts";

const notBlank = v.regex(/\S/, "must not be blank"); // unlike a minimum length, it is also in the OpenAPI document
const Name = v.pipe(v.string(), v.trim(), notBlank, v.maxLength(40));
const Text = v.pipe(v.string(), v.trim(), notBlank, v.maxLength(2000));
const EventId = v.pipe(v.string(), v.regex(/^\d{1,15}-\d{1,15}$/)); // a time and a number

export const contract = defineContract({
  basePath: "/api",
  routes: {
    say: route.post("/messages", {
      // clients retry requests without a response: each key sends one message
      headers: v.object({ "idempotency-key": v.optional(v.pipe(v.string(), v.uuid())) }),
      body: v.object({ author: Name, text: Text }),
      responses: { 204: response.empty(), 503: response.problem() },
    }),
    listen: route.get("/messages", {
      query: v.object({ name: Name }),
      // sent by the browser's EventSource when it reconnects
      headers: v.object({ "last-event-id": v.optional(EventId) }),
      responses: { 200: response.sse(roomEvents) },
    }),
    typing: route.get("/typing", {
      query: v.object({ name: Name }),
      responses: {
        101: response.socket({
          fromClient: v.object({ isTyping: v.literal(true) }),
          fromServer: v.object({ name: Name }),
        }),
      },
    }),
  },
});
