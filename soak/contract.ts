/** The contract that the soak serves and calls: one route for each representation, and those that are there to fail. */
import { defineContract, request, response, route, router } from "@scope/api";
import { type } from "arktype";
import * as z from "zod";

const Item = type({ id: "number", name: "string", tags: "string[]" });
const Row = type({ number: "number", text: "string" });
const Counted = response.json(type({ bytes: "number" }));

/** A schema that refers to itself, and takes each level of a body. */
const Tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get child() {
    return Tree.optional();
  },
});

/** A node, and those below it. */
export interface Tree {
  readonly name: string;
  readonly child?: Tree | undefined;
}

/** The most bytes that a body may have. */
export const maxBodyBytes = 256 * 1024;

export const contract = defineContract({
  basePath: "/soak",
  routes: {
    item: route.get("/items/:id", {
      params: type({ id: "string" }),
      query: type({ "tag?": "string[]", "word?": "string" }),
      headers: type({ "x-number": "string" }),
      responses: {
        200: response.json(type({ id: "string", tags: "string[]", word: "string", number: "string" })),
        404: response.problem(),
      },
    }),
    echo: router("/echo", {
      routes: {
        json: route.post("/json", { body: request.json(Item), responses: { 200: response.json(Item) } }),
        text: route.put("/text", { body: request.text(), responses: { 200: response.text() } }),
        bytes: route.put("/bytes", { body: request.bytes(), responses: { 200: response.bytes() } }),
        form: route.post("/form", {
          body: request.form(type({ name: "string", tag: "string[]" })),
          responses: { 200: response.json(type({ name: "string", tag: "string[]" })) },
        }),
        formData: route.post("/form-data", {
          body: request.formData(type({ name: "string", file: "File" })),
          responses: { 200: response.json(type({ name: "string", file: "string", bytes: "number" })) },
        }),
        nothing: route.delete("/nothing", { responses: { 204: response.empty() } }),
        stream: route.post("/stream", { body: request.stream(), responses: { 200: response.stream() } }),
      },
    }),
    short: route.put("/short", { body: request.text({ maxBytes: 15_000 }), responses: { 204: response.empty() } }),
    tree: route.post("/tree", { body: request.json(Tree), responses: { 204: response.empty() } }),
    unread: route.post("/unread/:end", {
      body: request.stream(),
      responses: { 200: response.stream(), 429: response.text() },
    }),
    upload: route.post("/upload", { body: request.stream(), responses: { 200: Counted } }),
    rows: route.get("/rows/:count", { responses: { 200: response.ndjson(Row) } }),
    events: route.get("/events/:count", { responses: { 200: response.sse(Row) } }),
    changes: route.get("/changes/:count", {
      headers: type({ "last-event-id?": "string" }),
      responses: { 200: response.sse(Row), 204: response.empty() },
    }),
    bytes: route.get("/bytes/:count", { responses: { 200: response.stream() } }),
    behind: route.get("/behind/:how", { responses: { 200: response.ndjson(Row), 202: response.text() } }),
    waits: route.get("/waits", { responses: { 200: response.empty() } }),
    throws: route.post("/throws", { body: request.json<unknown>(), responses: { 200: response.empty() } }),
    breaks: route.get("/breaks/:count", { responses: { 200: response.ndjson(Row) } }),
  },
});
