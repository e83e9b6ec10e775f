/** The modules that an import writes. */
import type { Contract } from "@scope/api";
import { createClient } from "@scope/api/client";
import { mockContract } from "@scope/api/mock";
import { diffContracts } from "@scope/api/diff";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { routesOf } from "../../src/contract/node.ts";
import { importContract, readOpenApi, writeContract, type WriteContractOptions } from "@scope/api/import";

/** A document of operations by path and method, with schemas. */
function documentOf(paths: object, components: object = {}, more: object = {}): object {
  return { openapi: "3.1.0", info: { title: "Shop", version: "1.0.0" }, paths, components, ...more };
}

/** The text of a written module. */
function textOf(document: object, path: string, options: WriteContractOptions = {}): string {
  const { files } = writeContract(document, options);
  const file = files.find((each) => each.path === path);
  if (file === undefined) throw new Error(`${path} is not among ${files.map((each) => each.path).join(", ")}`);
  return file.text;
}

/** A document with one schema, which is the response of its only operation. */
function schemaDocument(schema: unknown, schemas: object = {}, openapi = "3.1.0"): object {
  const content = { "application/json": { schema } };
  const get = { operationId: "get", tags: ["it"], responses: { 200: { description: "", content } } };
  return { ...documentOf({ "/it": { get } }, { schemas }), openapi };
}

/** The Zod schema that is written for a JSON Schema. */
function zodOf(schema: unknown, openapi?: string): string {
  const text = textOf(schemaDocument(schema, {}, openapi), "it.ts");
  const [, written = ""] = /responses: \{\s*200: response\.json\(([^]*?)\),?\s*\},?\n {2}docs/.exec(text) ?? [];
  return written.replaceAll(/\s+/g, " ").trim();
}

const users = documentOf(
  {
    "/users/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      get: {
        tags: ["Users"],
        operationId: "users/get-by-id",
        summary: "Get a user",
        description: "Returns a user.\n\nNever cached.",
        responses: {
          200: {
            description: "The user",
            content: { "application/json": { schema: { $ref: "#/components/schemas/User" } } },
          },
          404: { $ref: "#/components/responses/NotFound" },
        },
      },
      delete: {
        tags: ["Users"],
        operationId: "users/delete",
        deprecated: true,
        responses: { 204: { description: "" }, 404: { $ref: "#/components/responses/NotFound" } },
      },
    },
    "/users": {
      get: {
        tags: ["Users"],
        operationId: "users/list",
        parameters: [
          { name: "page", in: "query", description: "The page", schema: { type: "integer", minimum: 1, default: 1 } },
          { name: "active", in: "query", schema: { type: "boolean" } },
          { name: "X-Trace", in: "header", required: true, schema: { type: "string" } },
        ],
        responses: {
          200: {
            description: "",
            headers: { "X-Total": { schema: { type: "integer" }, required: true } },
            content: {
              "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/User" } } },
            },
          },
        },
      },
      post: {
        tags: ["Users"],
        operationId: "users/create",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/User" } } },
        },
        responses: {
          201: { description: "", content: { "application/json": { schema: { $ref: "#/components/schemas/User" } } } },
        },
        security: [{ token: ["users:write"] }, {}],
      },
    },
  },
  {
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "integer" } } },
    responses: { NotFound: { description: "No such user", content: { "application/problem+json": { schema: {} } } } },
    schemas: {
      User: {
        type: "object",
        description: "A person.",
        properties: {
          id: { type: "integer", readOnly: true },
          name: { type: "string", description: "The full name", minLength: 1 },
          nick: { type: ["string", "null"] },
        },
        required: ["id", "name"],
      },
    },
    securitySchemes: { token: { type: "http", scheme: "bearer", description: "A token" } },
  },
  { servers: [{ url: "https://api.example.com/v1" }], tags: [{ name: "Users", description: "People" }] },
);

Deno.test("writeContract() writes a module for each tag, their schemas, shared responses, security and the contract", () => {
  const { files, report } = writeContract(users);
  assertEquals(files.map(({ path }) => path), [
    "contract.ts",
    "users.ts",
    "schemas/users.ts",
    "responses.ts",
    "security.ts",
    "text.ts",
    "contract.types.ts",
    "users.types.ts",
    "schemas/users.types.ts",
    "responses.types.ts",
    "document.ts",
  ]);
  assertEquals(report.operations.map(({ operation, key }) => [operation, key]), [
    ["GET /users/{id}", "users.getById"],
    ["DELETE /users/{id}", "users.delete"],
    ["GET /users", "users.list"],
    ["POST /users", "users.create"],
  ]);
  assertEquals([report.faults, report.unchecked], [[], []]);
});

Deno.test("the contract has the base path, the security and a router for each tag, with the prose of the document", () => {
  assertEquals(
    textOf(users, "contract.ts"),
    `import { defineContract, router } from "@scope/api";
import * as users from "./users.ts";
import type { Api } from "./contract.types.ts";

/** Shop 1.0.0 */
export const contract: Api = defineContract({
  basePath: "/v1",
  security: [],
  routes: {
    /** People */
    users: router("/", { docs: { tags: ["Users"] }, routes: users }),
  },
});

/** The server of the document, for clients. */
export const baseUrl = "https://api.example.com";
`,
  );
});

