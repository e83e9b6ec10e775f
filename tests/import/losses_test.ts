/** Every difference between a document and the schemas that an import writes is named in its report. */
import { importContract, writeContract } from "@scope/api/import";
import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { routesOf } from "../../src/contract/node.ts";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";
import type { Schema } from "../../src/schema.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { tries } from "../support/tries.ts";
import { compareTexts, compareValues } from "./compare_written.ts";
import { documentOf, parameters, schemas } from "./random_schemas.ts";
import { assertDecisions, createLoader, documentOfValue, type Writer, writers } from "./writers.ts";

const at = new URL(".", import.meta.url).pathname; // the libraries are found from here

/** An operation that responds with JSON of a schema. */
function answering(schema: object | boolean): object {
  return { responses: { 200: { description: "", content: { "application/json": { schema } } } } };
}

/** An operation with a parameter of a schema. */
function asking(schema: JsonSchema): object {
  const style = (schema as { readonly type?: string }).type === "object" ? { style: "deepObject" } : {};
  return {
    parameters: [{ in: "query", name: "q", required: true, schema, ...style }],
    responses: { 204: { description: "" } },
  };
}

/** The schemas of an answer and of a parameter as they were written. */
interface Written {
  readonly query: Schema | undefined;
  readonly responses: { readonly 200: { readonly schema: Schema } };
}

/** What a report says about an operation. */
interface Reported {
  /** Whether some values are not checked. */
  readonly isUnchecked: boolean;
  /** Whether the contract declares something else than the document. */
  readonly isChanged: boolean;
}

type Compare = (schema: JsonSchema, written: Written, reported: Reported) => Promise<readonly string[]>;

/** Writes operations of schemas with every library, and compares them, except those of which the report has a fault. */
async function checkWritten(
  bodies: readonly JsonSchema[],
  toOperation: (schema: JsonSchema) => object,
  load: ReturnType<typeof createLoader>,
  compare: Compare,
): Promise<void> {
  for (const writer of writers) {
    const { contract, report } = await load(documentOf(bodies.map(toOperation)), writer);
    for (const node of routesOf(contract.routes)) {
      const index = Number(node.path.slice(2));
      const text = JSON.stringify(bodies[index]);
      const isAt = ({ place }: { readonly place: string }) =>
        place.startsWith(`#/paths/~1s${index}/`) || (text.includes("$ref") && place.startsWith("#/components/"));
      if (report.faults.some(isAt)) continue;
      const isChanged = report.operations[index]!.changes.length > 0;
      const reported = { isUnchecked: report.unchecked.some(isAt), isChanged };
      assertEquals(await compare(bodies[index]!, node as unknown as Written, reported), [], `${writer}: ${text}`);
    }
  }
}

/** Checks lists of random schemas. */
function checkRandom(
  schema: fc.Arbitrary<JsonSchema>,
  toOperation: (schema: JsonSchema) => object,
  count: number,
  compare: Compare,
): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    const lists = fc.array(schema, { minLength: 1, maxLength: 12 });
    const property = fc.asyncProperty(lists, (bodies) => checkWritten(bodies, toOperation, load, compare));
    await fc.assert(property, { ...tries(count), endOnFailure: true }); // the message has the schema
  }, at);
}

// proves import | What a library cannot check is named with its place, on random schemas
Deno.test("written schemas accept what the document does, or the report names the place", () =>
  checkRandom(
    schemas,
    answering,
    20,
    (schema, { responses }, { isUnchecked }) => compareValues(schema, responses[200].schema, isUnchecked),
  ));

// proves import | What a library cannot check in parameters, which are text, is named with its place
Deno.test("written parameters accept the texts that the document does, or the report names the place", () =>
  checkRandom(
    parameters,
    asking,
    15,
    async (schema, { query }, { isUnchecked, isChanged }) =>
      query === undefined || isChanged ? [] : await compareTexts(schema, query, isUnchecked),
  ));

