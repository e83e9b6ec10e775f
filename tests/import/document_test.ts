/** What an import keeps besides the contract: the options of the document. */
import { importContract, writeContract } from "@scope/api/import";
import { diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals, assertStringIncludes } from "@std/assert";

const user = {
  type: "object",
  description: "A person.",
  "x-owner": "people",
  properties: {
    id: { type: "integer", format: "int64", description: "The id.", example: 7 },
    name: { type: "string", title: "Name" },
    parent: { $ref: "#/components/schemas/APIKeyDto" },
  },
  required: ["id"],
};

const document = {
  openapi: "3.1.0",
  info: { title: "People", version: "2", description: "All people.", contact: { name: "Ada" }, "x-logo": "l.png" },
  servers: [{ url: "https://{region}.acme.example/v1", variables: { region: { default: "eu" } }, description: "EU" }],
  tags: [{ name: "users", description: "People.", externalDocs: { url: "https://docs.acme.example" } }],
  "x-tagGroups": [{ name: "All", tags: ["users"] }],
  paths: {
    "/users/{id}": {
      get: {
        tags: ["users"],
        operationId: "getUser",
        summary: "Read a user",
        description: "Reads one.",
        "x-rate-limit": 10,
        externalDocs: { url: "https://docs.acme.example/users" },
        servers: [{ url: "https://users.acme.example/v1" }],
        parameters: [
          { name: "id", in: "path", required: true, description: "The id.", example: "7", schema: { type: "string" } },
          {
            name: "full",
            in: "query",
            description: "Whether all is sent.",
            schema: { type: "boolean" },
            examples: { yes: { $ref: "#/components/examples/Yes" } },
          },
        ],
        responses: {
          200: {
            description: "The user.",
            headers: { "X-Left": { description: "Calls left.", schema: { type: "string" } } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/User" }, example: { id: 7 } } },
            links: { self: { operationId: "getUser" } },
          },
        },
        callbacks: {
          seen: { "{$request.query.url}": { post: { responses: { 204: { description: "Seen" } } } } },
        },
      },
    },
  },
  webhooks: {
    gone: {
      post: {
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Gone" } } } },
        responses: { 204: { description: "Received" } },
      },
    },
  },
  components: {
    examples: { Yes: { value: true } },
    schemas: {
      User: user,
      APIKeyDto: { type: "object", properties: { key: { type: "string" } } },
      Gone: { type: "object", properties: { user: { $ref: "#/components/schemas/User" } } },
    },
  },
};

Deno.test("operations without an id have none when their document is published again, and each path is as it was", () => {
  const responses = { 200: { description: "" } };
  const original = (servers: object[]) => ({
    openapi: "3.1.0",
    info: document.info,
    servers,
    paths: { "/": { get: { responses } }, "/a/{id}": { get: { operationId: "a", responses } } },
  });
  const publish = (servers: object[]) => {
    const { contract, document: options } = importContract(original(servers));
    return openApiDocument(contract, options);
  };
  const { paths, servers } = publish([{ url: "/v1" }, { url: "https://b.example/v1/" }]);

  assertEquals(Object.keys(paths), ["/", "/a/{id}"]);
  assertEquals([paths["/"]?.get?.operationId, paths["/a/{id}"]?.get?.operationId], [undefined, "a"]);
  assertEquals(servers, [{ url: "/v1" }, { url: "https://b.example/v1/" }]);
  // a path that is not the end of the URL as it is written is one of the contract
  assertEquals(Object.keys(publish([{ url: "https://a.example/a%20b" }]).paths), ["/a%20b/", "/a%20b/a/{id}"]);
});

Deno.test("a document that is imported and published again keeps its prose, examples, servers, extensions and names", () => {
  const { contract, document: options, report } = importContract(document);
  const published = openApiDocument(contract, { ...options, refusals: false });
  const { get } = published.paths["/users/{id}"]!;
  const [original] = Object.values(document.paths);

  assertEquals<unknown>(published.info, document.info);
  assertEquals<unknown>(published.tags, document.tags);
  assertEquals(published["x-tagGroups"], document["x-tagGroups"]);
  assertEquals<unknown>(published.servers, document.servers);
  for (
    const name of [
      "operationId",
      "summary",
      "description",
      "tags",
      "x-rate-limit",
      "externalDocs",
      "callbacks",
    ] as const
  ) {
    assertEquals<unknown>(get?.[name], original!.get[name]);
  }
  assertEquals(get?.servers, [{ url: "https://users.acme.example/v1" }]);
  const { schema: _, ...id } = original!.get.parameters[0]!;
  assertEquals<unknown>(get?.parameters?.[0], { ...id, schema: { type: "string" } });
  assertEquals(get?.parameters?.[1]?.examples, { yes: { value: true } });
  const found = get?.responses["200"];
  assertEquals(found?.headers, { "x-left": { description: "Calls left.", schema: { type: "string" } } });
  assertEquals<unknown>(found?.content, original!.get.responses[200].content);
  assertEquals(found?.$ref === undefined && found?.links, { self: { operationId: "getUser" } });
  const { example, ...identifier } = user.properties.id;
  assertEquals<unknown>(published.components?.schemas?.["User"], {
    ...user,
    properties: {
      ...user.properties,
      id: { ...identifier, examples: [example] },
      name: { ...user.properties.name, description: "Name" }, // the title, where there is no description
    },
  });
  assertEquals(Object.keys(published.components?.schemas ?? {}), ["User", "APIKeyDto", "Gone"]);
  assertEquals<unknown>(published.webhooks, {
    gone: {
      post: {
        operationId: "gone",
        tags: ["webhooks"],
        requestBody: { required: false, ...document.webhooks.gone.post.requestBody },
        responses: document.webhooks.gone.post.responses,
      },
    },
  });
  assertEquals<unknown>(published.components?.schemas?.["Gone"], document.components.schemas.Gone);
  assertEquals(report.omitted.map(({ place }) => place), ["#/paths/~1users~1{id}/get/callbacks/seen"]);
});

/** A document of OpenAPI 3.0 with one schema, which is sent, and the schemas that it refers to. */
function documentOf(schema: object, schemas: Record<string, object> = {}, tags: readonly string[] = ["it"]): object {
  const content = { "application/json": { schema } };
  return {
    openapi: "3.0.3",
    info: { title: "It", version: "1" },
    paths: { "/it": { get: { tags, operationId: "read", responses: { 200: { description: "It.", content } } } } },
    components: { schemas },
  };
}

/** Imports a document and publishes it again. */
function publish(original: object): { readonly schema: unknown; readonly lines: readonly string[] } {
  const { contract, document: options, report } = importContract(original);
  const { get } = openApiDocument(contract, { ...options, refusals: false }).paths["/it"]!;
  const found = get?.responses["200"] as { content: Record<string, { schema: unknown }> };
  return {
    schema: found.content["application/json"]!.schema,
    lines: report.unpublished.map(({ place, message }) => `${place.split("/schema").at(-1)} ${message}`),
  };
}

Deno.test("an import keeps the annotations of unions, of nullable schemas, and of items", () => {
  const { schema, lines } = publish(documentOf({
    type: "object",
    nullable: true,
    properties: {
      size: { oneOf: [{ type: "string", title: "Name", "x-unit": "px" }, { type: "number", example: 4 }] },
      list: { type: "array", items: { type: "string", example: "a" } },
    },
  }));

  assertEquals(schema, {
    anyOf: [
      {
        type: "object",
        properties: {
          size: {
            anyOf: [
              { type: "string", description: "Name", title: "Name", "x-unit": "px" },
              { type: "number", examples: [4] },
            ],
          },
          list: { type: "array", items: { type: "string", examples: ["a"] } },
        },
      },
      { type: "null" },
    ],
  });
  assertEquals(lines, []);
});

Deno.test("an import keeps schemas that the contract does not have, such as other names of a schema, as components", () => {
  const Base = {
    type: "object",
    properties: { id: { type: "string", "x-of": { $ref: "#/components/schemas/Note" } } },
  };
  const schemas = {
    Base,
    Other: { $ref: "#/components/schemas/Base" },
    User: { allOf: [{ $ref: "#/components/schemas/Other" }, { properties: { name: { type: "string" } } }] },
    Note: { nullable: true, allOf: [{ $ref: "#/components/schemas/Base" }] },
    Unused: {},
  };
  const { contract, document: options } = importContract(documentOf({ $ref: "#/components/schemas/User" }, schemas));
  const { components } = openApiDocument(contract, { ...options, refusals: false });
  const { User, ...others } = components?.schemas ?? {};

  assertEquals<unknown>(others, {
    Base,
    Other: schemas.Other,
    Note: { anyOf: [{ allOf: schemas.Note.allOf }, { type: "null" }] },
  });
  assertEquals<unknown>(User, {
    type: "object",
    properties: { ...Base.properties, name: { type: "string" } },
  });
});

Deno.test("an import leaves out what a document leaves empty, and writes numbers as the texts that OpenAPI has", () => {
  const empty = { url: "https://docs.acme.example", description: null, "x-empty": null };
  const { document } = importContract({
    openapi: "3.1.0",
    info: { title: "API", version: 2, description: null, contact: "me", license: { name: null, url: "/license" } },
    servers: [
      null,
      "https://acme.example",
      {
        url: "https://acme.example:{port}",
        description: null,
        variables: { port: { default: 8443, enum: [8443, 443], description: null }, region: null },
      },
    ],
    tags: [null, "users", { name: "users", description: null, externalDocs: empty }, {
      name: "orders",
      externalDocs: null,
    }, { name: 2026, description: "This year" }],
    externalDocs: { description: "no URL" },
    paths: {
      "/users": {
        get: {
          externalDocs: empty,
          responses: {
            200: {
              description: null,
              content: { "application/json": { schema: { type: "string", externalDocs: empty } } },
            },
          },
        },
      },
    },
  });
  const link = { url: "https://docs.acme.example", "x-empty": null };
  assertEquals(document as object, {
    info: { title: "API", version: "2" },
    servers: [{ url: "https://acme.example:{port}", variables: { port: { default: "8443", enum: ["8443", "443"] } } }],
    operationIds: "declared",
    tags: [{ name: "users", externalDocs: link }, { name: "orders" }, { name: "2026", description: "This year" }],
    notes: {},
    docs: { users: { get: { externalDocs: link, responses: { 200: { schema: { externalDocs: link } } } } } },
  });
});

Deno.test("an import keeps all tags of an operation", () => {
  const { contract, document: options } = importContract(documentOf({}, {}, ["Orders", "Shippers"]));

  assertEquals(openApiDocument(contract, options).paths["/it"]?.get?.tags, ["Orders", "Shippers"]);
});

Deno.test("an import keeps the reference to a schema whose type is repeated beside it", () => {
  const Size = { type: "string", enum: ["s", "m"], example: "s" };
  const { schema } = publish(
    documentOf({ type: "string", allOf: [{ $ref: "#/components/schemas/Size" }] }, { Size }),
  );

  assertEquals(schema, { $ref: "#/components/schemas/Size" });
});

Deno.test("the report of an import names what the published document does not say, by its place", () => {
  const Base = { type: "object", properties: { id: { type: "string" } } };
  const original = documentOf({
    type: "object",
    properties: {
      state: { oneOf: [{ enum: ["on"], title: "On" }, { enum: ["off"], title: "Off" }] },
      port: { type: "integer", environment: "PORT" },
      list: { type: "array", minLength: 1 },
      whole: { allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { more: { type: "boolean" } } }] },
    },
  }, { Base });

  assertEquals(publish(original).lines, [
    "/properties/state oneOf",
    "/properties/port environment",
    "/properties/list minLength",
    "/properties/state/oneOf/0 title",
    "/properties/state/oneOf/1 title",
    '/properties/whole/allOf/0 "#/components/schemas/Base" is written out',
  ]);
});

