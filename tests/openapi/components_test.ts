import { request, response, route } from "@scope/api";
import type { JsonSchemaObject, OpenApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import { scope, type } from "arktype";
import { z } from "zod";
import { describeRoutes } from "./describe_routes.ts";
import { assertValid } from "../support/validate_document.ts";

const ref = (name: string): JsonSchemaObject => ({ $ref: `#/components/schemas/${name}` });

/** The components of a document but the server's own problem. */
function componentsOf({ components }: OpenApiDocument): Record<string, unknown> {
  const { Problem: _, ...schemas } = components?.schemas ?? {};
  return schemas;
}

/** The schema of the JSON body of a route's response. */
function schemaOf({ paths }: OpenApiDocument, path: string, status = "200"): unknown {
  return paths[path]?.get?.responses[status]?.content?.["application/json"]?.schema;
}

/** A document with one route for each JSON schema, `/0`, `/1` and so on, each schema supplied without changes. */
function describeSupplied(...schemas: JsonSchemaObject[]): OpenApiDocument {
  const routes = schemas.map((_, index) =>
    [`r${index}`, route.get(`/${index}`, { responses: { 200: response.json() } })] as const
  );
  return describeRoutes(Object.fromEntries(routes), {
    schema: (node, slot) => slot === 200 ? schemas[Number(node.key.slice(1))] : undefined,
  });
}

Deno.test("openApiDocument() creates a component for a schema that is used more than once, named after its first place in alphabetical order", async () => {
  const User = type({ id: "string" });
  const document = describeRoutes({
    one: route.get("/one", { responses: { 200: response.json(User), 201: response.json(type({ name: "string" })) } }),
    other: route.get("/other", { responses: { 200: response.json(User) } }),
  });

  assertEquals(schemaOf(document, "/one"), ref("One200"));
  assertEquals(schemaOf(document, "/other"), ref("One200"));
  assertEquals(schemaOf(document, "/one", "201"), {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  });
  assertEquals(Object.keys(componentsOf(document)), ["One200"]);
  await assertValid(document);
});

Deno.test("openApiDocument() creates a component for a schema that the option supplies more than once", () => {
  const supplied = { type: "object", properties: { at: { type: "string" } } };
  const document = describeRoutes({
    one: route.get("/one", { responses: { 200: response.json(z.object({ at: z.date() }) as never) } }),
    other: route.get("/other", { responses: { 200: response.json(z.object({ at: z.date() }) as never) } }),
  }, { schema: () => supplied });

  assertEquals(["/one", "/other"].map((path) => schemaOf(document, path)), [ref("One200"), ref("One200")]);
});

Deno.test("openApiDocument() inlines a simple schema", () => {
  const Text = type("string");
  const document = describeRoutes({
    one: route.get("/one", { responses: { 200: response.json(Text), 201: response.json(Text) } }),
  });

  assertEquals(schemaOf(document, "/one"), { type: "string" });
  assertEquals(componentsOf(document), {});
});

Deno.test("openApiDocument() names a component by its id, in the characters that OpenAPI allows, and not by its title", async () => {
  const User = z.object({ id: z.string() }).meta({ id: "A user / é", title: "Other" });
  const document = describeRoutes({
    one: route.get("/one", { responses: { 200: response.json(User), 201: response.json(User) } }),
  });

  assertEquals(schemaOf(document, "/one"), ref("A_user_"));
  await assertValid(document);
});

Deno.test("openApiDocument() creates one component for equal definitions with one name", async () => {
  const City = z.object({ name: z.string() }).meta({ id: "City" });
  const User = z.object({ id: z.string(), city: City }).meta({ id: "User" });
  const document = describeRoutes({
    one: route.get("/one", { responses: { 200: response.json(z.array(User)) } }),
    other: route.get("/other", { responses: { 200: response.json(z.object({ user: User, city: City })) } }),
  });

  assertEquals(schemaOf(document, "/one"), { type: "array", items: ref("User") });
  assertEquals(Object.keys(componentsOf(document)), ["User", "City"]);
  await assertValid(document);
});

Deno.test("openApiDocument() distinguishes the two sides of one name", async () => {
  const User = z.object({ id: z.string(), name: z.string().default("none") }).meta({ id: "User" });
  const document = describeRoutes({
    put: route.put("/", { body: request.json(User), responses: { 200: response.json(User) } }),
  });

  assertEquals(Object.keys(componentsOf(document)), ["User", "UserOutput"]);
  assertEquals(document.paths["/"]?.put?.requestBody?.content["application/json"]?.schema, ref("User"));
  assertEquals(document.paths["/"]?.put?.responses["200"]?.content?.["application/json"]?.schema, ref("UserOutput"));
  await assertValid(document);
});

Deno.test("openApiDocument() creates unique names for different schemas with one name", async () => {
  const document = describeSupplied(
    { $ref: "#/$defs/User", $defs: { User: { type: "string", minLength: 1 } } },
    { $ref: "#/$defs/User", $defs: { User: { type: "string", minLength: 2 } } },
    { $ref: "#/$defs/User", $defs: { User: { type: "string", minLength: 1 }, unused: {} } },
    { $ref: "#/$defs/Problem", $defs: { Problem: { type: "number" } } },
  );

  assertEquals(["/0", "/1", "/2", "/3"].map((path) => schemaOf(document, path)), [
    ref("User"),
    ref("User2"),
    ref("User"),
    ref("Problem"),
  ]);
  assertEquals(document.components?.schemas?.["Problem"], { type: "number" });
  assertEquals(
    document.components?.responses?.["InternalError"]?.content?.["application/problem+json"]?.schema,
    ref("Problem2"),
  );
  await assertValid(document);
});

Deno.test("openApiDocument() keeps references valid that lead to the schema itself or into it", async () => {
  const document = describeSupplied(
    {
      $id: "Tree",
      type: "object",
      properties: { left: { $ref: "#" }, value: { $ref: "#/properties/name" }, name: {} },
    },
    {
      type: "array",
      items: { $ref: "#/$defs/a~1b%25" },
      $defs: { "a/b%": { anyOf: [{ type: "null" }, { $ref: "#" }] } },
    },
    { properties: { x: { $ref: "#/$defs/User/properties/id" } }, $defs: { User: { properties: { id: {} } } } },
    { $ref: "#/components/schemas/Problem" },
  );

  assertEquals(schemaOf(document, "/0"), ref("Tree"));
  assertEquals(componentsOf(document), {
    Tree: {
      type: "object",
      properties: { left: ref("Tree"), value: ref("Tree/properties/name"), name: {} },
    },
    "a_b_": { anyOf: [{ type: "null" }, ref("R1200")] },
    "R1200": { type: "array", items: ref("a_b_") },
    User: { properties: { id: {} } },
  });
  assertEquals(schemaOf(document, "/1"), { type: "array", items: ref("a_b_") });
  assertEquals(schemaOf(document, "/2"), { properties: { x: ref("User/properties/id") } });
  assertEquals(schemaOf(document, "/3"), ref("Problem"));
  await assertValid(document);
});

Deno.test("openApiDocument() finds a definition whose name is empty", async () => {
  const document = describeSupplied({ title: "Odd", $ref: "#/$defs/", $defs: { "": { type: ["string", "null"] } } });

  assertEquals(schemaOf(document, "/0"), { title: "Odd", ...ref("_") });
  assertEquals(componentsOf(document), { _: { type: ["string", "null"] } });
  await assertValid(document);
});

Deno.test("openApiDocument() distinguishes definitions that refer back to different schemas", async () => {
  const $defs = { Next: { anyOf: [{ type: "null" }, { $ref: "#" }] } };
  const document = describeSupplied(
    { $id: "A", type: "object", properties: { next: { $ref: "#/$defs/Next" } }, $defs },
    { $id: "B", type: "array", items: { $ref: "#/$defs/Next" }, $defs },
  );

  assertEquals(schemaOf(document, "/1"), { type: "array", items: ref("Next2") });
  assertEquals(componentsOf(document)["Next"], { anyOf: [{ type: "null" }, ref("A")] });
  assertEquals(componentsOf(document)["Next2"], { anyOf: [{ type: "null" }, ref("B")] });
  await assertValid(document);
});

Deno.test("openApiDocument() treats $ref as a reference only in the place of a schema", () => {
  const data = {
    const: { $ref: "#" },
    default: { $ref: "#/$defs/x" },
    examples: [{ $ref: "#" }],
    enum: [{ $ref: "#" }],
  };
  const document = describeSupplied({
    ...data,
    properties: { $ref: { type: "string" }, const: { $ref: "#/$defs/x" } },
    $defs: { x: { type: "null" } },
  });

  assertEquals(schemaOf(document, "/0"), { ...data, properties: { $ref: { type: "string" }, const: ref("x") } });
});

Deno.test("openApiDocument() omits keywords without meaning inside a document", () => {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const document = describeSupplied({ $schema, $id: "https://example.com/a", type: "string" });

  assertEquals(schemaOf(document, "/0"), { type: "string" });
});

Deno.test("openApiDocument() replaces generated definition names by the name of their place", async () => {
  const { node } = scope({ node: { name: "string", "next?": "node" } }).export();
  interface Tree {
    children: Tree[];
  }
  const Tree: z.ZodType<Tree, Tree> = z.object({
    get children() {
      return z.array(Tree);
    },
  });
  const document = describeRoutes({
    ark: route.get("/ark", { responses: { 200: response.json(node) } }),
    zod: route.get("/zod", { responses: { 200: response.json(z.object({ tree: Tree })) } }),
  });

  assertEquals(Object.keys(componentsOf(document)), ["Ark200", "Zod200"]);
  assertEquals(schemaOf(document, "/ark"), ref("Ark200"));
  await assertValid(document);
});

Deno.test("openApiDocument() keeps schemas that define keys with unusual names", async () => {
  const document = describeSupplied(
    JSON.parse(
      `{"$ref":"#/$defs/__proto__","$defs":{"__proto__":{"type":"object","properties":{"__proto__":{},"constructor":{"$ref":"#/$defs/constructor"}}},"constructor":{"type":"null"}}}`,
    ),
  );

  assertEquals(schemaOf(document, "/0"), ref("__proto__"));
  assertEquals(Object.keys(componentsOf(document)), ["__proto__", "constructor"]);
  assertEquals(
    JSON.stringify(componentsOf(document)["__proto__"]),
    JSON.stringify({ type: "object", properties: { ["__proto__"]: {}, constructor: ref("constructor") } }),
  );
  await assertValid(document);
});