Deno.test("a route has the doc comment, the slots, the responses and the operation id of its operation", () => {
  assertEquals(
    textOf(users, "users.ts"),
    `import { request, response, route, security } from "@scope/api";
import * as z from "zod";
import { NotFound } from "./responses.ts";
import { User, UserInput } from "./schemas/users.ts";
import { token } from "./security.ts";
import { fromText, toText } from "./text.ts";

/**
 * Get a user
 *
 * Returns a user.
 *
 * Never cached.
 */
export const getById = route.get("/users/:id", {
  params: z.object({ id: fromText(z.int()) }),
  responses: { 200: response.json(User), 404: NotFound },
  docs: { operationId: "users/get-by-id" },
});

/** @deprecated */
const delete_ = route.delete("/users/:id", {
  params: z.object({ id: fromText(z.int()) }),
  responses: { 204: response.empty(), 404: NotFound },
  deprecated: true,
  docs: { operationId: "users/delete" },
});

export const list = route.get("/users", {
  query: z.object({
    /** The page */
    page: fromText(z.int().min(1)).prefault(1),
    active: fromText(z.boolean()).optional(),
  }),
  headers: z.object({ "x-trace": z.string() }),
  responses: {
    200: response.json(
      z.array(User),
      { headers: toText(z.object({ "x-total": fromText(z.int()) })) },
    ),
  },
  docs: { operationId: "users/list" },
});

export const create = route.post("/users", {
  body: request.json(UserInput),
  responses: { 201: response.json(User) },
  security: [token.scoped("users:write"), security.none],
  docs: { operationId: "users/create" },
});

export { delete_ as delete };
`,
  );
});

Deno.test("a schema with properties of one direction becomes two", () => {
  assertEquals(
    textOf(users, "schemas/users.ts"),
    `import * as z from "zod";

/** A person. */
export const User = z.object({
  id: z.int(),
  /** The full name */
  name: z.string().min(1),
  nick: z.string().nullable().optional(),
});
export type User = z.infer<typeof User>;

/** A person. */
export const UserInput = z.object({
  /** The full name */
  name: z.string().min(1),
  nick: z.string().nullable().optional(),
});
export type UserInput = z.infer<typeof UserInput>;
`,
  );
});

Deno.test("schemes and shared responses have modules of their own", () => {
  assertEquals(
    textOf(users, "security.ts"),
    `import { security } from "@scope/api";

/** A token */
export const token = security.bearer("token", { scopes: ["users:write"] });
`,
  );
  assertEquals(
    textOf(users, "responses.ts"),
    `import { response } from "@scope/api";
import * as z from "zod";

/** No such user */
export const NotFound = response.json(z.unknown(), { contentType: "application/problem+json" });
`,
  );
});

Deno.test("JSON Schemas become idiomatic schemas of Zod", () => {
  const written: readonly (readonly [unknown, string])[] = [
    [{ type: "string", minLength: 1, maxLength: 5, pattern: "^a/b$" }, "z.string().min(1).max(5).regex(/^a\\/b$/u)"],
    [{ type: "string", format: "date-time" }, "z.iso.datetime({ offset: true })"],
    [{ type: "string", format: "email" }, "z.email()"],
    [{ type: "string", format: "color" }, 'z.string().meta({ format: "color" })'],
    [{ type: "integer", format: "int32", exclusiveMinimum: 0 }, "z.int32().gt(0)"],
    [{ type: "number", multipleOf: 0.5, maximum: 10 }, "z.number().max(10).multipleOf(0.5)"],
    [{ enum: ["a", "b"] }, 'z.enum(["a", "b"])'],
    [{ enum: ["a", 1, true] }, 'z.literal(["a", 1, true])'],
    [{ const: "a" }, 'z.literal("a")'],
    [{ type: "string", enum: ["a", null], nullable: true }, 'z.literal("a").nullable()'],
    [{ type: ["string", "integer"] }, "z.union([z.string(), z.int()])"],
    [{ type: "array", items: { type: "string" }, minItems: 1 }, "z.array(z.string()).min(1)"],
    [
      { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], minItems: 2, items: false },
      "z.tuple([z.string(), z.int()])",
    ],
    [{ type: "object", additionalProperties: { type: "integer" } }, "z.record(z.string(), z.int())"],
    [{ type: "object" }, "z.record(z.string(), z.unknown())"],
    [
      { type: "object", properties: { a: {} }, additionalProperties: false },
      "z.strictObject({ a: z.unknown().optional() })",
    ],
    [
      { type: "object", properties: { a: {} }, additionalProperties: true },
      "z.looseObject({ a: z.unknown().optional() })",
    ],
    [
      {
        allOf: [{ type: "object", properties: { a: { type: "string" } } }, {
          type: "object",
          properties: { b: { type: "null" } },
          required: ["b"],
        }],
      },
      "z.object({ a: z.string().optional(), b: z.null() })",
    ],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "z.string().nullable()"],
    [{ type: "string", default: "a" }, 'z.string().meta({ default: "a" })'],
    [
      {
        oneOf: [
          { type: "object", properties: { kind: { const: "a" } }, required: ["kind"] },
          { type: "object", properties: { kind: { const: "b" } }, required: ["kind"] },
        ],
        discriminator: { propertyName: "kind" },
      },
      'z.discriminatedUnion("kind", [ z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") }), ])',
    ],
  ];
  for (const [schema, expected] of written) {
    assertEquals(zodOf(schema).replaceAll(/\(\s+/g, "(").replaceAll(/,\s+\)/g, ")"), expected);
  }
  assertEquals(
    zodOf({ type: "number", minimum: 0, exclusiveMinimum: true, nullable: true }, "3.0.0"),
    "z.number().gt(0).nullable()",
  );
});

