/** Streams by this library. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { Event, makeBytes, makeEvents } from "./streams.ts";

const contract = defineContract({
  routes: {
    events: route.get("/events", { responses: { 200: response.sse(Event) } }),
    download: route.get("/download", { responses: { 200: response.stream() } }),
    upload: route.post("/upload", { body: request.stream(), responses: { 200: response.text() } }),
  },
});

export const implementation = defineServer(contract).implement({
  events: ({ response }) => response(200, makeEvents()),
  download: ({ response }) => response(200, makeBytes()),
  upload: async ({ body, response }) => {
    let length = 0;
    for await (const chunk of body) length += chunk.byteLength;
    return response(200, String(length));
  },
});

const handler = createFetchHandler(implementation);
export default { fetch: (request: Request): Response | Promise<Response> => handler(request) };
