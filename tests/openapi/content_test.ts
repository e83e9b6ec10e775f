import { request, response, route } from "@scope/api";
import { type OpenApiContent, type OpenApiOptions } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { describeRoute, describeRoutes } from "./describe_routes.ts";
import { assertValid } from "./validate.ts";

const binary = { schema: { type: "string", format: "binary" } };

/** How a document lists the body of a request. */
function ofRequest(body: object, options?: Partial<OpenApiOptions>): OpenApiContent | undefined {
  const declared = route.post("/", { body: body as never, responses: { 200: response.empty() } });
  return describeRoute(declared, options).requestBody?.content;
}

/** How a document lists a response. */
function ofResponse(declared: object, options?: Partial<OpenApiOptions>): OpenApiContent | undefined {
  return describeRoute(route.get("/", { responses: { 200: declared as never } }), options).responses["200"]?.content;
}

Deno.test("openApiDocument() lists representations by the essence of their media types", () => {
  assertEquals(ofRequest(request.json(type("string"))), { "application/json": { schema: { type: "string" } } });
  assertEquals(ofRequest(type("string")), { "application/json": { schema: { type: "string" } } });
  assertEquals(ofResponse(response.json(type("string"))), { "application/json": { schema: { type: "string" } } });
  assertEquals(ofResponse(response.text()), { "text/plain": { schema: { type: "string" } } });
  assertEquals(ofResponse(response.text({ contentType: "Text/HTML; charset=utf-8" })), {
    "text/html": { schema: { type: "string" } },
  });
  assertEquals(ofResponse(response.text(type("'ok'"))), { "text/plain": { schema: { const: "ok" } } });
});

Deno.test("openApiDocument() lists bytes as binary text, whatever their schema", () => {
  const image = type.instanceOf(Uint8Array).narrow((bytes) => bytes.length > 0);

  assertEquals(ofRequest(request.bytes()), { "application/octet-stream": binary });
  assertEquals(ofRequest(request.bytes(image, { contentType: "image/png" })), { "image/png": binary });
  assertEquals(ofResponse(response.bytes(image)), { "application/octet-stream": binary });
});

Deno.test("openApiDocument() lists JSON without a schema as any JSON", () => {
  assertEquals(ofRequest(request.json<{ id: string }>()), { "application/json": { schema: {} } });
  assertEquals(ofResponse(response.json<{ id: string }>()), { "application/json": { schema: {} } });
});

Deno.test("openApiDocument() takes the schema of JSON without one from the option", () => {
  const schema = () => ({ type: "object" });

  assertEquals(ofRequest(request.json<{ id: string }>(), { schema }), { "application/json": { schema: schema() } });
  assertEquals(ofResponse(response.json(), { schema }), { "application/json": { schema: schema() } });
});

Deno.test("openApiDocument() lists no content for an empty response", () => {
  assertEquals(ofResponse(response.empty()), undefined);
});

Deno.test("openApiDocument() keeps the examples of a schema", async () => {
  const Name = type("string").configure({ examples: ["Ada"], description: "a name" } as never);
  const document = describeRoutes({
    rename: route.put("/", { body: type({ name: Name }), responses: { 200: response.json(Name) } }),
  });

  assertEquals(document.paths["/"]?.put?.requestBody?.content["application/json"]?.schema, {
    type: "object",
    properties: { name: { type: "string", description: "a name", examples: ["Ada"] } },
    required: ["name"],
  });
  await assertValid(document);
});