Deno.test("the formats of integers are bounds, beside those that the schema has", () => {
  const integer = (more: object) => zodOf({ type: "integer", ...more });
  assertEquals(integer({ format: "uint8" }), "z.int().min(0).max(255)");
  assertEquals(integer({ format: "uint8", minimum: 7, maximum: 1_000 }), "z.int().min(7).max(255)");
  assertEquals(integer({ format: "int32" }), "z.int32()");
  assertEquals(integer({ format: "int32", minimum: 0 }), "z.int32().min(0)");
  assertEquals(integer({ format: "uint8", exclusiveMinimum: -9 }), "z.int().min(0).gt(-9).max(255)");
  assertEquals(integer({ format: "uint8", exclusiveMinimum: 9 }), "z.int().gt(9).max(255)");
  assertEquals(integer({ format: "constructor" }), "z.int()");
});

Deno.test("a schema that refers to itself has a type of its own, and getters", () => {
  const Tree = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
    required: ["name"],
  };
  assertEquals(
    textOf(schemaDocument({ $ref: "#/components/schemas/Tree" }, { Tree }), "schemas/it.ts"),
    `import * as z from "zod";

export type Tree = { name: string; children?: Array<Tree> | undefined };
export const Tree: z.ZodType<Tree, Tree> = z.object({
  name: z.string(),
  get children() { return z.array(Tree).optional() },
});
`,
  );
});

Deno.test("schemas that extend one of their own choices have its properties, and not its choices", () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const own = (name: string): object => ({ type: "object", properties: { [name]: { type: "string" } } });
  const document = schemaDocument(ref("Pet"), {
    Pet: {
      type: "object",
      required: ["kind"],
      properties: { kind: { type: "string" } },
      discriminator: { propertyName: "kind" },
      oneOf: [ref("Cat"), ref("Kitten"), { allOf: [ref("Pet"), own("barks")] }],
    },
    Cat: { allOf: [ref("Pet"), own("purrs")] },
    Kitten: { allOf: [ref("Cat"), own("plays")] },
  });
  const text = textOf(document, "schemas/it.ts", { schemas: "none" });
  assertEquals(
    text,
    `export type Cat = { kind: "Cat"; purrs?: string | undefined };

export type Kitten = { kind: "Kitten"; purrs?: string | undefined; plays?: string | undefined };

export type Pet = { kind: string } & (Cat | Kitten | { barks?: string | undefined });
`,
  );
  const message =
    '"#/components/schemas/Pet" has this schema among its choices; it is read without its oneOf and anyOf';
  assertEquals(importContract(document).report.faults, [
    {
      place: "#/components/schemas/Pet/oneOf/2/allOf/0",
      message: "the schema is a part of itself; the reference is ignored",
    },
    {
      place: "#/components/schemas/Pet/discriminator",
      message:
        'the discriminator "kind" selects the schema ("Cat" for Cat, "Kitten" for Kitten); other objects are refused',
    },
    { place: "#/components/schemas/Cat/allOf/0", message },
  ]);
});

Deno.test("a schema that is a part of itself in allOf has its other parts", () => {
  const own = { type: "object", properties: { a: { type: "string" } } };
  const document = schemaDocument({ $ref: "#/components/schemas/One" }, {
    One: { allOf: [{ $ref: "#/components/schemas/Other" }, own] },
    Other: { allOf: [{ $ref: "#/components/schemas/One" }, { type: "object", properties: { b: { type: "string" } } }] },
  });
  const text = textOf(document, "schemas/it.ts", { schemas: "none" });
  assertEquals(text, "export type One = { b?: string | undefined; a?: string | undefined };\n");
  assertEquals(importContract(document).report.faults, [{
    place: "#/components/schemas/Other/allOf/0",
    message: "the schema is a part of itself; the reference is ignored",
  }]);
});

Deno.test("no tag has the name of a file of the import, nor of the file that is the user's", () => {
  const tags = ["mod", "dates", "contract", "document", "security", "responses", "schemas", "text"];
  const paths = Object.fromEntries(
    tags.map((tag) => [`/${tag}`, { get: { tags: [tag], responses: { 204: { description: "" } } } }]),
  );
  const { files } = writeContract({ openapi: "3.1.0", info: { title: "", version: "" }, paths });

  assertEquals(files.map(({ path }) => path), [
    "contract.ts",
    ...tags.map((tag) => `${tag}2.ts`),
    "contract.types.ts",
    ...tags.map((tag) => `${tag}2.types.ts`),
    "document.ts",
  ]);
});

