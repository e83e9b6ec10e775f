import { defineContract, request, response, route, router } from "@scope/api";
import { type Contract, type OpenApiContent, openApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import { describeRoute, describeRoutes, info, onlyOperation } from "./describe_routes.ts";
import { assertValid } from "../support/validate_document.ts";

const responses = { 200: response.empty() };
const Problem = { $ref: "#/components/schemas/Problem" };

/** The content of a response that the server itself creates. */
function problemContent(status: number, title: string, code: string): OpenApiContent {
  return { "application/problem+json": { schema: Problem, example: { type: "about:blank", title, status, code } } };
}

/** The statuses that the documents of a route list. */
function statusesOf(declared: object): string[] {
  return Object.keys(describeRoute(declared).responses);
}

Deno.test("openApiDocument() lists 500 for every route, and 400 for those that refuse requests", () => {
  assertEquals(statusesOf(route.get("/", { responses })), ["200", "500"]);
  assertEquals(statusesOf(route.get("/:id", { responses })), ["200", "400", "500"]);
  assertEquals(statusesOf(route.get("/", { query: type({ "a?": "string" }), responses })), ["200", "400", "500"]);
  assertEquals(statusesOf(route.get("/", { headers: type({ "a?": "string" }), responses })), ["200", "400", "500"]);
});

Deno.test("openApiDocument() lists 413 and 415 for routes with a body", () => {
  const declared = route.post("/", { body: request.text(), responses });

  assertEquals(statusesOf(declared), ["200", "400", "413", "415", "500"]);
  assertEquals(describeRoute(declared).responses["415"], {
    description: "The media type of the body is not supported.",
    content: problemContent(415, "Unsupported Media Type", "unsupported-media-type"),
  });
});

Deno.test("openApiDocument() lists an example of a refusal by the kind of route, once for all routes", () => {
  const exampleOf = (declared: object): unknown => {
    const { example } = describeRoute(declared).responses["400"]?.content?.["application/problem+json"] ?? {};
    const { code, issues } = example as { readonly code: string; readonly issues?: readonly { location: string }[] };
    return [code, issues?.[0]?.location];
  };
  const text = type({ name: "string" });

  assertEquals(exampleOf(route.get("/:id", { responses })), ["invalid-path", undefined]);
  assertEquals(exampleOf(route.get("/:name", { params: text, responses })), ["invalid-request", "body"]);
  assertEquals(exampleOf(route.get("/", { query: text, responses })), ["invalid-request", "body"]);
  assertEquals(exampleOf(route.get("/", { headers: text, responses })), ["invalid-request", "body"]);
  assertEquals(exampleOf(route.put("/:name", { params: text, body: text, responses })), ["invalid-request", "body"]);
  assertEquals(exampleOf(route.put("/", { body: request.bytes(), responses })), ["invalid-body", undefined]);
});

Deno.test("openApiDocument() lists inherited responses, and nearer ones override them", () => {
  const far = response.json(type({ far: "string" }), { description: "Far" });
  const near = response.json(type({ near: "string" }), { description: "Near" });
  const contract = defineContract({
    responses: { 401: far, 403: far },
    routes: { group: router("/", { responses: { 403: near }, routes: { leaf: route.get("/", { responses }) } }) },
  });
  const document = openApiDocument(contract as Contract, { info });

  assertEquals(
    Object.entries(onlyOperation(document).responses).map(([status, { description }]) => [status, description]),
    [["200", "OK"], ["401", "Far"], ["403", "Near"], ["500", "The server failed."]],
  );
});

Deno.test("openApiDocument() lists 304 if the 200 of a GET declares an etag", async () => {
  const notModified = { description: "The client already has the current content." };
  const tagged = response.json(type("string"), { headers: type({ etag: "string" }) });
  const optional = response.json(type("string"), { headers: type({ "etag?": "string" }) });
  for (const declared of [tagged, optional]) {
    assertEquals(describeRoute(route.get("/", { responses: { 200: declared } })).responses["304"], notModified);
    for (
      const other of [
        route.head("/", { responses: { 200: declared } }),
        route.delete("/", { responses: { 200: declared } }),
      ]
    ) {
      assertEquals(Object.keys(describeRoute(other).responses), ["200", "500"]);
    }
  }
  const dated = response.json(type("string"), { headers: type({ "last-modified": "string" }) });
  assertEquals(describeRoute(route.get("/", { responses: { 200: dated } })).responses["304"], undefined);
  assertEquals(describeRoute(route.get("/", { responses: { 201: tagged } })).responses["304"], undefined);
  assertEquals(
    describeRoute(route.get("/", { responses: { 200: tagged, 304: response.empty({ description: "Same" }) } }))
      .responses["304"],
    { description: "Same" },
  );
  await assertValid(describeRoutes({ it: route.get("/", { responses: { 200: tagged } }) }));
});

Deno.test("openApiDocument() lists the server's own problem in addition to a declared response with its status", () => {
  const { responses: listed } = describeRoute(route.get("/:id", {
    responses: {
      200: response.empty(),
      400: response.json(type({ message: "string" }), { description: "Refused", headers: type({ "x-why": "string" }) }),
      500: response.empty(),
    },
  }));

  assertEquals(listed["400"], {
    description: "Refused",
    headers: { "x-why": { required: true, schema: { type: "string" } } },
    content: {
      "application/json": {
        schema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
      },
      ...problemContent(400, "Bad Request", "invalid-path"),
    },
  });
  assertEquals(listed["500"], {
    description: "Internal Server Error",
    content: problemContent(500, "Internal Server Error", "internal-error"),
  });
});

Deno.test("openApiDocument() lists both schemas if a declared response has the problem's media type", async () => {
  const contentType = "Application/Problem+JSON; charset=utf-8";
  const contract = defineContract({
    routes: {
      leaf: route.get("/", { responses: { 500: response.json(z.object({ own: z.string() }), { contentType }) } }),
    },
  });
  const document = openApiDocument(contract as Contract, { info });

  const schema = {
    type: "object",
    properties: { own: { type: "string" } },
    required: ["own"],
  };
  assertEquals(document.paths["/"]?.get?.responses["500"]?.content, {
    "application/problem+json": { schema: { anyOf: [schema, Problem] } },
  });
  await assertValid(document);
});

Deno.test("openApiDocument() lists one schema if the declared problem has none of its own", () => {
  const declared = route.get("/:id", {
    responses: { 200: response.empty(), 400: response.problem({ description: "No" }) },
  });

  assertEquals(describeRoute(declared).responses["400"], {
    description: "No",
    content: problemContent(400, "Bad Request", "invalid-path"),
  });
});

Deno.test("openApiDocument() describes a status without a description by its phrase", () => {
  const { responses: listed } = describeRoute(route.get("/", {
    responses: { 201: response.empty(), 299: response.empty(), 418: response.empty({ description: "A teapot" }) },
  }));

  assertEquals(Object.values(listed).map(({ description }) => description), [
    "Created",
    "Status 299",
    "A teapot",
    "The server failed.",
  ]);
});

Deno.test("openApiDocument() lists response headers one by one, by their output schemas", () => {
  const headers = z.object({
    location: z.string().describe("Where it is"),
    "set-cookie": z.array(z.string()).optional(),
    "content-type": z.string(),
  });
  const { responses: listed } = describeRoute(route.post("/", { responses: { 201: response.empty({ headers }) } }));

  assertEquals(listed["201"]?.headers, {
    location: { description: "Where it is", required: true, schema: { type: "string" } },
    "set-cookie": { schema: { type: "array", items: { type: "string" } } },
  });
});
