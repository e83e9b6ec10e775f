/** The API of the board: notes with a photo each, a stream that says when they have changed, and who is there. */
import { defineContract, request, response, route, router, security } from "@scope/api";
import * as z from "zod";

/** The largest photo, in bytes. */
export const maxPhotoBytes = 5_000_000;

export const session = security.cookie("session", { cookie: "session" });

const Note = z.object({
  id: z.string(),
  author: z.string(),
  text: z.string(),
  hasPhoto: z.boolean(),
});
const Missing = response.json(z.object({ message: z.string() }));
const SetsCookie = response.empty({
  headers: z.object({ "set-cookie": z.string() }),
});

export const contract = defineContract({
  basePath: "/api",
  security: [session],
  routes: {
    session: router("/session", {
      routes: {
        start: route.post("/", {
          security: [],
          body: request.json(z.object({ name: z.string().min(1).max(40), password: z.string() })),
          responses: { 204: SetsCookie, 403: response.problem() },
        }),
        find: route.get("/", {
          responses: { 200: response.json(z.object({ name: z.string() })), 401: response.problem() },
        }),
        end: route.delete("/", { responses: { 204: SetsCookie } }),
      },
    }),
    notes: router("/notes", {
      routes: {
        list: route.get("/", { responses: { 200: response.json(z.array(Note)) } }),
        create: route.post("/", {
          body: request.json(z.object({ text: z.string().min(1).max(1_000) })),
          responses: { 201: response.json(Note) },
        }),
        photo: route.get("/:id/photo", {
          responses: { 200: response.bytes({ contentType: "image/png" }), 404: Missing },
        }),
        setPhoto: route.put("/:id/photo", {
          body: request.bytes({ contentType: "image/png", maxBytes: maxPhotoBytes }),
          responses: { 204: response.empty(), 404: Missing, 413: response.problem() },
        }),
      },
    }),
    changes: route.get("/changes", {
      headers: z.object({ "last-event-id": z.string().optional() }), // which follow() sends
      responses: { 200: response.sse(z.object({ count: z.int() })) },
    }),
    people: route.get("/people", {
      responses: {
        101: response.socket({
          fromClient: z.object({ isWriting: z.boolean() }),
          fromServer: z.array(z.object({ name: z.string(), isWriting: z.boolean() })),
        }),
      },
    }),
  },
});
