/** Documents of OpenAPI 3.0 accept whatever those of 3.1 accept. */
import { request, response, route } from "@scope/api";
import { type JsonSchema, type JsonSchemaObject, toOpenApi30 } from "@scope/api/openapi";
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { z } from "zod";
import { locateSchema } from "../../src/tools/json_schema/locate.ts";
import { isValid } from "../../src/tools/json_schema/validate.ts";
import { mapObjects } from "../../src/tools/json_schema/references.ts";
import { tries } from "../support/tries.ts";
import { findProblems } from "../support/validate_document.ts";
import { describeRoutes, info } from "./describe_routes.ts";

/** Converts schemas by the names of their components. */
function convert(schemas: Record<string, unknown>): { schemas: Record<string, JsonSchema>; losses: string[] } {
  const { document, losses } = toOpenApi30({ openapi: "3.1.0", info, paths: {}, components: { schemas } } as never);
  const { schemas: converted } = document.components as { schemas: Record<string, JsonSchema> };
  return { schemas: converted, losses: losses.map(({ pointer, what }) => `${pointer}: ${what}`) };
}

/** Reads a schema of OpenAPI 3.0 as one of 3.1, by the letter of 3.0.3: `nullable` counts only beside `type`. */
function read30(schema: JsonSchema): JsonSchema {
  return mapObjects(schema, (part) => {
    const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = part;
    if (typeof rest["$ref"] === "string") return { $ref: rest["$ref"] }; // what is beside it is ignored
    const read: Record<string, unknown> = { ...rest };
    if (nullable === true && typeof read["type"] === "string") read["type"] = [read["type"], "null"];
    if (exclusiveMinimum === true) [read["exclusiveMinimum"], read["minimum"]] = [read["minimum"], undefined];
    if (exclusiveMaximum === true) [read["exclusiveMaximum"], read["maximum"]] = [read["maximum"], undefined];
    return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  });
}

const values: readonly unknown[] = [
  null,
  true,
  0,
  1,
  3,
  2.5,
  -1,
  "",
  "a",
  "ab",
  "abc",
  [],
  ["a"],
  ["a", 1],
  [1, "a"],
  ["a", 1, null],
  [null],
  {},
  { a: 1 },
  { a: "a" },
  { a: null },
  { b: "b" },
  { a: "a", b: "b" },
  { x1: "x" },
  { x1: 1 },
  { a: ["a", 1] },
];

/** Tests whether a schema accepts a value; `undefined` if that cannot be told. */
function accepts(schema: JsonSchema, definitions: object, value: unknown): boolean {
  const $defs = Object.fromEntries(
    Object.entries(definitions).map(([name, each]) => [name, toDefinitions(each as JsonSchema)]),
  );
  const whole = { allOf: [toDefinitions(schema)], $defs } as JsonSchemaObject;
  return isValid(locateSchema(whole), value as never);
}

function toDefinitions(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/"));
}

function assertWider(schemas: Record<string, JsonSchema>): void {
  const converted = convert(schemas).schemas;
  const read = Object.fromEntries(Object.entries(converted).map(([name, each]) => [name, read30(each)]));
  for (const name of Object.keys(schemas)) {
    for (const value of values) {
      if (!accepts(schemas[name]!, schemas, value)) continue;
      assert(
        accepts(read[name]!, read, value),
        `${JSON.stringify(schemas[name])} accepts ${JSON.stringify(value)}, ${
          JSON.stringify(converted[name])
        } does not`,
      );
    }
  }
}

const references: readonly JsonSchema[] = [
  { $ref: "#/components/schemas/Other" },
  { $ref: "#/components/schemas/Other", description: "Beside.", maxLength: 2 },
];
const leaves: readonly JsonSchema[] = [
  true,
  false,
  {},
  { type: "string" },
  { type: ["string", "null"] },
  { type: ["integer", "string", "null"], minLength: 1 },
  { type: "null" },
  { const: null },
  { const: "a" },
  { enum: ["a", null, 1] },
  { type: ["string", "null"], enum: ["a", null] },
  { type: "number", exclusiveMinimum: 1, minimum: 0 },
  { exclusiveMaximum: 3, maximum: 2 },
  { type: "array", contains: { type: "string" } },
  { propertyNames: { maxLength: 1 } },
  { if: { type: "string" }, then: { minLength: 2 } },
  { dependentRequired: { a: ["b"] } },
];

/** Schemas with these leaves. */
const schemasOf = (leaf: readonly JsonSchema[]): fc.Arbitrary<JsonSchema> =>
  fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...leaf),
      fc.record({
        type: fc.constantFrom("array", ["array", "null"]),
        prefixItems: fc.array(tie("schema"), { maxLength: 2 }),
        items: tie("schema"),
      }, { requiredKeys: ["type"] }),
      fc.record({
        type: fc.constantFrom("object", ["object", "null"]),
        properties: fc.record({ a: tie("schema"), b: tie("schema") }, { requiredKeys: [] }),
        patternProperties: fc.record({ "^x": tie("schema") }),
        additionalProperties: tie("schema"),
        required: fc.subarray(["a", "b"]),
      }, { requiredKeys: [] }),
      fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        type: fc.constantFrom("object", ["string", "null"]),
      }, { requiredKeys: ["allOf"] }),
      fc.record({ not: tie("schema") }),
    ) as fc.Arbitrary<JsonSchema>,
  })).schema;

Deno.test("toOpenApi30() returns schemas that accept what those of 3.1 accept", () => {
  fc.assert(
    fc.property(
      schemasOf([...leaves, ...references]),
      schemasOf(leaves),
      (Some, Other) => assertWider({ Some, Other }),
    ),
    tries(200),
  );
});

