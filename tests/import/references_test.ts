/** Any part of a document may be a reference: within the document, to another file, or to a further reference. */
import type { AnyOpenApiDocument } from "@scope/api/diff";
import { diffContracts } from "@scope/api/diff";
import { importContract, type OpenApiSource, readOpenApi, writeContract } from "@scope/api/import";
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";

const info = { title: "Pets", version: "1.0.0" };
const json = (schema: object) => ({ "application/json": { schema } });

/** The operation of a document, without any reference. */
const operation = {
  operationId: "getPet",
  tags: ["pets"],
  parameters: [
    { in: "path", name: "id", required: true, schema: { type: "integer" } },
    { in: "query", name: "q", schema: { type: "string" } },
  ],
  requestBody: { required: true, content: json({ type: "object", properties: { age: { type: "integer" } } }) },
  responses: {
    200: { description: "", headers: { "x-page": { schema: { type: "string" } } }, content: json({ type: "string" }) },
    404: { description: "", content: json({ type: "integer" }) },
  },
  security: [{ token: [] }],
};
const scheme = { type: "http", scheme: "bearer" };
const plain = {
  openapi: "3.1.0",
  info,
  paths: { "/pets/{id}": { post: operation } },
  components: { securitySchemes: { token: scheme } },
};

/** Documents that mean the same as `plain`, each with other parts as references. */
const documents: Readonly<Record<string, object>> = {
  "a path": { paths: { "/pets/{id}": { $ref: "#/x/path" } }, x: { path: { post: operation } } },
  "an operation": { paths: { "/pets/{id}": { post: { $ref: "#/x/pet" } } }, x: { pet: operation } },
  "all paths": { paths: { $ref: "#/x/paths" }, x: { paths: plain.paths } },
  "a chain of references": {
    paths: { "/pets/{id}": { post: { $ref: "#/x/one" } } },
    x: {
      one: { $ref: "#/x/two" },
      two: { $ref: "#/x/all/post" },
      all: { $ref: "#/x/path" },
      path: { post: operation },
    },
  },
  "members beside a reference": {
    paths: { "/pets/{id}": { post: { $ref: "#/x/pet", operationId: "getPet", tags: ["pets"] } } },
    x: { pet: { ...operation, operationId: "other", tags: ["others"] } },
  },
  "lists and objects": {
    paths: {
      "/pets/{id}": {
        post: {
          ...operation,
          tags: { $ref: "#/x/tags" },
          parameters: { $ref: "#/x/parameters" },
          requestBody: { $ref: "#/x/body" },
          responses: { $ref: "#/x/responses" },
          security: { $ref: "#/x/security" },
        },
      },
    },
    x: {
      tags: operation.tags,
      security: operation.security,
      parameters: [{ $ref: "#/x/id" }, operation.parameters[1]],
      id: { $ref: "#/x/number" },
      number: operation.parameters[0],
      body: { required: true, content: { $ref: "#/x/content" } },
      content: { "application/json": { $ref: "#/x/media" } },
      media: operation.requestBody.content["application/json"],
      responses: {
        200: { description: "", headers: { $ref: "#/x/headers" }, content: { $ref: "#/x/text" } },
        404: { $ref: "#/x/missing" },
      },
      headers: { "x-page": { $ref: "#/x/page" } },
      page: operation.responses[200].headers["x-page"],
      text: operation.responses[200].content,
      missing: { $ref: "#/x/responses404" },
      responses404: operation.responses[404],
    },
  },
  components: {
    components: { $ref: "#/x/components" },
    x: {
      components: { securitySchemes: { $ref: "#/x/schemes" } },
      schemes: { token: { $ref: "#/x/token" } },
      token: scheme,
    },
  },
};

/** The document of an imported contract. */
function describe(source: object): unknown {
  return openApiDocument(importContract(source).contract, { info, refusals: false });
}

for (const [name, parts] of Object.entries(documents)) {
  Deno.test(`an import reads references: ${name}`, () => {
    const document = { ...plain, ...parts };

    assertEquals(describe(document), describe(plain));
    assertEquals(writeContract(document).files.map(({ path }) => path), [
      "contract.ts",
      "pets.ts",
      "security.ts",
      "text.ts",
      "contract.types.ts",
      "pets.types.ts",
      "document.ts",
    ]);
    assertEquals(importContract(document).report.operations, [
      { operation: "POST /pets/{id}", key: "pets.getPet", changes: [], reason: undefined },
    ]);
  });
}

