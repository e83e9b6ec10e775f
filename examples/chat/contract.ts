/**
 * The room's boundary, as data: JSON goes in, server-sent events come out, and a WebSocket tells who is writing. Valibot
 * checks it, since its schemas need no `eval`, which the page's policy forbids.
 *
 * @module
 */
import { codec, defineContract, response, route } from "@scope/api";
import * as v from "valibot";

const Name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40));
const Text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000));
const People = v.object({ type: v.literal("people"), names: v.array(v.string()) });
const Message = { type: v.literal("message"), author: v.string(), text: v.string() };

const SentRoomEvent = v.variant("type", [People, v.object({ ...Message, at: v.pipe(v.string(), v.isoTimestamp()) })]);
const RoomEvent = v.variant("type", [People, v.object({ ...Message, at: v.date() })]);

/** What happens in the room: someone says something, or who is there changes. */
export type RoomEvent = v.InferOutput<typeof RoomEvent>;

/** Both sides see a `Date`; between them goes its text. */
const roomEvents = codec(SentRoomEvent, RoomEvent, {
  decode: (event) => event.type === "message" ? { ...event, at: new Date(event.at) } : event,
  encode: (event) => event.type === "message" ? { ...event, at: event.at.toISOString() } : event,
});

export const contract = defineContract({
  basePath: "/api",
  routes: {
    say: route.post("/messages", {
      body: v.object({ author: Name, text: Text }),
      responses: { 204: response.empty() },
    }),
    listen: route.get("/messages", {
      query: v.object({ name: Name }),
      // what a browser's own EventSource sends when it comes back
      headers: v.object({ "last-event-id": v.optional(v.pipe(v.string(), v.digits())) }),
      responses: { 200: response.sse(roomEvents) },
    }),
    typing: route.get("/typing", {
      query: v.object({ name: Name }),
      responses: { 101: response.raw(), 426: response.text({ headers: v.object({ upgrade: v.string() }) }) },
    }),
  },
});