Deno.test("each writer names what its library does not check, at the place in the document", () => {
  const losses: readonly (readonly [schema: object, message: string, ...writers: Writer[]])[] = [
    [{ type: "number", multipleOf: 0.5 }, "multipleOf 0.5", "arktype"],
    [
      { type: "object", required: ["a"], properties: { a: {} }, additionalProperties: { type: "string" } },
      "additionalProperties of another type than properties",
      ...["zod", "valibot", "arktype"] as const,
    ],
    [{ type: "object", properties: { a: {} } }, "that an object is not an array", "valibot", "arktype"],
    [
      { type: "array", prefixItems: [{ type: "string" }], minItems: 2 },
      "that the last items of a list are present",
      ...["zod", "valibot"] as const,
    ],
    [
      { anyOf: [{ $ref: "#/components/schemas/Open" }, { $ref: "#/components/schemas/Node" }] },
      "which of several objects a value is: the first that matches removes the properties of others",
      ...["zod", "valibot"] as const,
    ],
    [
      {
        allOf: [
          { type: "object", additionalProperties: { $ref: "#/components/schemas/Json" } },
          { anyOf: [{ $ref: "#/components/schemas/Open" }, { type: "object", additionalProperties: false }] },
        ],
      },
      "additionalProperties: false beside another object of allOf",
      "zod",
    ],
    [
      { oneOf: [{ $ref: "#/components/schemas/Open" }, { $ref: "#/components/schemas/Node" }] },
      "that a value matches only one of oneOf",
      ...writers,
    ],
    [
      {
        anyOf: [
          { type: "object", required: ["id"], properties: { id: { type: "string" } } },
          { type: "object", required: ["id"], properties: { id: { type: "string" }, secret: { type: "string" } } },
        ],
      },
      "the properties of an object that another one of a union includes",
      "arktype",
    ],
    [{ type: "object", required: ["a"], properties: { a: {} }, maxProperties: 0 }, "maxProperties", ...writers],
  ];
  const document = documentOf(losses.map(([schema]) => answering(schema)));
  for (const writer of writers) {
    const { report } = writer === "importContract()"
      ? importContract(document)
      : writeContract(document, { schemas: writer });
    for (const [index, [schema, message, ...expected]] of losses.entries()) {
      const place = `#/paths/~1s${index}/get/responses/200/content/application~1json/schema`;
      const named = report.unchecked.filter((each) => each.place === place).map((each) => each.message);
      const isNamed = named.includes(message);
      assertEquals(isNamed, expected.includes(writer), `${writer}: ${JSON.stringify(schema)} ${named}`);
    }
  }
});

Deno.test("a property that objects inherit is not checked if it is optional, which the report says", async () => {
  const schema = { type: "object", required: ["a"], properties: { a: {}, constructor: { type: "string" } } };
  const place = "#/paths/~1s0/get/responses/200/content/application~1json/schema/properties/constructor";
  await inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    for (const writer of ["zod", "valibot", "arktype"] as const) {
      const { contract, report } = await load(documentOf([answering(schema)]), writer);
      assertEquals(report.unchecked, [{ place, message: 'the optional property "constructor"' }]);
      const { responses } = routesOf(contract.routes)[0] as unknown as Written;
      const { issues } = await responses[200].schema["~standard"].validate({ a: 1 });
      assertEquals(issues, undefined, writer);
    }
  }, at);
});

Deno.test("ArkType throws for two values of a map in a union that are no objects, and never accepts them", async () => {
  const map = { type: "object", additionalProperties: { type: "object", required: ["a"], properties: { a: {} } } };
  const schema = { anyOf: [map, { type: "object", additionalProperties: { type: "string" } }] };
  await inTemporaryFolder(async (folder) => {
    const { contract } = await createLoader(folder)(documentOf([answering(schema)]), "arktype");
    const { validate } = (routesOf(contract.routes)[0] as unknown as Written).responses[200].schema["~standard"];
    assertThrows(() => validate({ b: 1, c: 2 }), TypeError, "Cannot use 'in' operator to search for 'a' in 2");
  }, at);
});

Deno.test("types with no value in common are written as such, and the choices beside them remain", async () => {
  const [node, open, closed, json] = ["Node", "Open", "Closed", "Json"].map((name) => ({
    $ref: `#/components/schemas/${name}`,
  }));
  const impossible = { type: "object", required: ["kind"], properties: { kind: false }, anyOf: [node, open] };
  const partly = { anyOf: [closed, node], allOf: [{ type: "object", additionalProperties: json }] };
  const cases: readonly (readonly [schema: object, kept: readonly Json[], refused: readonly Json[]])[] = [
    [impossible, [], [{}, { value: 1, b: "b" }, { value: 1, b: "b", kind: null }]],
    [{ anyOf: [partly, { type: "null" }] }, [{}, { a: "a" }, null], [{ a: 1 }, { value: 1, a: 1 }]],
  ];
  await inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    for (const writer of writers) {
      const { contract } = await load(documentOf(cases.map(([schema]) => answering(schema))), writer);
      for (const [index, [, kept, refused]] of cases.entries()) {
        const { responses } = routesOf(contract.routes)[index] as unknown as Written;
        for (const value of [...kept, ...refused]) {
          const { issues } = await responses[200].schema["~standard"].validate(value);
          assertEquals(issues === undefined, kept.includes(value), `${writer}: ${JSON.stringify(value)}`);
        }
      }
    }
  }, at);
});