Deno.test("an import reads a reference to a schema whose name contains #", () => {
  const schemas = { "Pet#Name": { type: "string" } };
  const content = { "text/plain": { schema: { $ref: "#/components/schemas/Pet#Name" } } };
  const paths = { "/name": { get: { responses: { 200: { description: "OK", content } } } } };

  assertEquals(importContract({ ...plain, paths, components: { schemas } }).report.faults, []);
});

Deno.test("an import reads references to parts of other files", async () => {
  const files: Readonly<Record<string, unknown>> = {
    "file:///api/openapi.json": { ...plain, paths: { "/pets/{id}": { $ref: "paths/pet.json" } } },
    "file:///api/paths/pet.json": { post: { $ref: "operations.json#/getPet" } },
    "file:///api/paths/operations.json": {
      getPet: { ...operation, parameters: { $ref: "../parameters.json" }, responses: { $ref: "../responses.json" } },
    },
    "file:///api/parameters.json": [{ $ref: "id.json" }, operation.parameters[1]],
    "file:///api/id.json": operation.parameters[0],
    "file:///api/responses.json": { 200: { $ref: "found.json" }, default: { $ref: "missing.json" } },
    "file:///api/found.json": operation.responses[200],
    "file:///api/missing.json": operation.responses[404],
  };
  const source: OpenApiSource = await readOpenApi("file:///api/openapi.json", (url) => Promise.resolve(files[url]));
  const { 404: missing, ...responses } = operation.responses;
  const whole = { ...operation, responses: { ...responses, default: missing } };

  assertEquals(describe(source), describe({ ...plain, paths: { "/pets/{id}": { post: whole } } }));
});

Deno.test("an import of Swagger 2.0 reads references to parts of other files", async () => {
  const files: Readonly<Record<string, unknown>> = {
    "file:///api/swagger.json": {
      swagger: "2.0",
      info,
      paths: { "/pets": { $ref: "pets.json#/path" } },
      definitions: { Pet: { type: "object", properties: { id: { type: "integer" } } } },
    },
    "file:///api/pets.json": {
      path: { post: { $ref: "#/operation" } },
      operation: {
        operationId: "addPet",
        tags: ["pets"],
        parameters: [
          { in: "query", name: "kinds", type: "array", items: { type: "string" } },
          { in: "body", name: "body", required: true, schema: { $ref: "swagger.json#/definitions/Pet" } },
        ],
        responses: { 201: { $ref: "#/created" } },
      },
      created: { description: "", schema: { $ref: "#/pet" } },
      pet: { allOf: [{ $ref: "swagger.json#/definitions/Pet" }] },
    },
  };
  const source = await readOpenApi("file:///api/swagger.json", (url) => Promise.resolve(files[url]));
  const { contract, report } = importContract(source);
  const { paths } = openApiDocument(contract, { info, refusals: false });
  const { parameters } = paths["/pets"]!.post!;
  const { text } = writeContract(source).files.find(({ path }) => path === "pets.ts")!;

  assertEquals(report.faults, []);
  assertEquals(parameters, [{
    name: "kinds",
    in: "query",
    style: "form",
    explode: false,
    schema: { type: "array", items: { type: "string" } },
  }]);
  assertStringIncludes(text, "body: request.json(Pet),\n  responses: { 201: response.json(pet) },");
});

Deno.test("an import of Swagger 2.0 leaves data alone that looks like a reference", () => {
  const { contract } = importContract({
    swagger: "2.0",
    info,
    paths: {
      "/pets": {
        get: {
          operationId: "listPets",
          tags: ["pets"],
          responses: { default: { description: "", schema: { $ref: "#/definitions/Link" } } },
        },
      },
    },
    definitions: {
      Pet: { type: "object" },
      Link: {
        type: "object",
        properties: {
          default: { $ref: "#/definitions/Pet" },
          to: { type: "object", default: { $ref: "#/definitions/Pet" } },
        },
      },
    },
  });
  const { components } = openApiDocument(contract, { info, refusals: false });
  const open = { type: "object", properties: {}, additionalProperties: true } as const;

  assertEquals(components?.schemas, {
    Pet: open,
    Link: {
      type: "object",
      properties: {
        default: { $ref: "#/components/schemas/Pet" },
        to: { ...open, default: { $ref: "#/definitions/Pet" } },
      },
    },
  });
});