Deno.test("an import keeps what the members of allOf say of one property, and the report names what the first overrules", () => {
  const { schema, lines } = publish(documentOf({
    allOf: [
      { type: "object", properties: { id: { type: "string", description: "An id." } } },
      { properties: { id: { type: "string", minLength: 1, description: "The id.", title: "Id", example: "a" } } },
    ],
  }));
  const id = { type: "string", minLength: 1, description: "An id.", title: "Id", examples: ["a"] };

  assertEquals(schema, { type: "object", properties: { id } });
  assertEquals(lines, ["/allOf/1/properties/id description"]);
});

Deno.test("an import keeps the discriminator of a choice of components, and the report names any other", () => {
  const kinds = ["Cat", "Dog"].map((name) => [name, { type: "object", properties: { kind: { type: "string" } } }]);
  const discriminator = { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } };
  const [Cat, Dog] = ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const { schema, lines } = publish(documentOf({
    type: "object",
    properties: {
      pet: { oneOf: [Cat, Dog], discriminator },
      other: { oneOf: [Cat, { type: "object", properties: { kind: { const: "x" } } }], discriminator },
    },
  }, Object.fromEntries(kinds)));
  const { properties } = schema as { properties: Record<string, { discriminator?: object }> };

  assertEquals(properties["pet"]?.discriminator, discriminator);
  assertEquals(properties["other"]?.discriminator, undefined);
  assertEquals(lines.includes("/properties/other discriminator"), true);
});

