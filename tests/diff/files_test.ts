/** Documents of several files, of Swagger 2.0, and with many schemas that refer to each other. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import process from "node:process";
import { type AnyOpenApiDocument, type ContractOrDocument, diffContracts, type DocumentOfFiles } from "@scope/api/diff";
import { importContract, readOpenApi } from "@scope/api/import";

/** The changes, each as one line. */
function list(before: ContractOrDocument, after: ContractOrDocument): string[] {
  return diffContracts(before, after).map(({ verdict, route, where, message }) =>
    `${verdict} ${route} ${where || "-"} ${message}`
  );
}

/** A document whose operation, parameters, response and schemas are in other files, some of which refer back to it. */
function readFiles(name: object, id: object = { type: "string" }): Promise<DocumentOfFiles> {
  const files: Readonly<Record<string, object>> = {
    "file:///api/openapi.json": {
      openapi: "3.1.0",
      info: { title: "Users", version: "1" },
      paths: { "/users/{id}": { $ref: "paths/user.json#/item" } },
      components: { schemas: { Name: name, Page: { $ref: "schemas.json#/Page" } } },
    },
    "file:///api/paths/user.json": {
      item: {
        parameters: [{ $ref: "../parameters.json#/id" }],
        put: {
          operationId: "rename",
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "../openapi.json#/components/schemas/Name" } } },
          },
          responses: { 200: { $ref: "../responses.json#/User" } },
        },
      },
    },
    "file:///api/parameters.json": { id: { name: "id", in: "path", required: true, schema: id } },
    "file:///api/responses.json": {
      User: {
        description: "A user",
        content: { "application/json": { schema: { $ref: "schemas.json#/User" } } },
      },
    },
    "file:///api/schemas.json": {
      User: {
        type: "object",
        properties: {
          name: { $ref: "openapi.json#/components/schemas/Name" },
          friends: { type: "array", items: { $ref: "#/User" } },
          secret: { $ref: "#/Secret" },
          page: { $ref: "openapi.json#/components/schemas/Page" },
        },
        required: ["name"],
      },
      Secret: { type: "string", writeOnly: true },
      Page: { type: "integer", minimum: 1 },
    },
  };
  return readOpenApi("file:///api/openapi.json", (url) => Promise.resolve(files[url]!));
}

Deno.test("diffContracts() follows references to other files", async () => {
  const text = { type: "string", minLength: 1 };
  const before = await readFiles(text);

  assertEquals(list(before, await readFiles(text)), []);
  assertEquals(list(before, await readFiles({ ...text, description: "A name" })), []);
  assertEquals(list(before, importContract(before).contract), []);
  assertEquals(list(before, await readFiles({ ...text, minLength: 2 }, { type: "string", pattern: "^[0-9]+$" })), [
    "breaking rename params /id must match the pattern ^[0-9]+$ now",
    "breaking rename body must have a length of 2 or more now, not 1",
    "compatible rename 200 /name must have a length of 2 or more now, not 1",
  ]);
});

Deno.test("a schema in another file that is not there is unproven, and a missing operation is an error", async () => {
  const { document, files } = await readFiles({ type: "string" });
  const without = (name: string) => new Map([...files].filter(([url]) => !url.endsWith(name)));

  assertEquals(list({ document, files }, { document, files: without("schemas.json") }), [
    'unproven rename 200 Cannot follow $ref "file:///api/schemas.json#/User": the schema does not define it',
  ]);
  assertThrows(
    () => diffContracts({ document, files }, { document, files: without("user.json") }),
    TypeError,
    'diffContracts(): the document does not define "file:///api/paths/user.json#/item"',
  );
});

Deno.test("a schema in another file that is nested too deeply is unproven, also where others refer to it", async () => {
  let deep: object = { type: "string" };
  for (let level = 0; level < 5_000; level++) deep = { properties: { a: deep } };
  const { document, files } = await readFiles({ type: "string" });
  const schemas = { ...files.get("file:///api/schemas.json") as object, Page: deep };
  const after = { document, files: new Map([...files, ["file:///api/schemas.json", schemas]]) };

  assertEquals(list({ document, files }, after), [
    "unproven rename 200 Cannot read a JSON Schema: it is nested more than 500 levels deep",
  ]);
});

Deno.test("diffContracts() reads Swagger 2.0", () => {
  const swagger = (name: object) => ({
    swagger: "2.0",
    info: { title: "Users", version: "1" },
    basePath: "/v1",
    consumes: ["application/json"],
    produces: ["application/json"],
    paths: {
      "/users": {
        post: {
          operationId: "create",
          parameters: [{ in: "body", name: "user", required: true, schema: { $ref: "#/definitions/User" } }],
          responses: { 200: { description: "", schema: { $ref: "#/definitions/User" } } },
        },
      },
    },
    definitions: { User: { type: "object", properties: { name }, required: ["name"] } },
  });
  const before = swagger({ type: "string" });

  assertEquals(list(before, structuredClone(before)), []);
  assertEquals(list(before, importContract(before).contract), []);
  assertEquals(list(before, swagger({ type: "string", maxLength: 9 })), [
    "breaking create body /name must have a length of 9 or less now",
    "compatible create 200 /name must have a length of 9 or less now",
  ]);
  const [version] = [{ ...before, swagger: 2 as unknown as string }]; // YAML without quotes
  assertEquals(list(before, version!), []);
  assertThrows(
    () => diffContracts({ ...before, swagger: "1.2" }, before),
    TypeError,
    'must be of OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, got "1.2"',
  );
});