Deno.test("names follow from operation ids, or from methods and paths, and never collide", () => {
  const responses = { 204: { description: "" } };
  const keysOf = (paths: object) => writeContract(documentOf(paths)).report.operations.map(({ key }) => key);
  assertEquals(keysOf({ "/users/{id}/posts": { get: { responses }, post: { responses } } }), [
    "users.getByIdPosts",
    "users.postByIdPosts",
  ]);
  const operation = (operationId: string) => ({ operationId, tags: ["A"], responses });
  assertEquals(
    keysOf({
      "/a": { get: operation("do it"), put: operation("do-it"), post: operation("DoIt") },
      "/b": {
        get: operation("class"),
        put: operation("__proto__"),
        post: operation("列表"),
        patch: operation("🙂"),
        delete: operation("1st"),
      },
    }),
    ["a.doIt", "a.doIt2", "a.doIt3", "a.class", "a.proto", "a.列表", "a._1st", "a.patchB"],
  );
  const text = textOf(documentOf({ "/b": { get: operation("route"), put: operation("z") } }), "a.ts");
  assertStringIncludes(text, "export { route2 as route, z2 as z };");
});

Deno.test("a schema does not have the name under which a written module imports the toolkit", () => {
  for (const [name, path, schemas] of [["api", "it.types.ts", "zod"], ["slim", "it.ts", "none"]] as const) {
    const document = schemaDocument({ $ref: `#/components/schemas/${name}` }, { [name]: { type: "string" } });
    const text = textOf(document, path, { schemas });
    assertStringIncludes(text, ` * as ${name} from "@scope/api/`);
    assertStringIncludes(text, `<"json", ${name}2>`);
  }
});

Deno.test("a schema does not have the name of a security scheme, which a module may import, too", () => {
  const document = {
    ...schemaDocument({ $ref: "#/components/schemas/token" }),
    components: {
      schemas: { token: { type: "object" } },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
    security: [{ token: [] }],
  };
  assertStringIncludes(textOf(document, "it.ts"), 'import { token2 } from "./schemas/it.ts";');
});

Deno.test("--only of a document writes what these operations need, and nothing else", () => {
  const { files, report } = writeContract(users, { only: ["users/delete"] });
  assertEquals(files.map(({ path }) => path), [
    "contract.ts",
    "users.ts",
    "responses.ts",
    "text.ts",
    "contract.types.ts",
    "users.types.ts",
    "responses.types.ts",
    "document.ts",
  ]);
  assertEquals(report.operations.length, 1);
  assertEquals(writeContract(users, { only: ["/users"] }).report.operations.length, 2);
  assertEquals(writeContract(users, { only: ["Users"] }).report.operations.length, 4);
});

Deno.test("an import of the same document writes the same text, and a new operation only adds lines", () => {
  assertEquals(writeContract(users), writeContract(structuredClone(users)));
  const more = structuredClone(users) as { paths: Record<string, object> };
  more.paths["/users/{id}/avatar"] = {
    get: {
      tags: ["Users"],
      operationId: "users/avatar",
      responses: { 200: { description: "", content: { "image/png": {} } } },
    },
  };
  const before = textOf(users, "users.ts").split("\n");
  const after = textOf(more, "users.ts").split("\n");
  assertEquals(before.filter((line) => !after.includes(line)), []);
  assertStringIncludes(textOf(more, "users.ts"), 'response.bytes({ contentType: "image/png" })');
});

Deno.test("what a contract cannot declare is left out with its reason, and what differs is named", () => {
  const responses = { 200: { description: "", content: { "text/csv": {}, "application/json": { schema: {} } } } };
  const document = documentOf({
    "/a#b": { get: { responses } },
    "/a?b=c": { get: { responses } },
    "/a": {
      trace: { responses },
      get: { responses, requestBody: { required: true, content: { "application/json": {} } } },
    },
    "/b/{one}...{two}": { get: { tags: ["b"], operationId: "compare", responses } },
    "/b/{id}": { get: { responses } },
    "/b/{name}": { get: { responses } },
  });
  const { report } = writeContract(document);
  assertEquals(report.operations.map(({ operation, reason, changes }) => [operation, reason, ...changes]), [
    ["GET /a#b", "its path has a fragment, which clients do not send"],
    ["GET /a?b=c", "its path has a query; declare the parameters in the query"],
    ["GET /a", "it requires a body, which fetch does not send with GET"],
    ["TRACE /a", "fetch cannot send TRACE"],
    [
      "GET /b/{one}...{two}",
      undefined,
      "the segment {one}...{two} is one parameter, :oneTwo",
      "the response 200 is application/json only, not text/csv",
    ],
    ["GET /b/{id}", undefined, "the response 200 is application/json only, not text/csv"],
    ["GET /b/{name}", "b.getById has the same method and path"],
  ]);
  assertStringIncludes(
    textOf(document, "b.ts"),
    'z.object({ oneTwo: z.templateLiteral([z.string().min(1), "...", z.string().min(1)]) }),\n    { oneTwo: "*...*" },',
  );
  assertStringIncludes(
    textOf(document, "b.ts", { prefer: ["text/csv"] }),
    'response.text({ contentType: "text/csv" })',
  );
});

Deno.test("of several schemes whose credentials clients cannot send, an operation has the first", () => {
  const key = (name: string) => ({ type: "apiKey", in: "query", name });
  const get = { responses: { 204: { description: "" } }, security: [{ one: [] }, { two: [] }] };
  const document = documentOf({ "/a": { get } }, { securitySchemes: { one: key("one"), two: key("two") } });
  const [operation] = importContract(document).report.operations;
  assertEquals([operation?.key, operation?.changes], ["a.get", [
    'clients do not send the credential "one": add it as the query parameter one, in "fetch"',
    'clients do not send the credential "two": add it as the query parameter two, in "fetch"',
    "two is not declared: another scheme has a credential that clients do not send too",
  ]]);
});

Deno.test("paths with slashes at the end are routes of their own, unless a segment is empty", () => {
  const get = { responses: { 204: { description: "" } } };
  const paths = {
    "/a": { get },
    "/a/": { get },
    "/a//": { get },
    "/{id}/b": { get },
    "/{name}/b/": { get },
    "/": { get },
  };
  const { contract, report } = importContract(documentOf(paths));
  assertEquals(report.operations.map(({ operation, reason }) => [operation, reason]), [
    ["GET /a", undefined],
    ["GET /a/", undefined],
    ["GET /a//", "its path ends with an empty segment"],
    ["GET /{id}/b", undefined],
    ["GET /{name}/b/", undefined],
    ["GET /", undefined],
  ]);
  assertEquals(routesOf(contract.routes).map(({ path }) => path).toSorted(), ["/", "/:id/b", "/:name/b/", "/a", "/a/"]);
});

Deno.test("a parameter whose default tells two paths apart becomes a segment", () => {
  const responses = { 204: { description: "" } };
  const mount = (fallback: string) => ({
    name: "mount",
    in: "path",
    required: true,
    schema: { type: "string", default: fallback },
  });
  const { contract, report } = importContract(documentOf({
    "/auth/{mount}/login": { post: { tags: ["auth"], operationId: "first", parameters: [mount("one")], responses } },
    "/auth/{other}/login": {
      post: { tags: ["auth"], operationId: "second", parameters: [{ ...mount("two"), name: "other" }], responses },
    },
  }));
  assertEquals(report.operations[1]!.changes, [
    'other is "two" in its path, because auth.first has the same method and path',
  ]);
  const { auth } = contract.routes as unknown as Record<string, Record<string, { path: string }>>;
  assertEquals([auth!.first!.path, auth!.second!.path], ["/auth/:mount/login", "/auth/two/login"]);
});

Deno.test("Swagger 2.0 is read as OpenAPI", () => {
  const text = textOf({
    swagger: "2.0",
    info: { title: "Old", version: "1" },
    host: "example.com",
    basePath: "/v2",
    consumes: ["application/json"],
    paths: {
      "/pets/{id}": {
        post: {
          tags: ["pets"],
          operationId: "update",
          parameters: [
            { name: "id", in: "path", required: true, type: "integer" },
            { name: "tags", in: "query", type: "array", items: { type: "string" }, collectionFormat: "multi" },
            { name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } },
          ],
          responses: { 200: { description: "", schema: { $ref: "#/definitions/Pet" } } },
        },
      },
    },
    definitions: { Pet: { type: "object", properties: { name: { type: "string" } } } },
  }, "pets.ts");
  assertStringIncludes(text, "params: z.object({ id: fromText(z.int()) }),");
  assertStringIncludes(text, "query: z.object({ tags: z.array(z.string()).optional() }),");
  assertStringIncludes(text, "body: request.json(Pet),");
  assertStringIncludes(text, "responses: { 200: response.json(Pet) },");
});