Deno.test("the report names what the document does not say of parameters and of text, by its place", () => {
  const parameters = [
    { name: "id", in: "path", required: true, schema: { type: "string", minimum: 1 } },
    { name: "q", in: "query", schema: { nullable: true, allOf: [{ $ref: "#/components/schemas/Size" }] } },
  ];
  const text = { schema: { type: "string", format: "binary", description: "Rows." } };
  const { report } = importContract({
    openapi: "3.0.3",
    info: { title: "It", version: "1" },
    paths: {
      "/it/{id}": { get: { parameters, responses: { 200: { description: "", content: { "text/csv": text } } } } },
    },
    components: { schemas: { Size: { type: "string", enum: ["s", "m"] } } },
  });

  assertEquals(report.unpublished.map(({ place, message }) => `${place.split("/get/").at(-1)} ${message}`), [
    "parameters/0/schema minimum",
    "parameters/1/schema null",
    "responses/200/content/text~1csv/schema description",
    "responses/200/content/text~1csv/schema format",
  ]);
});

Deno.test("the report names the properties of a component that only requests have", () => {
  const Pet = { type: "object", properties: { id: { type: "string", readOnly: true }, name: { type: "string" } } };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
  const { report } = importContract({
    openapi: "3.0.3",
    info: { title: "It", version: "1" },
    paths: { "/it": { post: { requestBody: { content }, responses: { 204: { description: "" } } } } },
    components: { schemas: { Pet } },
  });

  assertEquals(report.unpublished, [{ place: "#/components/schemas/Pet/properties/id", message: "readOnly" }]);
});

