/** A document is compared with the contract of its import: nothing differs that the report does not name. */
import { type AnyOpenApiDocument, diffContracts } from "@scope/api/diff";
import { importContract, writeContract } from "@scope/api/import";
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals, assertStringIncludes } from "@std/assert";

/** Parts of a document: its paths, and the schemas that these refer to. */
interface Parts {
  readonly paths: object;
  readonly schemas?: object;
}

function documentOf({ paths, schemas = {} }: Parts): AnyOpenApiDocument {
  return {
    openapi: "3.0.3",
    info: { title: "It", version: "1.0.0" },
    paths,
    components: { schemas },
  } as AnyOpenApiDocument;
}

const ok = { 204: { description: "" } };

/** Paths with one GET, with parameters. */
function withParameters(path: string, ...parameters: readonly object[]): object {
  return { [path]: { get: { operationId: "get", parameters, responses: ok } } };
}

/** Paths with one POST, whose request and response have a schema. */
function withBody(schema: object, mediaType = "application/json"): object {
  const content = { [mediaType]: { schema } };
  const responses = { 200: { description: "", content: { "application/json": { schema } } } };
  return { "/it": { post: { operationId: "post", requestBody: { required: true, content }, responses } } };
}

const text = { type: "string" };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const documents: Readonly<Record<string, Parts>> = {
  "a parameter whose schema is marked as readOnly": {
    paths: withParameters("/its/{id}", { name: "id", in: "path", required: true, schema: ref("Id") }),
    schemas: { Id: { type: "integer", readOnly: true } },
  },
  "a path with a parameter that no parameter describes, and one that is not in the path": {
    paths: withParameters("/its/{id}", { name: "page", in: "path", required: true, schema: text }),
  },
  "a path with characters that URLs encode": { paths: withParameters("/<its>/a b") },
  "paths of one shape whose parameters have other names": {
    paths: {
      "/its/{id}": { get: { operationId: "get", responses: ok } },
      "/its/{name}": { put: { operationId: "put", responses: ok } },
    },
  },
  "a required property without a schema": {
    paths: withBody({ type: "object", required: ["a", "b"], properties: { a: text } }),
  },
  "a part of allOf that only says what is required": {
    paths: withBody({ allOf: [ref("It"), { type: "object", required: ["a"] }] }),
    schemas: { It: { type: "object", properties: { a: text } } },
  },
  "a part of allOf that allows other properties": {
    paths: withBody({
      allOf: [{ type: "object", additionalProperties: {} }, { type: "object", properties: { a: text } }],
    }),
  },
  "lists in allOf, one of any objects": {
    paths: withBody({
      allOf: [
        { type: "object", properties: { items: { type: "array", items: { type: "object" } } } },
        { type: "object", properties: { items: { type: "array", items: ref("It") } } },
      ],
    }),
    schemas: { It: { type: "object", properties: { a: text } } },
  },
  "a choice of further properties, or of none": {
    paths: withBody(ref("Place")),
    schemas: {
      Place: { type: "object", properties: { name: text }, anyOf: [ref("Airport"), {}] },
      Airport: { type: "object", properties: { code: text } },
    },
  },
  "a word or a text with a format": {
    paths: withBody({
      type: "object",
      properties: { days: { oneOf: [{ type: "string", enum: ["none"] }, { ...text, format: "int32" }] } },
    }),
  },
  "a pattern beside a format that libraries check": {
    paths: withBody({
      type: "object",
      properties: {
        day: { ...text, format: "date", pattern: String.raw`^(\d{4})-(\d{2})-(\d{2})$` },
        mail: { ...text, format: "email", pattern: String.raw`@example\.com$` },
        id: { ...text, format: "uuid", pattern: "^[0-9a-f-]{36}$" },
      },
    }),
  },
  "a list of many texts, or null": {
    paths: withBody({
      type: "object",
      properties: {
        kind: { type: ["string", "null"], enum: [...Array.from({ length: 200 }, (_, index) => `v${index}`), null] },
      },
    }),
  },
  "a pattern with slashes that no automaton expresses": {
    paths: withBody({ type: "object", properties: { zone: { ...text, pattern: "^[a-z]+/[a-z]+(?<!x)$" } } }),
  },
  "a pattern whose braces are no quantifiers": {
    paths: withBody({
      type: "object",
      properties: { id: { ...text, pattern: "^(?:{[0-9a-f]{4}}|[0-9a-f]{4})(?<!0)$" } },
    }),
  },
  "a list in a header, said to be exploded": {
    paths: withParameters("/its", {
      name: "ids",
      in: "header",
      explode: true,
      schema: { type: "array", items: text },
    }),
  },
  "any bytes in a form": {
    paths: withBody(
      { type: "object", properties: { file: { ...text, contentMediaType: "application/octet-stream" } } },
      "multipart/form-data",
    ),
  },
  "one text that is said to be separated by commas": {
    paths: withParameters("/its", { name: "kind", in: "query", explode: false, schema: ref("Kind") }),
    schemas: { Kind: { ...text, enum: ["a", "b"] } },
  },
  "a default in allOf": {
    paths: withParameters("/its", {
      name: "kind",
      in: "query",
      schema: { allOf: [ref("Kind"), { default: "a" }] },
    }),
    schemas: { Kind: { ...text, enum: ["a", "b"] } },
  },
  "the default of a required parameter": {
    paths: withParameters("/its", { name: "kind", in: "query", required: true, schema: { ...text, default: "a" } }),
  },
  "an object in the query with a property that may be null": {
    paths: withParameters("/its", {
      name: "filter",
      in: "query",
      schema: { type: "object", properties: { active: { type: "boolean", nullable: true } } },
    }),
  },
};