Deno.test("faults of a document are named with their place, and do not stop the import", () => {
  const { report } = writeContract(schemaDocument({
    type: "object",
    properties: {
      a: { $ref: "#/components/schemas/Gone" },
      b: { type: "strin" },
      c: { type: "string", pattern: "(" },
      d: { properties: {} },
      e: 3,
      f: { type: "array", items: {}, uniqueItems: true },
    },
  }));
  const at = "#/paths/~1it/get/responses/200/content/application~1json/schema/properties";
  assertEquals(report.faults, [
    { place: `${at}/a`, message: 'the document does not define "#/components/schemas/Gone"' },
    { place: `${at}/b`, message: '"strin" is not a type' },
    { place: `${at}/c`, message: '"(" is not a regular expression' },
    { place: `${at}/d`, message: "the schema has no type; it is read as one of type object" },
    { place: `${at}/e`, message: "a schema must be an object or a boolean" },
  ]);
  assertEquals(report.unchecked, [{ place: `${at}/f`, message: "uniqueItems" }]);
});

Deno.test("references of names that are also keywords lead to other files", async () => {
  const files: Record<string, object> = {
    "file:///api/openapi.json": documentOf({
      "/a": {
        get: {
          responses: {
            200: { description: "", content: { "application/json": { schema: { $ref: "schemas.json#/A" } } } },
            default: { $ref: "responses.json#/Failure" },
          },
        },
      },
    }),
    "file:///api/schemas.json": {
      A: {
        type: "object",
        properties: { default: { $ref: "#/B" }, enum: { $ref: "schemas.json#/B" }, example: { $ref: "#/B" } },
        default: { $ref: "only data" },
      },
      B: { type: "integer" },
    },
    "file:///api/responses.json": {
      Failure: { description: "", content: { "application/json": { schema: { const: "failed" } } } },
    },
  };
  const source = await readOpenApi("file:///api/openapi.json", (url) => Promise.resolve(files[url]!));
  const { files: written, report } = writeContract(source);
  assertEquals([report.faults, report.operations.map(({ changes }) => changes)], [[], [[]]]);
  const text = written.map((file) => file.text).join("\n");
  for (const part of ['z.literal("failed")', "default: B", "enum: B", "example: B"]) assertStringIncludes(text, part);
});