Deno.test("the notes of an import change nothing that diffContracts() compares, and the report names what they would", () => {
  const original = documentOf({
    type: "object",
    properties: {
      id: { type: "integer", format: "int64", readOnly: true, title: "Id" },
      count: { anyOf: [{ type: "integer", description: "A number." }, { type: "string" }], format: "int64" },
      names: { type: "array", items: { type: "string", writeOnly: true, deprecated: true } },
    },
  });
  const { contract, document: options, report } = importContract(original);
  const published = openApiDocument(contract, { ...options, refusals: false });
  const plain = openApiDocument(contract, { info: options.info, refusals: false });

  assertEquals(diffContracts(plain, published), []);
  assertEquals(diffContracts(published, plain), []);
  assertEquals(diffContracts(published, contract), []);
  assertEquals(report.unpublished.map(({ place, message }) => `${place.split("/schema").at(-1)} ${message}`), [
    "/properties/count format",
    "/properties/names/items writeOnly", // which a response has all the same
  ]);
});

for (const schemas of ["zod", "valibot", "arktype"] as const) {
  Deno.test(`an import writes document.ts and baseUrl beside the contract, unless they are not wanted, with ${schemas}`, () => {
    const textOf = (path: string, options = {}): string | undefined =>
      writeContract(document, { schemas, ...options }).files.find((file) => file.path === path)?.text;

    assertStringIncludes(textOf("contract.ts")!, 'export const baseUrl = "https://eu.acme.example";');
    assertStringIncludes(textOf("document.ts")!, "export const document: OpenApiOptions<typeof contract> = {");
    assertStringIncludes(textOf("document.ts")!, 'import * as users from "./schemas/users.ts";');
    assertStringIncludes(textOf("schemas/users.ts")!, "export const APIKeyDto = ");
    assertEquals(textOf("document.ts", { document: false }), undefined);
  });
}

Deno.test("the modules of clients without schemas have baseUrl, and no document", () => {
  const { files } = writeContract(document, { schemas: "none" });

  assertEquals(files.map(({ path }) => path).includes("document.ts"), false);
  assertStringIncludes(files[0]!.text, 'export const baseUrl = "https://eu.acme.example";');
});

Deno.test("names of components that are no identifiers stay in the document", () => {
  const { files } = writeContract({
    ...document,
    paths: {
      "/it": {
        get: {
          tags: ["it"],
          responses: {
            200: {
              description: "",
              content: { "application/json": { schema: { $ref: "#/components/schemas/api.key-dto" } } },
            },
          },
        },
      },
    },
    components: { schemas: { "api.key-dto": { type: "object", properties: {} } } },
  });

  assertStringIncludes(
    files.find(({ path }) => path === "document.ts")!.text,
    'schemas: { "api.key-dto": it.ApiKeyDto, ...it },',
  );
});
