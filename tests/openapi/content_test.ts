import { representation, request, response, route } from "@scope/api";
import type { OpenApiContent, OpenApiOperation, OpenApiOptions } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import { describeRoute, describeRoutes } from "./describe_routes.ts";
import { assertValid } from "../support/validate_document.ts";

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

Deno.test("openApiDocument() lists bytes as binary, whatever their schema", () => {
  const image = type.instanceOf(Uint8Array).narrow((bytes) => bytes.length > 0);

  assertEquals(ofRequest(request.bytes()), { "application/octet-stream": binary });
  assertEquals(ofRequest(request.bytes(image, { contentType: "image/png" })), { "image/png": binary });
  assertEquals(ofResponse(response.bytes(image)), { "application/octet-stream": binary });
});

Deno.test("openApiDocument() describes the limit of a body, and adds maxLength to binary content", async () => {
  const of = (body: object): OpenApiOperation["requestBody"] => {
    const declared = route.post("/", { body: body as never, responses: { 200: response.empty() } });
    return describeRoute(declared).requestBody;
  };
  const limited = { schema: { ...binary.schema, maxLength: 10_000 } };
  const opaque = representation<string>({ contentType: "application/x-own", encode: String, decode: () => "" });

  assertEquals(of(request.text({ maxBytes: 10_000 })), {
    description: "At most 10000 bytes.",
    required: true,
    content: { "text/plain": { schema: { type: "string" } } },
    "x-max-bytes": 10_000,
  });
  assertEquals(of(request.bytes({ maxBytes: 10_000, description: "A picture" })), {
    description: "A picture. At most 10000 bytes.",
    required: true,
    content: { "application/octet-stream": limited },
    "x-max-bytes": 10_000,
  });
  assertEquals(of(request.bytes({ description: "A picture" }))?.description, "A picture");
  assertEquals(of(request.stream({ maxBytes: 10_000 }))?.content, { "application/octet-stream": limited });
  assertEquals(of(request.as(opaque, { maxBytes: 10_000 }))?.content, { "application/x-own": limited });
  await assertValid(describeRoutes({
    put: route.put("/", { body: request.bytes({ maxBytes: 0 }), responses: { 200: response.empty() } }),
  }));
});

Deno.test("openApiDocument() lists each media type and range of a body", async () => {
  const images = { "image/*": binary, "application/pdf": binary };
  const text = { schema: { type: "string" } };

  assertEquals(ofRequest(request.bytes({ contentType: ["Image/*", "application/pdf"] })), images);
  assertEquals(ofRequest(request.stream({ contentType: "*/*" })), { "*/*": binary });
  assertEquals(ofRequest(request.text({ contentType: "text/*" })), { "text/*": text });
  assertEquals(ofResponse(response.bytes({ contentType: ["image/*", "application/pdf"] })), images);
  assertEquals(ofResponse(response.stream({ contentType: ["video/mp4"] })), { "video/mp4": binary });
  assertEquals(ofResponse(response.text({ contentType: ["text/csv", "text/html"] })), {
    "text/csv": text,
    "text/html": text,
  });
  await assertValid(describeRoutes({
    files: route.put("/files/:id", {
      body: request.stream({ contentType: "*/*" }),
      responses: {
        200: response.bytes({ contentType: ["image/*", "application/pdf"] }),
        500: response.text({ contentType: ["text/*", "application/problem+json"] }),
      },
    }),
  }));
});

Deno.test("openApiDocument() lists JSON without a schema as any JSON", () => {
  assertEquals(ofRequest(request.json<{ id: string }>()), { "application/json": { schema: {} } });
  assertEquals(ofResponse(response.json<{ id: string }>()), { "application/json": { schema: {} } });
});

Deno.test("openApiDocument() uses the option schema for JSON without a schema", () => {
  const schema = () => ({ type: "object" });

  assertEquals(ofRequest(request.json<{ id: string }>(), { schema }), { "application/json": { schema: schema() } });
  assertEquals(ofResponse(response.json(), { schema }), { "application/json": { schema: schema() } });
});

Deno.test("openApiDocument() lists a custom representation by its schema if that describes its structure, otherwise as binary", () => {
  const parts = { encode: String, decode: () => "" };
  const structured = representation({ ...parts, contentType: "application/vnd.msgpack", structure: "json" });
  const opaque = representation({ ...parts, contentType: "text/csv; charset=utf-8" });
  const Name = type({ name: "string" });
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

  assertEquals(ofRequest(request.as(structured, Name as never)), { "application/vnd.msgpack": { schema } });
  assertEquals(ofResponse(response.as(structured, Name as never)), { "application/vnd.msgpack": { schema } });
  assertEquals(ofResponse(response.as(structured)), { "application/vnd.msgpack": { schema: {} } });
  assertEquals(ofRequest(request.as(opaque)), { "text/csv": binary });
  const unconvertible = type("string").narrow(() => true);
  assertEquals(ofRequest(request.as(opaque, unconvertible)), { "text/csv": binary });
  assertEquals(ofResponse(response.as(opaque, unconvertible)), { "text/csv": binary });
});

Deno.test("openApiDocument() lists no content for an empty response", () => {
  assertEquals(ofResponse(response.empty()), undefined);
});