Deno.test("a version that YAML reads as a number is that of the document", () => {
  const get = { operationId: "get", tags: ["it"], responses: { 200: { description: "", schema: { type: "string" } } } };
  const old = { swagger: 2, info: { title: "Old", version: "1" }, paths: { "/it": { get } } };
  assertStringIncludes(textOf(old, "it.ts"), "response.json(z.string())");
  for (const openapi of [3, 3.1]) {
    assertStringIncludes(
      textOf({ ...schemaDocument({ type: "string" }), openapi }, "it.ts"),
      "response.json(z.string())",
    );
  }
  assertThrows(() => writeContract({ ...schemaDocument({}), openapi: 4 }), TypeError, "must have openapi 3.0");
});

Deno.test("numbers that are too large for JavaScript are left out, which is a fault", () => {
  const [most, least] = [1e400, -1e400]; // as JSON.parse() reads them
  assertEquals(zodOf({ type: "number", const: least }), "z.number()");
  assertEquals(zodOf({ enum: [1, most] }), "z.literal(1)");
  assertEquals(zodOf({ type: "number", multipleOf: most }), "z.number()");
  assertEquals(importContract(schemaDocument({ enum: [1, most] })).report.faults, [{
    place: "#/paths/~1it/get/responses/200/content/application~1json/schema",
    message: "a number is out of range; it is ignored",
  }]);
});

Deno.test("patterns that TypeScript may not know are written as text", () => {
  const schema = { type: "string", pattern: String.raw`^\p{Script_Extensions=Latin}+$` };
  const code = String.raw`new RegExp("^\\p{Script_Extensions=Latin}+$", "u")`;
  for (const schemas of ["zod", "valibot", "arktype"] as const) {
    assertStringIncludes(textOf(schemaDocument(schema), "it.ts", { schemas }).replaceAll(/\s+/g, " "), code);
  }
  assertEquals(zodOf({ type: "string", pattern: "^a+$" }), "z.string().regex(/^a+$/u)");
});

Deno.test("what is no document is refused with a sentence", () => {
  const refusals: readonly (readonly [unknown, string])[] = [
    [[], "Cannot import: the document must be an object, got an array"],
    [{}, "Cannot import: the document must have openapi 3.0, 3.1 or 3.2, or swagger 2.0"],
    [{ openapi: "4.0.0" }, "Cannot import: the document must have openapi 3.0, 3.1 or 3.2, or swagger 2.0"],
    [
      { openapi: "3.1.0", paths: {} },
      "writeContract(): no operation can be declared; the document has no paths with operations",
    ],
    [
      documentOf({ "/a#b": { get: {} } }),
      "writeContract(): no operation can be declared; GET /a#b: its path has a fragment, which clients do not send",
    ],
  ];
  for (const [document, message] of refusals) {
    assertThrows(() => writeContract(document as object), TypeError, message);
  }
  const wrong: readonly (readonly [object, string])[] = [
    [{ only: "users" }, '"only" must be an array of texts, got "users"'],
    [{ prefer: [1] }, '"prefer" must be an array of texts, got an array'],
    [{ extension: 5 }, '"extension" must be a text, got 5'],
    [{ library: null }, '"library" must be a text, got null'],
    [{ only: ["Users", "orders"] }, '"only" has "orders", which is no operation id, tag or path of the document'],
  ];
  for (const [options, message] of wrong) assertThrows(() => writeContract(users, options), TypeError, message);
  assertThrows(() => writeContract(users, { schema: "zod" } as never), TypeError, 'did you mean "schemas"?');
  assertThrows(() => writeContract(users, { schemas: "yup" as never }), TypeError, '"schemas" must be one of zod');
});

/** A document whose fields have all styles, and whose calls need several credentials. */
const styledDocument = documentOf(
  {
    "/items/{ids}": {
      get: {
        operationId: "styled",
        tags: ["Items"],
        parameters: [
          { name: "ids", in: "path", required: true, schema: { type: "array", items: { type: "integer" } } },
          { name: "tags", in: "query", explode: false, schema: { type: "array", items: { type: "string" } } },
          {
            name: "sizes",
            in: "query",
            style: "pipeDelimited",
            explode: false,
            description: "Wanted sizes",
            schema: { type: "array", items: { type: "integer" } },
          },
          { name: "words", in: "query", style: "spaceDelimited", schema: { type: "array", items: {} }, explode: false },
          { name: "filter", in: "query", style: "deepObject", schema: { $ref: "#/components/schemas/Filter" } },
          { name: "X-Fields", in: "header", schema: { type: "array", items: { type: "string" } } },
        ],
        responses: { 204: { description: "" } },
      },
      post: {
        operationId: "security",
        tags: ["Items"],
        parameters: [{ name: "ids", in: "path", required: true, schema: { type: "string" } }],
        security: [{ id: [] }, { id: [], secret: [] }, {}],
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: { type: "object", properties: { filter: { $ref: "#/components/schemas/Filter" } } },
              encoding: { filter: { style: "deepObject", explode: true } },
            },
          },
        },
        responses: { 204: { description: "" } },
      },
    },
  },
  {
    schemas: {
      Filter: {
        type: "object",
        properties: { name: { type: "string" }, size: { type: "object", properties: { gte: { type: "integer" } } } },
      },
    },
    securitySchemes: {
      id: { type: "apiKey", in: "header", name: "X-Id" },
      secret: { type: "apiKey", in: "header", name: "X-Secret" },
    },
  },
  { security: [{ id: [], secret: [] }] },
);