Deno.test("a reference that leads nowhere, or back to itself, is a fault with its place", () => {
  const { report } = importContract({
    ...plain,
    paths: {
      ...plain.paths,
      "/a": { get: { $ref: "#/x/nothing" } },
      "/b": { get: { $ref: "#/x/self" } },
      "/c": { $ref: "#/x/path" },
      "/d": { GET: {}, get: null },
    },
    x: { self: { $ref: "#/x/self" } },
  });

  assertEquals(report.operations.map(({ key }) => key), ["pets.getPet"]);
  assertEquals(report.faults, [
    { place: "#/paths/~1a/get", message: 'the document does not define "#/x/nothing"' },
    { place: "#/paths/~1b/get", message: 'the reference "#/x/self" leads back to itself' },
    { place: "#/paths/~1c", message: 'the document does not define "#/x/path"' },
    { place: "#/paths/~1d/GET", message: "it is not a member of paths, such as get; it is ignored" },
    { place: "#/paths/~1d/get", message: "an operation must be an object; it is ignored" },
  ]);
});

Deno.test("references through references take no time out of proportion", () => {
  const links = Array.from({ length: 200 }, (_, index) => [`r${index}`, { $ref: `#/x/r${index + 1}/a/a` }] as const);
  const document = {
    ...plain,
    paths: { ...plain.paths, "/a": { get: { $ref: "#/x/r0" } } },
    x: Object.fromEntries(links),
  };

  assertEquals(importContract(document).report.faults.map(({ place }) => place), ["#/paths/~1a/get"]);
});

for (const [name, parts] of Object.entries(documents)) {
  Deno.test(`diffContracts() reads references: ${name}`, () => {
    const document = { ...plain, ...parts } as unknown as AnyOpenApiDocument;
    const other = structuredClone(plain);
    other.paths["/pets/{id}"].post.responses[200].content["application/json"].schema = { type: "integer" };

    assertEquals(diffContracts(document, plain as AnyOpenApiDocument), []);
    assertEquals(diffContracts(document, other as AnyOpenApiDocument).map(({ where }) => where), ["200"]);
  });
}

Deno.test("diffContracts() refuses a reference that leads nowhere", () => {
  const document = {
    ...plain,
    paths: { "/a": { get: { $ref: "#/\u009b2J\u202e" } } },
  } as unknown as AnyOpenApiDocument;

  assertThrows(
    () => diffContracts(document, plain as AnyOpenApiDocument),
    TypeError,
    'diffContracts(): the document does not define "#/\\u009b2J\\u202e"',
  );
});

Deno.test("a file that only an extension or a discriminator refers to may be missing", async () => {
  const content = json({
    oneOf: [{ $ref: "#/components/schemas/Cat" }],
    discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat", dog: "dog.json" } },
  });
  const document = {
    openapi: "3.1.0",
    info,
    paths: {
      "/pets": {
        get: {
          operationId: "list",
          tags: ["pets"],
          "x-samples": [{ code: { $ref: "list.ts" } }],
          responses: { 200: { description: "", content } },
        },
      },
    },
    components: { schemas: { Cat: { type: "object", properties: { kind: { type: "string" } } } } },
  };
  const read = (url: string) =>
    url.endsWith("openapi.json")
      ? Promise.resolve(document)
      : Promise.reject(Object.assign(new TypeError(`${url} does not exist`), { code: "ENOENT" }));
  const { report } = importContract(await readOpenApi("file:///api/openapi.json", read));
  const required = structuredClone(document);
  required.components.schemas.Cat = { $ref: "cat.json" } as never;

  assertEquals(report.operations.map(({ key }) => key), ["pets.list"]);
  assertEquals(report.files, []);
  assertEquals(report.faults[0]?.message, 'the document does not define "file:///api/dog.json#"');
  await assertRejects(
    () =>
      readOpenApi(
        "file:///openapi.json",
        (url) => url.endsWith("openapi.json") ? Promise.resolve(required) : read(url),
      ),
    TypeError,
    "file:///cat.json does not exist",
  );
});