/** A document of schemas that each refer to five others, in cycles. */
function createGraph(size: number, change: (schemas: Record<string, object>) => void = () => {}): AnyOpenApiDocument {
  const schemas: Record<string, object> = {};
  for (let index = 0; index < size; index++) {
    const targets = [1, 7, 31, 211, 503].map((step) => ({
      $ref: `#/components/schemas/S${(index * 3 + step) % size}`,
    }));
    const [one, two, three, four, five] = targets;
    schemas[`S${index}`] = {
      type: "object",
      properties: { [`own${index}`]: { type: "string" }, one, two: { type: "array", items: two }, three, four, five },
      required: [`own${index}`],
    };
  }
  change(schemas);
  const paths = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => {
      const schema = { $ref: `#/components/schemas/S${(index * 5) % size}` };
      const content = { "application/json": { schema } };
      return [`/p${index}`, { put: { requestBody: { content }, responses: { 200: { description: "", content } } } }];
    }),
  );
  return { openapi: "3.1.0", paths, components: { schemas } } as AnyOpenApiDocument;
}

/** Returns a value with the members of all objects in the other order. */
function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).toReversed().map(([name, each]) => [name, reverse(each)]));
}

Deno.test("a thousand schemas that refer to each other are compared in seconds, equal or not", () => {
  const graph = createGraph(1_000);
  const begun = process.cpuUsage();

  assertEquals(list(graph, structuredClone(graph)), []);
  assertEquals(list(graph, { ...structuredClone(graph), info: { title: "Renamed" } } as AnyOpenApiDocument), []);
  assertEquals(list(graph, reverse(graph) as AnyOpenApiDocument), []);
  const described = createGraph(1_000, (schemas) => {
    schemas.S500 = { ...schemas.S500, description: "A schema" };
  });
  assertEquals(list(graph, described), []);
  const { user, system } = process.cpuUsage(begun);
  assert(user + system < 15_000_000, `${user + system} µs of processor time`);
});

Deno.test("a change is found below more levels than a stack has", () => {
  const chain = (last: string): AnyOpenApiDocument =>
    createGraph(2_000, (schemas) => {
      for (let index = 0; index < 2_000; index++) {
        const next = index === 1_999 ? { type: last } : { $ref: `#/components/schemas/S${index + 1}` };
        schemas[`S${index}`] = { type: "object", properties: { a: next } };
      }
    });
  const only = ({ paths, ...rest }: AnyOpenApiDocument): AnyOpenApiDocument => ({
    ...rest,
    paths: Object.fromEntries(Object.entries(paths ?? {}).slice(0, 1)),
  });
  const changes = diffContracts(only(chain("string")), only(chain("number")), { samples: 0 });

  assertEquals(changes.map(({ verdict, where }) => [verdict, where.split(" ")[0], where.split("/a").length]), [
    ["breaking", "body", 2_001],
    ["breaking", "200", 2_001],
  ]);
});

Deno.test("a document is equal to itself, whatever in it cannot be read", () => {
  const content = { "application/json": { schema: { $ref: "https://example.com/user.json" } } };
  const odd = { type: "string", pattern: "(?i)a" };
  const document = {
    openapi: "3.0.3",
    paths: {
      "/a": {
        parameters: [{ in: "query", name: "q", schema: odd }],
        get: { operationId: "a", responses: { 200: { content } }, callbacks: { on: {} } },
      },
    },
    webhooks: { made: {} },
  };
  assertEquals(list(document, document), []);
  assertEquals(list(document, structuredClone(document)), []);
  assertEquals(list(document, { ...document, openapi: "3.1.0" }), []);
  const path = document.paths["/a"];
  const get = { ...path.get, callbacks: {} };
  assertEquals(list(document, { ...document, paths: { "/a": { ...path, get } } } as AnyOpenApiDocument), [
    "unproven  callbacks changed, and is not compared",
  ]);
});

Deno.test("a document without operation ids, with objects in its query and with null in its parameters equals its import", () => {
  const page = {
    type: "object",
    properties: { size: { type: "integer" }, after: { type: "string" } },
    required: ["size"],
  };
  const parameters = [
    { in: "path", name: "version", schema: { type: "string", default: "v1" } },
    { in: "query", name: "page", required: true, schema: { $ref: "#/components/schemas/Page" } },
    { in: "query", name: "q", allowEmptyValue: true, schema: { type: "string" } },
    { in: "query", name: "kind", schema: { type: ["string", "null"], enum: ["a", null] } },
    { in: "header", name: "x-kind", schema: { anyOf: [{ type: "string", minLength: 2 }, { type: "null" }] } },
  ];
  const form = {
    "multipart/form-data": {
      schema: { type: "object", properties: { expiry: { anyOf: [{ type: "integer" }, { type: "null" }] } } },
    },
  };
  const csv = { "text/csv": { schema: { type: "string", format: "binary" } } };
  const document = {
    openapi: "3.1.0",
    paths: {
      "/{version}/a": {
        get: { tags: ["t"], parameters, responses: { 200: { description: "", content: csv } } },
        post: { requestBody: { content: form }, responses: { 204: { description: "" } } },
      },
    },
    components: { schemas: { Page: page } },
  };
  assertEquals(list(document, importContract(document).contract), []);
});

Deno.test("diffContracts() does not compare callbacks, and says so if they differ", () => {
  const withCallbacks = (callbacks: object) => ({
    openapi: "3.1.0",
    paths: { "/a": { post: { operationId: "a", responses: { 204: { description: "" } }, callbacks } } },
  });

  assertEquals(list(withCallbacks({}), withCallbacks({ done: { "{$request.body#/url}": { post: {} } } })), [
    "unproven  callbacks changed, and is not compared",
  ]);
});