Deno.test("styles of fields and credentials that are needed together are declared as in the document", () => {
  const { report, contract } = importContract(styledDocument);
  assertEquals(report.operations.map(({ changes }) => changes), [[], []]);
  assertEquals(diffContracts(styledDocument as never, contract).filter(({ verdict }) => verdict !== "compatible"), []);
  assertEquals(diffContracts(contract, styledDocument as never).filter(({ verdict }) => verdict !== "compatible"), []);

  const text = textOf(styledDocument, "items.ts").replaceAll(/\s+/g, " ");
  for (
    const part of [
      "params: styled(z.object({ ids: z.array(",
      '{ ids: "comma" })',
      '{ tags: "comma", sizes: "pipe", words: "space", filter: "deepObject" }',
      '{ "x-fields": "comma" }',
      '{ filter: "deepObject" }',
      "security: [security.all(id, secret), id, security.none]",
      "export { security2 as security, styled2 as styled }",
    ]
  ) assertStringIncludes(text, part);
  assertStringIncludes(textOf(styledDocument, "contract.ts"), "security: [security.all(id, secret)]");
});

Deno.test("a field that would be read as a part of another is reported", () => {
  const filter = { type: "object", properties: { a: { type: "string" } } };
  const fields = { filter, "filter[a]": { type: "string" } };
  const parameters = Object.entries(fields).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
    ...(name === "filter" && { style: "deepObject" }),
  }));
  const content = {
    "application/x-www-form-urlencoded": {
      schema: { type: "object", properties: fields },
      encoding: { filter: { style: "deepObject", explode: true } },
    },
  };
  const responses = { 204: { description: "" } };
  const { report, contract } = importContract({
    openapi: "3.1.0",
    info: { title: "Clash", version: "1" },
    paths: { "/items": { get: { parameters, responses }, post: { requestBody: { content }, responses } } },
  });
  const state = "the field filter[a] is not declared, because it would be a part of filter";
  assertEquals(report.operations.map(({ changes }) => changes), [[state], [state]]);
  assertEquals(diffContracts(contract, contract).length, 0);
});