Deno.test("lists of lists are kept where a choice has lists of objects too, whose order matters to Valibot", async () => {
  const lists = (items: object) => ({ type: "array", items });
  const anyOf = [lists({ type: "object" }), lists({ type: "array" })];
  await assertDecisions(documentOfValue({ anyOf }), { kept: [[[1], []], [{ a: 1 }], []], refused: ["a", ["a"]] });
  await assertDecisions(documentOfValue({ anyOf, allOf: [{ oneOf: [lists({}), { type: "string" }] }] }), {
    kept: [[[1], []], [{ a: 1 }]],
    refused: ["a"],
  });
});

Deno.test("schemas that are a part of themselves with nothing between are read as unknown, which is a fault", () => {
  const { report } = importContract({
    ...documentOf([answering({ $ref: "#/components/schemas/Loop" })]),
    components: {
      schemas: {
        Loop: { anyOf: [{ type: "string" }, { $ref: "#/components/schemas/Back" }] },
        Back: { oneOf: [{ $ref: "#/components/schemas/Loop" }, { $ref: "#/components/schemas/Node" }] },
        Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
      },
    },
  });
  const message = "the schema is a part of itself with no object or list between; it is not checked";
  assertEquals(report.faults, [
    { place: "#/components/schemas/Loop", message },
    { place: "#/components/schemas/Back", message },
  ]);
});

Deno.test("a schema that no value matches has a line in the report", () => {
  const message = "no value matches all of its keywords";
  const cases: readonly (readonly [schema: object, fault: string | undefined])[] = [
    [{ type: "string", pattern: "/^[a-z]+$/i" }, 'no text matches the pattern "/^[a-z]+$/i"'],
    [{ type: "string", pattern: "a$b" }, 'no text matches the pattern "a$b"'],
    [{ type: "string", pattern: "^[^\\s\\S]$" }, 'no text matches the pattern "^[^\\\\s\\\\S]$"'],
    [{ type: "string", minLength: 2, maxLength: 1 }, message],
    [{ type: "integer", minimum: 2, maximum: 1 }, message],
    [{ type: "number", minimum: 1, exclusiveMaximum: 1 }, message],
    [{ type: "array", items: {}, minItems: 2, maxItems: 1 }, message],
    [{ type: "string", pattern: "(^a|b$)c|^$" }, undefined],
    [{ type: "string", pattern: "^\\^[$^]\\$$" }, undefined],
    [{ type: "string", minLength: 1, maxLength: 1 }, undefined],
  ];
  for (const [schema, fault] of cases) {
    const { faults } = importContract(documentOf([answering(schema)])).report;
    const found = faults.filter(({ message }) => message.startsWith("no "));
    assertEquals(found.map(({ message }) => message), fault === undefined ? [] : [fault], JSON.stringify(schema));
  }
});

Deno.test("what a contract declares otherwise than a document has a line: names, empty values and formats", () => {
  const { report } = importContract({
    openapi: "3.1.0",
    info: { title: "Files", version: "1.0.0" },
    paths: {
      "/files/{file-id}.json/{part}": {
        get: {
          operationId: "get",
          tags: ["files"],
          parameters: [
            ...["file-id", "part"].map((name) => ({ in: "path", name, required: true, schema: { type: "string" } })),
            { in: "query", name: "pretty", allowEmptyValue: true, schema: { type: "boolean" } },
            { in: "query", name: "q", allowEmptyValue: true, schema: { type: "string" } },
          ],
          ...answering({
            type: "object",
            properties: {
              version: { anyOf: [{ type: "integer" }, { type: "string" }], format: "int64" },
              id: { allOf: [{ type: "string" }], format: "uuid" },
              name: { type: "string", format: "uuid" },
            },
          }),
        },
      },
    },
  });
  const place = "#/paths/~1files~1{file-id}.json~1{part}/get/responses/200/content/application~1json/schema/properties";

  assertEquals(report.operations.map(({ changes }) => changes), [[
    "the parameter file-id is called fileId",
    "the query parameter pretty is never empty, which allowEmptyValue allows",
  ]]);
  assertEquals(report.unchecked, [
    { place: `${place}/version`, message: "the format int64 of a schema without a type" },
    { place: `${place}/id`, message: "the format uuid of a schema without a type" },
  ]);
});