Deno.test("toOpenApi30() says in OpenAPI 3.0 what it can, and lists the rest by its pointer", () => {
  const { schemas, losses } = convert({
    Text: { type: ["string", "null"], examples: ["a", "b"] },
    Named: { $ref: "#/components/schemas/Text", description: "Beside." },
    Maybe: { anyOf: [{ $ref: "#/components/schemas/Text" }, { type: "null" }] },
    Bytes: { type: "string", contentEncoding: "base64" },
    Pair: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
    Open: { type: "array", prefixItems: [{ type: "string" }] },
    Map: { type: "object", patternProperties: { "^x": { type: "string" } }, additionalProperties: false },
    Above: { type: "number", exclusiveMinimum: 1 },
    One: { oneOf: [{ $ref: "#/components/schemas/Pair" }, { type: "string" }] },
    Not: { not: { $ref: "#/components/schemas/One" } },
  });

  assertEquals(schemas, {
    Text: { type: "string", nullable: true, example: "a" },
    Named: { description: "Beside.", allOf: [{ $ref: "#/components/schemas/Text" }] },
    Maybe: { anyOf: [{ $ref: "#/components/schemas/Text" }, { type: "string", nullable: true, enum: [null] }] },
    Bytes: { type: "string", format: "byte" },
    Pair: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] }, maxItems: 2 },
    Open: { type: "array", items: {} },
    Map: { type: "object", additionalProperties: { type: "string" } },
    Above: { type: "number", minimum: 1, exclusiveMinimum: true },
    One: { anyOf: [{ $ref: "#/components/schemas/Pair" }, { type: "string" }] },
    Not: {},
  });
  assertEquals(losses, [
    "#/components/schemas/Pair/prefixItems: prefixItems",
    "#/components/schemas/Open/prefixItems: prefixItems",
    "#/components/schemas/Map/patternProperties: patternProperties",
    "#/components/schemas/One/oneOf: that only one schema of oneOf matches",
    "#/components/schemas/Not/not: not",
  ]);
});

Deno.test("toOpenApi30() lists what a document loses outside of schemas", () => {
  const { document, losses } = toOpenApi30({
    openapi: "3.2.0",
    info: { ...info, summary: "S", license: { name: "MIT", identifier: "MIT" } },
    tags: [{ name: "t", parent: "u" }],
    webhooks: { sent: {} },
    paths: {
      "/": {
        query: { responses: {} },
        get: {
          security: [{ cert: [] }, { key: ["role"] }],
          parameters: [{ name: "q", in: "querystring", content: {} }],
          responses: { 200: { content: { "text/event-stream": { itemSchema: {} } } } },
          callbacks: { paid: { "{url}": { post: { security: [{ cert: [] }] } } } },
        },
      },
    },
    components: {
      securitySchemes: { cert: { type: "mutualTLS" }, key: { type: "apiKey", in: "header", name: "k" } },
    },
  } as never);

  assertEquals(losses.map(({ pointer }) => pointer), [
    "#/info/summary",
    "#/info/license/identifier",
    "#/tags/0/parent",
    "#/webhooks",
    "#/paths/~1/query",
    "#/paths/~1/get/security/0/cert",
    "#/paths/~1/get/security/1/key",
    "#/paths/~1/get/parameters/0",
    "#/paths/~1/get/responses/200/content/text~1event-stream/itemSchema",
    "#/paths/~1/get/callbacks/paid/{url}/post/security/0/cert",
    "#/components/securitySchemes/cert",
  ]);
  assertEquals<unknown>(document, {
    openapi: "3.0.3",
    info: { ...info, license: { name: "MIT" } },
    paths: {
      "/": {
        get: {
          security: [{}, { key: [] }],
          parameters: [],
          responses: { 200: { description: "", content: { "text/event-stream": {} } } },
          callbacks: { paid: { "{url}": { post: { security: [{}] } } } },
        },
      },
    },
    tags: [{ name: "t" }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "k" } } },
  });
});

Deno.test("toOpenApi30() keeps members whose names objects inherit, and lists such keywords", () => {
  for (const name of ["constructor", "toString", "valueOf"]) {
    const schema = { type: "object", properties: { [name]: { type: "string" } } };
    const { document, losses } = toOpenApi30({
      openapi: "3.1.0",
      info,
      paths: { "/a": { [name]: 1 } },
      components: { schemas: { [name]: { ...schema, [name]: 1 } } },
      [name]: "x",
    } as never);
    assertEquals(document, {
      openapi: "3.0.3",
      info,
      paths: { "/a": { [name]: 1 } },
      components: { schemas: { [name]: schema } },
      [name]: "x",
    } as never);
    assertEquals(losses, [{ pointer: `#/components/schemas/${name}/${name}`, what: name }]);
  }
});

Deno.test("toOpenApi30() converts the documents of contracts to valid ones of 3.0", async () => {
  const Node: z.ZodType = z.object({
    get next() {
      return Node.nullable();
    },
    pair: z.tuple([z.string(), z.int()]).optional(),
    kind: z.union([z.literal("a"), z.null()]),
  });
  const document = describeRoutes({
    put: route.put("/:id", { body: request.json(Node), responses: { 200: response.json(Node) } }),
  }, { schemas: { Node } });

  assertEquals(await findProblems(toOpenApi30(document).document as object), []);
});

Deno.test("toOpenApi30() refuses documents of other versions", () => {
  for (const openapi of ["3.0.3", "2.0", undefined]) {
    assertThrows(
      () => toOpenApi30({ openapi } as never),
      TypeError,
      "toOpenApi30(): the document must have the version 3.1 or 3.2 of OpenAPI, got",
    );
  }
});