for (const schemas of ["zod", "valibot", "arktype", "none"] as const) {
  Deno.test(`an import with styles runs with --schemas ${schemas}`, async () => {
    const folder = await Deno.makeTempDir({ dir: new URL(".", import.meta.url).pathname });
    try {
      for (const { path, text } of writeContract(styledDocument, { schemas, extension: ".ts" }).files) {
        await Deno.mkdir(`${folder}/${path}`.replace(/[^/]*$/, ""), { recursive: true });
        await Deno.writeTextFile(`${folder}/${path}`, text);
      }
      const { contract } = await import(`file://${folder}/contract.ts`);
      const client = createClient(contract as Contract, {
        baseUrl: "http://localhost",
        credentials: { id: "i", secret: "s" },
        fetch: (request: Request) => {
          sent.push([decodeURIComponent(request.url.slice(16)), ...request.headers.values()].join(" "));
          return new Response(null, { status: 204 });
        },
      }) as unknown as { readonly items: Readonly<Record<string, (input: object) => Promise<unknown>>> };
      const sent: string[] = [];
      await client.items.styled!({
        params: { ids: [1, 2] },
        query: { tags: ["a", "b"], sizes: [1, 2], words: ["c", "d"], filter: { name: "n", size: { gte: 3 } } },
        headers: { "x-fields": ["x", "y"] },
      });
      await client.items.security!({ params: { ids: "1" } });
      assertEquals(sent, [
        "/items/1,2?tags=a,b&sizes=1|2&words=c d&filter[name]=n&filter[size][gte]=3 x,y i s",
        "/items/1 i s",
      ]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

/** A document with JSON in parameters and in the fields of forms. */
const jsonDocument = documentOf({
  "/items/{where}": {
    post: {
      operationId: "find",
      tags: ["items"],
      parameters: [
        { in: "path", name: "where", required: true, content: { "application/json": { schema: range("integer") } } },
        { in: "query", name: "also", content: { "application/json": { schema: range("number") } } },
        { in: "header", name: "x-also", content: { "application/json": { schema: range("boolean") } } },
      ],
      requestBody: formOf("application/x-www-form-urlencoded"),
      responses: { 204: { description: "" } },
    },
    put: {
      operationId: "replace",
      tags: ["items"],
      parameters: [{ in: "path", name: "where", required: true, schema: { type: "string" } }],
      requestBody: formOf("multipart/form-data"),
      responses: { 204: { description: "" } },
    },
  },
});

function range(type: string): object {
  return { type: "object", required: ["from"], properties: { from: { type } } };
}

function formOf(type: string): object {
  const list = { type: "array", items: { type: "string" } };
  const schema = {
    type: "object",
    required: ["range"],
    properties: { range: range("number"), names: list, tags: list },
  };
  const encoding = { range: { contentType: "application/json" }, tags: { style: "form", explode: false } };
  return { required: true, content: { [type]: { schema, encoding } } };
}

Deno.test("JSON in parameters and fields of forms is declared as JSON", () => {
  const { report, contract } = importContract(jsonDocument);
  assertEquals(report.operations.map(({ changes }) => changes), [[], []]);
  assertEquals(diffContracts(jsonDocument as never, contract).filter(({ verdict }) => verdict !== "compatible"), []);
  assertEquals(diffContracts(contract, jsonDocument as never).filter(({ verdict }) => verdict !== "compatible"), []);
});

Deno.test("an object or XML in a path is one text, which the report says", () => {
  const parameters = [
    { in: "path", name: "a", required: true, schema: range("string") },
    { in: "path", name: "b", required: true, content: { "application/xml": { schema: range("string") } } },
    { in: "path", name: "c", required: true, schema: { type: "integer" } },
  ];
  const get = { operationId: "get", parameters, responses: { 204: { description: "" } } };
  const { report } = importContract(documentOf({ "/{a}/{b}/{c}": { get } }));
  assertEquals(report.operations[0]?.changes, ["the parameter a is one text", "the parameter b is one text"]);
});

for (const schemas of ["zod", "valibot", "arktype", "none"] as const) {
  Deno.test(`an import with JSON in parameters and forms runs with --schemas ${schemas}`, async () => {
    const folder = await Deno.makeTempDir({ dir: new URL(".", import.meta.url).pathname });
    try {
      for (const { path, text } of writeContract(jsonDocument, { schemas }).files) {
        await Deno.mkdir(`${folder}/${path}`.replace(/[^/]*$/, ""), { recursive: true });
        await Deno.writeTextFile(`${folder}/${path}`, text);
      }
      const { contract } = await import(`file://${folder}/contract.ts`);
      const sent: string[] = [];
      const client = createClient(contract as Contract, {
        baseUrl: "http://localhost",
        fetch: async (request: Request) => {
          sent.push(decodeURIComponent(request.url.slice(16)), request.headers.get("x-also") ?? "");
          for (const [name, value] of await request.clone().formData()) sent.push(`${name}=${value}`);
          return await mockContract(importContract(jsonDocument).contract)(request); // which validates
        },
      }) as unknown as { readonly items: Readonly<Record<string, (input: object) => Promise<{ status: number }>>> };
      const body = { range: { from: 3.5 }, names: ["a", "b"], tags: ["c", "d"] };
      const found = await client.items.find!({
        params: { where: { from: 1 } },
        query: { also: { from: 2.5 } },
        headers: { "x-also": { from: true } },
        body,
      });
      const fields = ['range={"from":3.5}', "names=a", "names=b", "tags=c,d"];
      assertEquals(sent.slice(0, 2), ['/items/{"from":1}?also={"from":2.5}', '{"from":true}']);
      assertEquals([found.status, sent.slice(2).toSorted()], [204, fields.toSorted()]);
      sent.length = 0;
      const replaced = await client.items.replace!({ params: { where: "x" }, body });
      assertEquals([replaced.status, sent.slice(2).toSorted()], [204, fields.toSorted()]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("a field has its default; defaults inside of it are annotations, which may have another type", async () => {
  const options = { type: "object", properties: { mode: { type: "object", default: null } } };
  const schema = { type: "object", properties: { count: { type: "integer", default: 1 }, options } };
  const encoding = { options: { contentType: "application/json" } };
  const content = { "application/x-www-form-urlencoded": { schema, encoding } };
  const post = { operationId: "send", requestBody: { required: true, content }, responses: {} };
  const { contract } = importContract(documentOf({ "/send": { post } }));
  const [route] = routesOf(contract.routes);

  assertEquals(await route?.body?.schema?.["~standard"].validate({ options: {} }), {
    value: { count: 1, options: {} },
  });
});

Deno.test("a field has the default of the schema that it refers to", async () => {
  const reference = { $ref: "#/components/schemas/Order" };
  const parameter = (name: string, schema: object) => ({ name, in: "query", schema });
  const parameters = [
    parameter("order", reference),
    parameter("size", { $ref: "#/components/schemas/Size" }),
    parameter("tags", { $ref: "#/components/schemas/Tags" }),
    parameter("wrong", { $ref: "#/components/schemas/Wrong" }),
  ];
  const content = {
    "application/x-www-form-urlencoded": { schema: { type: "object", properties: { order: reference } } },
  };
  const send = {
    operationId: "send",
    tags: ["it"],
    parameters,
    requestBody: { required: true, content },
    responses: { 204: { description: "" } },
  };
  const document = documentOf({ "/send": { post: send } }, {
    schemas: {
      Order: { type: "string", enum: ["up", "down"], default: "down" },
      Size: { type: "integer", default: 7 },
      Tags: { type: "array", items: { type: "string" }, default: ["x"] },
      Wrong: { type: "string", enum: ["a"], default: "b" },
    },
  });
  const { contract, report } = importContract(document);
  const [route] = routesOf(contract.routes);

  assertEquals(await route?.query?.["~standard"].validate({}), { value: { order: "down", size: 7, tags: ["x"] } });
  assertEquals(await route?.body?.schema?.["~standard"].validate({}), { value: { order: "down" } });
  assertEquals(report.operations[0]?.changes, ['the default of wrong is not declared: "b"']);
  const text = textOf(document, "it.ts");
  for (const part of ['order: Order.default("down")', 'Tags.default(["x"])']) assertStringIncludes(text, part);
});