// proves import | A document does not differ from the contract of its import where the report names nothing
Deno.test("a document does not differ from the contract of its import", async (test) => {
  for (const [name, parts] of Object.entries(documents)) {
    await test.step(name, () => {
      const document = documentOf(parts);
      assertEquals(diffContracts(document, importContract(document).contract), []);
    });
  }
});

Deno.test("the report names a schema without a type that is nullable, and a sunset", () => {
  const document = documentOf({
    paths: {
      "/it": {
        get: {
          operationId: "get",
          deprecated: true,
          "x-sunset": "2030-01-01",
          responses: { 200: { description: "", content: { "application/json": { schema: ref("It") } } } },
        },
      },
    },
    schemas: { It: { type: "object", properties: { by: { nullable: true, properties: { name: text } } } } },
  });
  const { contract, report } = importContract(document);

  assertEquals(report.faults, [{
    place: "#/components/schemas/It/properties/by",
    message: "the schema has no type; it is read as one of type object",
  }]);
  assertEquals(report.operations.map(({ changes }) => changes), [["the sunset 2030-01-01 is not declared"]]);
  assertEquals(diffContracts(document, contract).map(({ rule, where }) => `${rule} ${where}`), [
    "sunset-changed ",
    "response-narrowed 200 /by",
  ]);
});

Deno.test("the default of a parameter that is converted is part of the written contract's document", () => {
  const page = { name: "page", in: "query", schema: { type: "integer", default: 1 } };
  const { files } = writeContract(documentOf({ paths: withParameters("/its", page) }), { schemas: "zod" });

  assertStringIncludes(files.map(({ text }) => text).join("\n"), "page: fromText(z.int()).prefault(1)");
});

Deno.test("the limit of a body survives an import, and is written once", () => {
  const schema = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
  const paths = {
    "/it": {
      post: {
        operationId: "post",
        requestBody: {
          description: "A name. At most 100 bytes.",
          required: true,
          content: { "application/json": { schema } },
          "x-max-bytes": 100,
        },
        responses: ok,
      },
    },
  };
  const original = documentOf({ paths });
  const { contract, document } = importContract(original);
  const published = openApiDocument(contract, { ...document, refusals: false });

  assertEquals(diffContracts(original, contract), []);
  assertEquals(diffContracts(contract, original), []);
  assertEquals(published.paths["/it"]!.post!.requestBody, paths["/it"].post.requestBody);
  const { files } = writeContract(original);
  assertStringIncludes(files.map(({ text }) => text).join("\n"), "maxBytes: 100");
});
