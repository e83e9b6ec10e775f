/**
 * The room's boundary, as data: JSON goes in, server-sent events come out, and a WebSocket tells who is writing. The page
 * has contract.slim.ts in its place.
 *
 * @module
 */
import { defineContract, response, route } from "@scope/api";
import * as v from "valibot";
import { roomEvents } from "./codecs.ts";

export { type RoomEvent } from "./codecs.ts";

const notBlank = v.regex(/\S/, "must not be blank"); // documents say so too, which a shortest length could not
const Name = v.pipe(v.string(), v.trim(), notBlank, v.maxLength(40));
const Text = v.pipe(v.string(), v.trim(), notBlank, v.maxLength(2000));
const EventId = v.pipe(v.string(), v.regex(/^\d{1,15}-\d{1,15}$/)); // a time and a number

export const contract = defineContract({
  basePath: "/api",
  routes: {
    say: route.post("/messages", {
      // clients repeat requests that got no response: a message is said once for each key
      headers: v.object({ "idempotency-key": v.optional(v.pipe(v.string(), v.uuid())) }),
      body: v.object({ author: Name, text: Text }),
      responses: { 204: response.empty(), 503: response.problem() },
    }),
    listen: route.get("/messages", {
      query: v.object({ name: Name }),
      // what a browser's own EventSource sends when it comes back
      headers: v.object({ "last-event-id": v.optional(EventId) }),
      responses: { 200: response.sse(roomEvents) },
    }),
    typing: route.get("/typing", {
      query: v.object({ name: Name }),
      responses: { 101: response.raw(), 426: response.text({ headers: v.object({ upgrade: v.string() }) }) },
    }),
  },
});
