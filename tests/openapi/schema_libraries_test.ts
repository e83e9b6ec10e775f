import { codec, request, response, route, router } from "@scope/api";
import type { JsonSchemaObject, SchemaSlot } from "@scope/api/openapi";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { scope, type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { describeRoute, describeRoutes } from "./describe_routes.ts";
import { assertValid } from "../support/validate_document.ts";

const responses = { 200: response.empty() };
const object = (properties: object, required = Object.keys(properties)): JsonSchemaObject => ({
  type: "object",
  properties,
  required,
});

/**
 * One schema of each library: a request sends `count` as text and may omit `note`, a response has both, `count` as a
 * number.
 */
const libraries = {
  ArkType: type({ count: "string.integer.parse", note: "string = 'none'" }),
  Zod: z.object({ count: z.string().pipe(z.coerce.number<string>().int()), note: z.string().default("none") }),
  Valibot: toStandardJsonSchema(
    v.object({ count: v.pipe(v.string(), v.transform(Number), v.number()), note: v.optional(v.string(), "none") }),
  ),
};

for (const [library, schema] of Object.entries(libraries)) {
  Deno.test(`openApiDocument() describes a request by the input of a ${library} schema, a response by its output`, async () => {
    const document = describeRoutes({
      put: route.put("/", { body: request.json(schema as never), responses: { 200: response.json(schema as never) } }),
    });
    const { requestBody, responses: listed } = document.paths["/"]!.put!;
    const [input, output] = [requestBody, listed["200"]].map((place) =>
      place?.content?.["application/json"]?.schema as Record<string, Record<string, { type: string }>>
    );
    const types = (fields: typeof input) =>
      Object.entries(fields?.properties ?? {}).map(([key, { type }]) => [key, type]);

    assertEquals(types(input).toSorted(), [["count", "string"], ["note", "string"]]);
    assertEquals(input?.required as unknown, ["count"]);
    assertEquals(types(output).map(([key]) => key).toSorted(), ["count", "note"]);
    await assertValid(document);
  });
}

Deno.test("openApiDocument() leaves out the pattern that a library writes beside a format, unless it says more", () => {
  const schemaOf = (schema: object): unknown => {
    const { responses: listed } = describeRoute(
      route.get("/", { responses: { 200: response.json(z.object({ it: schema as z.ZodString })) } }),
    );
    const { properties } = listed["200"]?.content?.["application/json"]?.schema as { properties: { it: unknown } };
    return properties.it;
  };

  assertEquals(schemaOf(z.email()), { type: "string", format: "email" });
  assertEquals(schemaOf(z.uuid()), { type: "string", format: "uuid" });
  assertEquals(schemaOf(z.iso.date()), { type: "string", format: "date" });
  assertEquals(schemaOf(z.iso.datetime({ offset: true })), { type: "string", format: "date-time" });
  assertEquals(schemaOf(z.ipv6()), { type: "string", format: "ipv6" });
  const onlyVersion4 = z.uuidv4();
  const onlyUtc = z.iso.datetime();
  const onlyAcme = z.email({ pattern: /^[a-z]+@acme\.example$/ });
  for (const schema of [onlyVersion4, onlyUtc, onlyAcme]) {
    assertEquals(Object.keys(schemaOf(schema) as object), ["type", "format", "pattern"]);
  }
});

Deno.test("openApiDocument() describes a codec by its wire schema", () => {
  const wire = type({ at: "string.date.iso" });
  const Dated = codec(wire, type({ at: "Date" }), {
    decode: ({ at }) => ({ at: new Date(at) }),
    encode: ({ at }) => ({ at: at.toISOString() }),
  });
  const coded = route.put("/", { body: request.json(Dated), responses: { 200: response.json(Dated) } });
  const plain = route.put("/", { body: request.json(wire), responses: { 200: response.json(wire) } });

  assertEquals(describeRoutes({ route: coded }), describeRoutes({ route: plain }));
});

const Bytes = type({ data: type.instanceOf(Uint8Array) });

/** Schemas that JSON Schema cannot express, each of a different library or kind. */
const foreign = {
  "an ArkType date": type({ at: "Date" }),
  "an ArkType of a class": Bytes,
  "an ArkType bigint": type({ n: "bigint" }),
  "a codec whose wire schema does not convert": codec(type("bigint"), type("bigint"), {
    decode: (number) => number,
    encode: (number) => number,
  }),
  "a Zod date": z.object({ at: z.date() }),
  "a Zod transform": z.string().transform((text) => text.length),
  "a Valibot schema without its converter": v.object({ name: v.string() }),
  "a Valibot date": toStandardJsonSchema(v.object({ at: v.date() })),
};

for (const [name, schema] of Object.entries(foreign)) {
  Deno.test(`openApiDocument() refuses ${name} by key and slot, unless the option supplies a schema`, () => {
    const byId = route.get("/", { responses: { 200: response.json(schema as never) } });
    const routes = { users: router("/", { routes: { byId } }) };

    const { message } = assertThrows(() => describeRoutes(routes), TypeError);
    assertStringIncludes(message, "Cannot describe users.byId: the schema of its response 200");
    assertStringIncludes(message, "schema(route, slot)");
    describeRoutes(routes, { schema: () => ({}) });
  });
}

Deno.test("openApiDocument() errors contain the library's reason", () => {
  const { message, cause } = assertThrows(
    () => describeRoute(route.get("/", { query: z.object({ at: z.coerce.date() }), responses })),
    TypeError,
  );

  assertStringIncludes(message, "the schema of its query");
  assertStringIncludes(message, "Date cannot be represented");
  assertEquals(cause instanceof Error, true);
});

Deno.test("openApiDocument() calls the option schema for each slot with its route", async () => {
  const asked: [string, SchemaSlot][] = [];
  const text = type({ "a?": "string" });
  const routes = {
    put: route.put("/:id", {
      params: type({ id: "string" }),
      query: text,
      headers: text,
      body: request.json(),
      responses: { 200: response.json({ headers: text }), 204: response.empty() },
    }),
  };
  const document = describeRoutes(routes, {
    schema: ({ key }, slot) => {
      asked.push([key, slot]);
      return slot === "query" ? object({ q: { type: "integer" } }) : undefined;
    },
  });

  assertEquals(asked, [
    ["put", "params"],
    ["put", "query"],
    ["put", "headers"],
    ["put", "body"],
    ["put", "200.headers"],
    ["put", 200],
  ]);
  assertEquals(document.paths["/{id}"]?.put?.parameters?.[1], {
    name: "q",
    in: "query",
    required: true,
    schema: { type: "integer" },
  });
  await assertValid(document);
});

Deno.test("openApiDocument() names each kind of slot in its errors", () => {
  const at = z.object({ at: z.date() }) as never;
  const refused = {
    "its params": route.get("/:at", { params: at, responses }),
    "its headers": route.get("/", { headers: at, responses }),
    "its body": route.put("/", { body: request.json(at), responses }),
    "its headers of response 200": route.get("/", { responses: { 200: response.empty({ headers: at }) } }),
  };
  for (const [words, declared] of Object.entries(refused)) {
    assertStringIncludes(assertThrows(() => describeRoutes({ declared }), TypeError).message, `the schema of ${words}`);
  }
});

Deno.test("openApiDocument() describes the output of an ArkType morph as anything if the morph does not declare it", () => {
  const Length = type("string").pipe((text) => text.length);
  const { requestBody, responses: listed } = describeRoute(
    route.put("/", { body: request.json(Length), responses: { 200: response.json(Length) } }),
  );

  assertEquals(requestBody?.content["application/json"]?.schema, { type: "string" });
  assertEquals(listed["200"]?.content?.["application/json"]?.schema, {});
});

Deno.test("openApiDocument() describes checks that JSON Schema cannot express by the checked type", () => {
  const Even = type("number").narrow((number) => number % 2 === 0);
  const Optional = type({ "name?": "string | undefined" });
  const { responses: listed } = describeRoute(route.get("/", {
    responses: { 200: response.json(Even), 201: response.json(Optional) },
  }));

  assertEquals(listed["200"]?.content?.["application/json"]?.schema, { type: "number" });
  assertEquals(listed["201"]?.content?.["application/json"]?.schema, {
    type: "object",
    properties: { name: { anyOf: [{ type: "string" }, { not: {} }] } },
  });
});

Deno.test("openApiDocument() takes readonly() for a promise of the program, and readOnly of meta() for that of a document", () => {
  const list = z.array(z.string()).readonly();
  const schemas = {
    zod: z.object({
      list,
      optional: list.optional().describe("A list."),
      both: list.meta({ readOnly: true }),
      below: z.string().meta({ readOnly: true }).readonly(),
    }).readonly(),
    valibot: toStandardJsonSchema(v.object({
      list: v.pipe(v.array(v.string()), v.readonly()),
      both: v.pipe(v.string(), v.metadata({ readOnly: true }), v.readonly()),
    })),
    arktype: type({ list: type("string[]").readonly(), both: type("string").configure({ readOnly: true } as object) }),
  };
  const readOnlyIn = (schema: unknown): string[] => {
    const document = describeRoutes({ send: route.post("/a", { body: request.json(schema as never), responses }) });
    const { requestBody } = document.paths["/a"]!.post!;
    const { properties } = requestBody?.content?.["application/json"]?.schema as {
      readonly properties: Readonly<Record<string, { readonly readOnly?: boolean }>>;
    };
    return Object.entries(properties).filter(([, { readOnly }]) => readOnly).map(([name]) => name);
  };
  const found = Object.fromEntries(Object.entries(schemas).map(([library, schema]) => [library, readOnlyIn(schema)]));
  assertEquals(found, { zod: ["both", "below"], valibot: ["both"], arktype: ["both"] });
});

for (
  const [library, schema] of Object.entries({
    ArkType: type({ size: "string = 'm'", count: "string.integer.parse = '5'", nested: { open: "boolean = true" } }),
    Zod: z.object({
      size: z.string().default("m"),
      count: z.string().transform(Number).prefault("5"),
      nested: z.object({ open: z.boolean().default(true) }),
    }),
    Valibot: toStandardJsonSchema(v.object({
      size: v.optional(v.string(), "m"),
      count: v.optional(v.pipe(v.string(), v.transform(Number)), "5"),
      nested: v.object({ open: v.optional(v.boolean(), true) }),
    })),
  })
) {
  Deno.test(`openApiDocument() lists the defaults of a request with ${library}, whose members are not required`, () => {
    const document = describeRoutes({ put: route.put("/", { body: request.json(schema as never), responses }) });
    const described = document.paths["/"]!.put!.requestBody!.content["application/json"]!.schema as JsonSchemaObject;
    const { size, count, nested } = described.properties as Record<string, JsonSchemaObject>;
    const { open } = nested!.properties as Record<string, JsonSchemaObject>;

    assertEquals([size!.default, count!.default, open!.default], ["m", "5", true]);
    assertEquals([described.required, nested!.required ?? []], [["nested"], []]);
  });
}

Deno.test("openApiDocument() lists the defaults of an ArkType request beside parts that only its output lacks", () => {
  const { node } = scope({ node: { name: "string = 'n'", "next?": "node" } }).export();
  const body = type({ size: "string = 'm'", at: "string.date.parse", "file?": "File" });
  const document = describeRoutes({
    put: route.put("/", { body: request.json(body as never), responses }),
    post: route.post("/", { body: request.json(node), responses }),
  });
  const { put, post } = document.paths["/"]!;

  assertEquals(put!.requestBody!.content["application/json"]!.schema, {
    type: "object",
    properties: {
      size: { type: "string", default: "m" },
      at: { type: "string" },
      file: { type: "string", format: "binary" },
    },
    required: ["at"],
  });
  assertEquals(post!.requestBody!.content["application/json"]!.schema, { $ref: "#/components/schemas/PostBody" });
  assertEquals(document.components?.schemas?.["PostBody"], {
    type: "object",
    properties: { name: { type: "string", default: "n" }, next: { $ref: "#/components/schemas/PostBody" } },
  });
});

Deno.test("a loose object of Valibot has other members in the document", () => {
  const schema = toStandardJsonSchema(v.looseObject({ name: v.string() }));
  const { requestBody } = describeRoute(route.post("/", { body: request.json(schema), responses }));

  assertEquals(requestBody?.content["application/json"]?.schema, {
    ...object({ name: { type: "string" } }),
    additionalProperties: {},
  });
});

Deno.test("schemas of Valibot that refer to each other are converted once for a document, not once for each route", () => {
  let asked = 0;
  const schemas: v.GenericSchema[] = Array.from({ length: 60 }, (_, index) =>
    v.object({
      id: v.literal(index),
      next: v.optional(v.lazy(() => (asked++, schemas[(index + 1) % 60]!))),
      other: v.optional(v.lazy(() => (asked++, schemas[(index * 7 + 3) % 60]!))),
    }));
  const routes = schemas.map((schema, index) =>
    [
      `r${index}`,
      route.post(`/r${index}`, { body: request.json(toStandardJsonSchema(schema) as never), responses }),
    ] as const
  );
  const document = describeRoutes(Object.fromEntries(routes));

  assert(asked <= 2 * 60 * 2, `${asked} references were followed`); // each is in the definitions, and at the top of a route
  const components = document.components!.schemas! as Record<string, JsonSchemaObject>;
  const ids = routes.map(([, { path }]) => {
    const { schema } = document.paths[path]!.post!.requestBody!.content["application/json"]! as {
      schema: JsonSchemaObject;
    };
    const { properties } = schema.$ref === undefined ? schema : components[String(schema.$ref).split("/").at(-1)!]!;
    return (properties as { readonly id: JsonSchemaObject }).id.const;
  });
  assertEquals(ids, [...schemas.keys()]);
});

Deno.test("openApiDocument() says what a library converts a schema to, if that is not an object", () => {
  const describe = (converted: unknown) => () => {
    const jsonSchema = { input: () => converted, output: () => converted };
    const schema = { "~standard": { version: 1, vendor: "test", validate: () => ({ value: 1 }), jsonSchema } } as const;
    describeRoute(route.get("/it", { responses: { 200: response.json(schema) } }));
  };

  for (const [converted, got] of [[undefined, "undefined"], [() => ({}), "a function"], [null, "null"]] as const) {
    const { message } = assertThrows(describe(converted), TypeError);
    assertStringIncludes(message, `does not convert to JSON Schema: a JSON Schema must be an object, got ${got};`);
  }
});