Deno.test("openApiDocument() lists a form by its fields, and explodes lists", async () => {
  const fields = type({ name: "string", "tag?": "string[]" });
  const properties = { name: { type: "string" }, tag: { type: "array", items: { type: "string" } } };

  assertEquals(ofRequest(request.form(fields)), {
    "application/x-www-form-urlencoded": {
      schema: { type: "object", properties, required: ["name"] },
      encoding: { tag: { style: "form", explode: true } },
    },
  });
  assertEquals(
    ofRequest(request.form(type({ name: "string" })))?.["application/x-www-form-urlencoded"]?.encoding,
    undefined,
  );
  await assertValid(
    describeRoutes({ send: route.post("/", { body: request.form(fields), responses: { 200: response.empty() } }) }),
  );
});

const binaryText = { type: "string", format: "binary" };

Deno.test("openApiDocument() lists form data with files, one or several, of ArkType and of Zod", async () => {
  const ark = type({ title: "string", file: "File", "more?": "File[]" });
  const zod = z.object({ title: z.string(), file: z.file(), more: z.array(z.file()).optional() });
  const [ofArk, ofZod] = [ark, zod].map((schema) =>
    ofRequest(request.formData(schema as never))?.["multipart/form-data"]?.schema as Record<string, unknown>
  );

  assertEquals(ofArk, {
    type: "object",
    properties: { title: { type: "string" }, file: binaryText, more: { type: "array", items: binaryText } },
    required: ["file", "title"],
  });
  assertEquals(Object.keys(ofZod?.properties as object), ["title", "file", "more"]);
  await assertValid(describeRoutes({
    ark: route.post("/ark", { body: request.formData(ark), responses: { 200: response.empty() } }),
    zod: route.post("/zod", { body: request.formData(zod as never), responses: { 200: response.empty() } }),
  }));
});

Deno.test("openApiDocument() lists form data without a schema as any fields", () => {
  assertEquals(ofRequest(request.formData()), { "multipart/form-data": { schema: { type: "object" } } });
});

Deno.test("openApiDocument() marks an optional body as not required", () => {
  const body = request.json(type("string"), { optional: true });

  assertEquals(describeRoute(route.post("/", { body, responses: { 200: response.empty() } })).requestBody, {
    required: false,
    content: { "application/json": { schema: { type: "string" } } },
  });
});

Deno.test("openApiDocument() lists streams of bytes as binary text", () => {
  assertEquals(ofRequest(request.stream()), { "application/octet-stream": binary });
  assertEquals(ofResponse(response.stream({ contentType: "video/mp4" })), { "video/mp4": binary });
});

const Item = type({ id: "string" });
const item = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const event = {
  type: "object",
  properties: {
    data: { type: "string", contentMediaType: "application/json", contentSchema: item },
    event: { type: "string" },
    id: { type: "string" },
    retry: { type: "integer", minimum: 0 },
  },
  required: ["data"],
};

Deno.test("openApiDocument() lists streams of items by the schema of an item, in OpenAPI 3.2 as such", async () => {
  const routes = {
    lines: route.get("/lines", { responses: { 200: response.ndjson(Item, { description: "All items" }) } }),
    events: route.get("/events", { responses: { 200: response.sse(Item) } }),
  };
  for (const [version, keyword] of [["3.1", "schema"], ["3.2", "itemSchema"]] as const) {
    const document = describeRoutes(routes, { version, schema: () => item });
    const [lines, events] = ["/lines", "/events"].map((path) => document.paths[path]?.get?.responses["200"]);

    assertEquals(lines?.content, { "application/x-ndjson": { [keyword]: { $ref: "#/components/schemas/Events200" } } });
    assertEquals(Object.keys(events?.content ?? {}), ["text/event-stream"]);
    assertEquals(
      lines?.description,
      version === "3.1" ? "All items. A stream: the schema is that of each line." : "All items",
    );
    await assertValid(document);
  }
  assertEquals(ofResponse(response.sse(Item)), { "text/event-stream": { schema: event } });
  assertEquals(ofRequest(request.ndjson(Item)), { "application/x-ndjson": { schema: item } });
  assertEquals(ofRequest(request.ndjson(Item), { version: "3.2" }), { "application/x-ndjson": { itemSchema: item } });
  assertEquals(ofResponse(response.ndjson(Item), { version: "3.2" }), { "application/x-ndjson": { itemSchema: item } });
});

Deno.test("openApiDocument() lists a problem by its schema, or as any problem", () => {
  const Own = type({ type: "'/out-of-credit'", balance: "number" });

  assertEquals(ofResponse(response.problem()), {
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  });
  assertEquals(ofResponse(response.problem(Own)), {
    "application/problem+json": {
      schema: {
        type: "object",
        properties: { balance: { type: "number" }, type: { const: "/out-of-credit" } },
        required: ["balance", "type"],
      },
    },
  });
});

Deno.test("openApiDocument() lists a native response as any content, or as none if its status has none", async () => {
  const document = describeRoutes({
    raw: route.get("/raw", { responses: { 101: response.raw(), 200: response.raw(), 204: response.raw() } }),
  });
  const listed = document.paths["/raw"]?.get?.responses ?? {};

  assertEquals(Object.entries(listed).slice(0, 3).map(([status, { content }]) => [status, content]), [
    ["101", undefined],
    ["200", { "*/*": {} }],
    ["204", undefined],
  ]);
  await assertValid(document);
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
