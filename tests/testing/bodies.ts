/** An API with a body of each representation, which it sends back. */
import { codec, defineContract, representation, request, response, route } from "@scope/api";
import { fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";
import * as z from "zod";

const Meeting = codec(z.object({ at: z.iso.datetime() }), z.object({ at: z.date() }), {
  decode: ({ at }) => ({ at: new Date(at) }),
  encode: ({ at }) => ({ at: at.toISOString() }),
});

/** JSON whose list is written from its end. */
const reversed = representation<string[]>({
  contentType: "application/x-reversed",
  encode: (texts) => JSON.stringify(texts.toReversed()),
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)).toReversed(),
});

const Named = type({ name: "2 <= string <= 9", "tags?": "string[] <= 3", "kind?": "'up' | 'down' | null" });
const Fields = type({ name: "string >= 1", "tags?": "string[]" });
const Tree = z.object({
  value: z.int().min(-5).max(5),
  get left(): z.ZodOptional<typeof Tree> {
    return Tree.optional();
  },
});
const ok = { 204: response.empty() };

export const contract = defineContract({
  basePath: "/v1",
  routes: {
    json: route.post("/json", { body: Named, responses: { 200: response.json(Named) } }),
    tree: route.put("/tree", { body: Tree, responses: { 200: response.json(Tree) } }),
    untyped: route.post("/untyped", { body: request.json(), responses: ok }),
    text: route.post("/text", { body: request.text(type("'yes' | 'no'")), responses: { 200: response.text() } }),
    bytes: route.post("/bytes", {
      body: request.bytes({ contentType: "image/*", maxBytes: 100 }),
      responses: { 200: response.bytes({ contentType: "image/*" }) },
    }),
    form: route.post("/form", { body: request.form(Fields), responses: { 200: response.json(Fields) } }),
    upload: route.post("/upload", {
      body: request.formData(z.object({ file: z.file(), title: z.string() })),
      responses: ok,
    }),
    stream: route.post("/stream", { body: request.stream({ maxBytes: 1_000 }), responses: { 200: response.stream() } }),
    items: route.post("/items", {
      body: request.ndjson(Named, { maxItemBytes: 500 }),
      responses: { 200: response.ndjson(Named) },
    }),
    as: route.post("/as", {
      body: request.as(reversed, type("string[]")),
      responses: { 200: response.as(reversed, type("string[]")) },
    }),
    codec: route.post("/codec", { body: Meeting, responses: { 200: response.json(Meeting) } }),
    optional: route.post("/optional", { body: request.json(type({ a: "number" }), { optional: true }), responses: ok }),
    lines: route.get("/lines", { responses: { 200: response.ndjson(Named) } }),
    events: route.get("/events", { responses: { 200: response.sse(Meeting) } }),
    problem: route.delete("/problem", { responses: { 409: response.problem() } }),
    fields: route.get("/fields/:id/:page", {
      params: z.object({ id: z.uuid(), page: z.coerce.number<string>().int().min(1) }),
      query: type({ "limit?": "string.integer.parse", "tag?": "string[]", "sort?": "'up' | 'down'" }),
      headers: type({ "x-user": "string >= 1" }),
      responses: {
        200: response.json(type({ user: "string", page: "number" }), { headers: type({ "x-page": "string" }) }),
      },
    }),
  },
});

/** A server of bodies. */
export function createHandler(): FetchHandler {
  const implementation = defineServer(contract).implement({
    json: ({ body, response }) => response(200, body),
    tree: ({ body, response }) => response(200, body),
    untyped: ({ response }) => response(204),
    text: ({ body, response }) => response(200, body),
    bytes: ({ body, contentType, response }) => response(200, body, { "content-type": contentType }),
    form: ({ body, response }) => response(200, body),
    upload: ({ response }) => response(204),
    stream: ({ body, response }) => response(200, body),
    items: ({ body, response }) => response(200, body),
    as: ({ body, response }) => response(200, body),
    codec: ({ body, response }) => response(200, body),
    optional: ({ response }) => response(204),
    lines: ({ response }) => response(200, [{ name: "one" }, { name: "two" }]),
    events: ({ response }) => response(200, [{ data: { at: new Date(0) }, id: "1" }]),
    problem: ({ response }) => response(409, { detail: "It is always so." }),
    fields: ({ params, headers, response }) =>
      response(200, { user: headers["x-user"], page: params.page }, { "x-page": String(params.page) }),
  });
  return fetchAdapter({ onError: () => {} }).mount(implementation);
}
